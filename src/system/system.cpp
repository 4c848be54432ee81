#include "system/system.h"

#include "parallel/collective.h"

namespace traction {

System::System(std::shared_ptr<const DistributedMesh> mesh, std::vector<double> mass)
    : mesh_(std::move(mesh)), mass_(std::move(mass)), is_driven_(mass_.size(), 0) {
  double owned_mass = 0;
  for (int vertex = 0; vertex < halo().owned(); ++vertex) owned_mass += mass_[vertex];
  total_mass_ = sum_over_ranks(communicator(), owned_mass);
}

void System::drive(const DrivenVertex& vertex) {
  is_driven_[vertex.vertex] = 1;
  driven_.push_back(vertex);
}

void System::prepare(const State& state) {
  for (const auto& term : forces_) term->prepare(state);
}

void System::linearize(const State& state) {
  for (const auto& term : forces_) term->linearize(state);
}

void System::force(const State& state, Field& force) const {
  force.set_zero();
  for (const Zone zone : {Zone::interior, Zone::boundary})
    for (const auto& term : forces_) term->add_force(state, zone, force);
}

}  // namespace traction
