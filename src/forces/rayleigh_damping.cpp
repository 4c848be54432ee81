#include "forces/rayleigh_damping.h"

#include "elements/viscosity.h"

namespace traction {

RayleighDamping::RayleighDamping(std::vector<double> mass, std::vector<ViscousSolid> solids, double stiffness, int owned_vertices)
    : mass_(std::move(mass)), solids_(std::move(solids)), stiffness_(stiffness), owned_vertices_(owned_vertices) {
  for (int i = 0; i < owned_vertices_; ++i)
    if (mass_[i] != 0) damped_.push_back(i);
}

int RayleighDamping::count() const {
  int sum = static_cast<int>(damped_.size());
  for (const ViscousSolid& solid : solids_) sum += solid.elements->count();
  return sum;
}

std::pair<const ViscousSolid*, int> RayleighDamping::element(int term) const {
  int number = term - static_cast<int>(damped_.size());
  for (const ViscousSolid& solid : solids_) {
    if (number < solid.elements->count()) return {&solid, number};
    number -= solid.elements->count();
  }
  return {nullptr, 0};
}

std::vector<int> RayleighDamping::stencil(int term) const {
  if (term < static_cast<int>(damped_.size())) return {damped_[static_cast<std::size_t>(term)]};
  const auto [solid, number] = element(term);
  const auto vertices = solid->elements->vertices(number);
  return {vertices.begin(), vertices.end()};
}

void RayleighDamping::forces(int term, const State& state, std::span<Vec3> forces) const {
  if (term < static_cast<int>(damped_.size())) {
    const int vertex = damped_[static_cast<std::size_t>(term)];
    forces[0] = -mass_[vertex] * state.v[vertex];
    return;
  }
  const auto [solid, number] = element(term);
  const SolidBatches::Single single = solid->elements->single(number);
  const Corner4<double> f = viscous_forces<double>(single.element, solid->elements->unpacked(solid->moduli, number), gather(single.vertices, state.q),
                                                   gather(single.vertices, state.v));
  for (int a = 0; a < 4; ++a) forces[a] = stiffness_ * f[a];
}

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
