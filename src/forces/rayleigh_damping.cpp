#include "forces/rayleigh_damping.h"

namespace traction {

namespace {

template <typename T>
std::array<Vector3<T>, 4> viscous_forces(const SolidElement& element, const std::array<Vector3<T>, 4>& x, const std::array<Vector3<T>, 4>& v) {
  return forces_of_stress<T>(element, element.material.viscous_stress(deformation_gradient(element, x), deformation_gradient(element, v)));
}

// d vec(viscous stress) / d vec(rate of F), 9x9.
Eigen::Matrix<double, 9, 9> viscous_tangent(const SolidElement& element, const Mat3& F) {
  Eigen::Matrix<double, 9, 9> tangent;
  for (int k = 0; k < 9; ++k) {   // linear in the rate
    Mat3 rate = Mat3::Zero();
    rate(k / 3, k % 3) = 1;
    const Mat3 stress = element.material.viscous_stress(F, rate);
    for (int i = 0; i < 9; ++i) tangent(i, k) = stress(i / 3, i % 3);
  }
  return tangent;
}

}  // namespace

RayleighDamping::RayleighDamping(std::shared_ptr<const NeoHookeanSolid> solid, std::vector<double> mass, double stiffness, int owned_vertices)
    : solid_(std::move(solid)), mass_(std::move(mass)), stiffness_(stiffness), owned_vertices_(owned_vertices) {}

void RayleighDamping::add_force(const State& state, Zone zone, Field& force) const {
  if (zone == Zone::interior)
    for (int i = 0; i < owned_vertices_; ++i) force[i] -= mass_[i] * state.v[i];
  if (stiffness_ == 0) return;
  for (const SolidElement& element : solid_->elements(zone)) {
    std::array<Vec3, 4> x, v;
    for (int a = 0; a < 4; ++a) x[a] = state.q[element.vertices[a]], v[a] = state.v[element.vertices[a]];
    const auto f = viscous_forces<double>(element, x, v);
    for (int a = 0; a < 4; ++a) force[element.vertices[a]] += stiffness_ * f[a];
  }
}

void RayleighDamping::add_product(const State& state, const State& direction, Zone zone, Field& change) const {
  if (zone == Zone::interior)
    for (int i = 0; i < owned_vertices_; ++i) change[i] -= mass_[i] * direction.v[i];
  if (stiffness_ == 0) return;
  for (const SolidElement& element : solid_->elements(zone)) {
    std::array<Vector3<Dual<double>>, 4> x, v;
    for (int a = 0; a < 4; ++a) {
      const int vertex = element.vertices[a];
      for (int i = 0; i < 3; ++i) {
        x[a][i] = make_dual(state.q[vertex][i], direction.q[vertex][i]);
        v[a][i] = make_dual(state.v[vertex][i], direction.v[vertex][i]);
      }
    }
    const auto f = viscous_forces<Dual<double>>(element, x, v);
    for (int a = 0; a < 4; ++a)
      for (int i = 0; i < 3; ++i) change[element.vertices[a]][i] += stiffness_ * f[a][i].derivative[0];
  }
}

void RayleighDamping::add_blocks(const State& state, double, double dv, BlockMatrix& matrix) const {
  for (int i = 0; i < owned_vertices_; ++i)
    if (mass_[i] != 0) matrix.add(i, i, -dv * mass_[i] * Mat3::Identity());
  if (stiffness_ == 0) return;
  for (const Zone zone : {Zone::interior, Zone::boundary})
    for (const SolidElement& element : solid_->elements(zone)) {
      std::array<Vec3, 4> x;
      for (int a = 0; a < 4; ++a) x[a] = state.q[element.vertices[a]];
      add_tangent_blocks(element, viscous_tangent(element, deformation_gradient(element, x)), stiffness_ * dv, matrix);
    }
}

}  // namespace traction
