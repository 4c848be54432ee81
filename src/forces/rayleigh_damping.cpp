#include "forces/rayleigh_damping.h"

#include "elements/viscosity.h"

namespace traction {

RayleighDamping::RayleighDamping(std::vector<double> mass, std::vector<ViscousSolid> solids, double stiffness, int owned_vertices)
    : mass_(std::move(mass)), solids_(std::move(solids)), stiffness_(stiffness), owned_vertices_(owned_vertices) {}

void RayleighDamping::add_force(const State& state, Zone zone, Field& force) const {
  if (zone == Zone::interior)
    for (int i = 0; i < owned_vertices_; ++i) force[i] -= mass_[i] * state.v[i];
  const auto kernel = [&](const SolidBatch& batch, const LameParameters<Pack>& moduli) {
    return viscous_forces<Pack>(batch, moduli, gather(batch, state.q), gather(batch, state.v));
  };
  for (const ViscousSolid& solid : solids_) solid.elements->add(zone, stiffness_, solid.moduli, kernel, force);
}

void RayleighDamping::add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const {
  if (zone == Zone::interior)
    for (int i = 0; i < owned_vertices_; ++i) change[i] -= mass_[i] * direction.v[i];
  const auto kernel = [&](const SolidBatch& batch, const LameParameters<Pack>& moduli) {
    return derivatives(viscous_forces<Dual<Pack>>(batch, moduli, gather(batch, at.state.q, direction.q), gather(batch, at.state.v, direction.v)));
  };
  for (const ViscousSolid& solid : solids_) solid.elements->add(zone, stiffness_, solid.moduli, kernel, change);
}

void RayleighDamping::add_blocks(const Linearization& at, BlockMatrix& matrix) const {
  for (int i = 0; i < owned_vertices_; ++i)
    if (mass_[i] != 0) matrix.add_diagonal(i, -at.dv * mass_[i] * Mat3::Identity());
  if (!solids_.empty()) matrix.make_general();
  const auto kernel = [&](const SolidBatch& batch, const LameParameters<Pack>& moduli) {
    return ViscousBlocks<Pack>(batch, moduli, gather(batch, at.state.q), gather(batch, at.state.v), stiffness_ * at.dq, stiffness_ * at.dv);
  };
  for (const ViscousSolid& solid : solids_) solid.elements->add_blocks(solid.moduli, kernel, matrix);
}

}  // namespace traction
