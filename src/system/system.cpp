#include "system/system.h"

#include <algorithm>

#include "parallel/collective.h"

namespace traction {

System::System(std::shared_ptr<const DistributedMesh> mesh, std::vector<double> mass)
    : mesh_(std::move(mesh)),
      pattern_(std::make_shared<const BlockPattern>(mesh_->halo, mesh_->tetrahedra, mesh_->triangles, mesh_->hinges)),
      mass_(std::move(mass)),
      is_driven_(mass_.size(), 0) {
  double owned_mass = 0;
  for (int vertex = 0; vertex < halo().owned(); ++vertex) owned_mass += mass_[vertex];
  total_mass_ = sum_over_ranks(communicator(), owned_mass);
}

void System::drive(DrivenGroup group) {
  std::vector<double> marks(halo().local(), 0.0);
  for (int vertex : group.vertices) marks[vertex] = 1;
  Scatter(halo(), 1).forward(marks);
  for (int vertex = 0; vertex < halo().local(); ++vertex)
    if (marks[vertex] != 0) is_driven_[vertex] = 1;
  driven_.push_back(std::move(group));
}

void System::set_driven_velocities(State& state) const {
  if (driven_.empty()) return;
  for (const DrivenGroup& group : driven_) {
    const Pose pose(group.motion, state.time);
    for (int vertex : group.vertices) state.v[vertex] = pose.velocity_at<double>(state.q[vertex]);
  }
  halo().exchange(state.v.values());
}

void System::set_driven_positions(State& state) const {
  if (driven_.empty()) return;
  for (const DrivenGroup& group : driven_) {
    const Pose pose(group.motion, state.time);
    for (std::size_t k = 0; k < group.vertices.size(); ++k) state.q[group.vertices[k]] = pose.to_world<double>(group.starts[k]);
  }
  halo().exchange(state.q.values());
}

std::vector<Reaction> System::reactions(const State& state) const {
  if (driven_.empty()) return {};
  Field forces(halo().local());
  force(state, forces);
  std::vector<Reaction> reactions(driven_.size());
  for (std::size_t g = 0; g < driven_.size(); ++g) {
    const Pose pose(driven_[g].motion, state.time);
    for (int vertex : driven_[g].vertices) {
      const Vec3 x = state.q[vertex], share = mass_[vertex] * pose.acceleration_at(x) - forces[vertex];
      reactions[g].force += share;
      reactions[g].moment += x.cross(share);
    }
  }
  static_assert(sizeof(Reaction) == 6 * sizeof(double));
  sum_over_ranks(communicator(), {reactions.front().force.data(), 6 * reactions.size()});
  return reactions;
}

bool System::bounds_steps() const {
  return std::any_of(forces_.begin(), forces_.end(), [](const auto& term) { return term->step_bound() != nullptr; });
}

std::optional<double> System::admissible_part(const State& state, const Field& displacement) const {
  std::optional<double> part = 1;
  for (const auto& term : forces_)
    if (StepBound* bound = term->step_bound()) part = std::min(part, bound->admissible_part(state, displacement));  // none is less than any
  return part;
}

bool System::is_clear(const State& start, const State& end) const {
  bool clear = true;
  for (const auto& term : forces_)
    if (StepBound* bound = term->step_bound()) clear = bound->is_clear(start, end) && clear;
  return clear;
}

void System::prepare(const State& state) const {
  for (const auto& term : forces_) term->prepare(state);
}

void System::linearize(const Linearization& at) {
  for (const auto& term : forces_) term->linearize(at);
}

void System::force(const State& state, Field& force, Terms terms) const {
  force.set_zero();
  for (const auto& term : forces_)
    if (among(*term, terms)) term->prepare(state);
  for (const Zone zone : {Zone::interior, Zone::boundary})
    for (const auto& term : forces_)
      if (among(*term, terms)) term->add_force(state, zone, force);
}

void System::product(const Linearization& at, const State& direction, Field& change, Terms terms) const {
  change.set_zero();
  for (const Zone zone : {Zone::interior, Zone::boundary})
    for (const auto& term : forces_)
      if (among(*term, terms)) term->add_product(at, direction, zone, change);
}

}  // namespace traction
