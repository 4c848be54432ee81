#include "forces/rayleigh_damping.h"

namespace traction {

RayleighDamping::RayleighDamping(std::shared_ptr<const NeoHookeanSolid> solid, std::vector<double> mass, double stiffness, int owned_vertices)
    : solid_(std::move(solid)), mass_(std::move(mass)), stiffness_(stiffness), owned_vertices_(owned_vertices) {}

void RayleighDamping::add_force(const State& state, Zone zone, Field& force) const {
  if (zone == Zone::interior)
    for (int i = 0; i < owned_vertices_; ++i) force[i] -= mass_[i] * state.v[i];
  if (stiffness_ == 0) return;
  for (const SolidElement& element : solid_->elements(zone)) {
    std::array<Vector3<Dual<double>>, 4> x;
    for (int a = 0; a < 4; ++a)
      for (int i = 0; i < 3; ++i) x[a][i] = make_dual(state.q[element.vertices[a]][i], state.v[element.vertices[a]][i]);
    const auto f = element_forces<Dual<double>>(element, x);
    for (int a = 0; a < 4; ++a)
      for (int i = 0; i < 3; ++i) force[element.vertices[a]][i] += stiffness_ * f[a][i].derivative[0];
  }
}

void RayleighDamping::add_product(const State& state, const State& direction, Zone zone, Field& change) const {
  if (zone == Zone::interior)
    for (int i = 0; i < owned_vertices_; ++i) change[i] -= mass_[i] * direction.v[i];
  if (stiffness_ == 0) return;
  using Second = Dual<Dual<double>>;   // outer: along the velocity, inner: along the direction
  for (const SolidElement& element : solid_->elements(zone)) {
    std::array<Vector3<Second>, 4> x;
    for (int a = 0; a < 4; ++a) {
      const int vertex = element.vertices[a];
      for (int i = 0; i < 3; ++i)
        x[a][i] = Second(make_dual(state.q[vertex][i], direction.q[vertex][i]), {make_dual(state.v[vertex][i], direction.v[vertex][i])});
    }
    const auto f = element_forces<Second>(element, x);
    for (int a = 0; a < 4; ++a)
      for (int i = 0; i < 3; ++i) change[element.vertices[a]][i] += stiffness_ * f[a][i].derivative[0].derivative[0];
  }
}

void RayleighDamping::add_blocks(const State& state, double, double dv, BlockMatrix& matrix) const {
  for (int i = 0; i < owned_vertices_; ++i)
    if (mass_[i] != 0) matrix.add(i, i, -dv * mass_[i] * Mat3::Identity());
  if (stiffness_ != 0) solid_->add_blocks(state, stiffness_ * dv, 0, matrix);   // df/dv = -beta K = beta df_e/dq
}

}  // namespace traction
