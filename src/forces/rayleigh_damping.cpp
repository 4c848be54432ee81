#include "forces/rayleigh_damping.h"

namespace traction {

RayleighDamping::RayleighDamping(std::shared_ptr<const SolidBatches> elements, std::vector<double> mass, double stiffness, int owned_vertices)
    : elements_(std::move(elements)), mass_(std::move(mass)), stiffness_(stiffness), owned_vertices_(owned_vertices) {}

void RayleighDamping::add_force(const State& state, Zone zone, Field& force) const {
  if (zone == Zone::interior)
    for (int i = 0; i < owned_vertices_; ++i) force[i] -= mass_[i] * state.v[i];
  if (stiffness_ == 0) return;
  elements_->add(
      zone, stiffness_, [&](const SolidBatch& batch) { return viscous_forces<Pack>(batch, gather(batch, state.q), gather(batch, state.v)); }, force);
}

void RayleighDamping::add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const {
  if (zone == Zone::interior)
    for (int i = 0; i < owned_vertices_; ++i) change[i] -= mass_[i] * direction.v[i];
  if (stiffness_ == 0) return;
  elements_->add(
      zone, stiffness_,
      [&](const SolidBatch& batch) {
        return derivatives(viscous_forces<Dual<Pack>>(batch, gather(batch, at.state.q, direction.q), gather(batch, at.state.v, direction.v)));
      },
      change);
}

void RayleighDamping::add_blocks(const Linearization& at, BlockMatrix& matrix) const {
  for (int i = 0; i < owned_vertices_; ++i)
    if (mass_[i] != 0) matrix.add_diagonal(i, -at.dv * mass_[i] * Mat3::Identity());
  if (stiffness_ == 0) return;
  matrix.make_general();
  elements_->add_blocks(
      [&](const SolidBatch& batch, auto add) {
        const DeformedElement<Pack> deformed(batch, gather(batch, at.state.q));
        add(ViscousBlocks<Pack>(batch, deformed, gather(batch, at.state.v), stiffness_ * at.dq, stiffness_ * at.dv));
      },
      matrix);
}

}  // namespace traction
