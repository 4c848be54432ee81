// Neo-Hookean solids on linear tetrahedra (P0 Sec. III-A).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "forces/neo_hookean.h"
#include "mesh/mesh.h"
#include "system/force.h"

namespace traction {

struct SolidElement {
  std::array<int, 4> vertices;   // local
  Mat3 inverse_rest_shape;       // [X1 - X0, X2 - X0, X3 - X0]^-1  [1/m]
  double volume;                 // at rest [m^3]
  NeoHookean material;

  // `rest`: the element's vertices at rest.
  SolidElement(const std::array<int, 4>& vertices, const std::array<Vec3, 4>& rest, const NeoHookean& material);
};

// F for vertices at positions x, or its rate for velocities.
template <typename T>
Matrix3<T> deformation_gradient(const SolidElement& element, const std::array<Vector3<T>, 4>& x) {
  const auto& B = element.inverse_rest_shape;
  const Vector3<T> e1 = x[1] - x[0], e2 = x[2] - x[0], e3 = x[3] - x[0];
  Matrix3<T> F;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) F(i, j) = e1[i] * B(0, j) + e2[i] * B(1, j) + e3[i] * B(2, j);
  return F;
}

// What a first Piola-Kirchhoff stress exerts on the four vertices [N]: f_a = -V P grad N_a, which sum to zero.
template <typename T>
std::array<Vector3<T>, 4> forces_of_stress(const SolidElement& element, const Matrix3<T>& stress) {
  const auto& B = element.inverse_rest_shape;
  std::array<Vector3<T>, 4> force;
  for (int a = 1; a < 4; ++a)
    for (int i = 0; i < 3; ++i)
      force[a][i] = (stress(i, 0) * B(a - 1, 0) + stress(i, 1) * B(a - 1, 1) + stress(i, 2) * B(a - 1, 2)) * -element.volume;
  force[0] = -(force[1] + force[2] + force[3]);
  return force;
}

// The elastic forces on the four vertices at positions x [N].
template <typename T>
std::array<Vector3<T>, 4> element_forces(const SolidElement& element, const std::array<Vector3<T>, 4>& x) {
  return forces_of_stress<T>(element, element.material.first_piola_stress(deformation_gradient(element, x)));
}

// matrix += factor df/dx for vertices whose forces are those of a stress with d vec(P) / d vec(F) = tangent, vec(A)[3 i + j] = A(i, j).
void add_tangent_blocks(const SolidElement& element, const Eigen::Matrix<double, 9, 9>& tangent, double factor, BlockMatrix& matrix);

// The elements of one material body; also what Rayleigh damping of that body acts on.
class NeoHookeanSolid : public Force {
 public:
  // The first `interior_elements` elements touch owned vertices only. `owned`: whether each element counts on this rank for the energy.
  NeoHookeanSolid(std::vector<SolidElement> elements, int interior_elements, std::vector<char> owned);

  std::span<const SolidElement> elements(Zone zone) const;

  void add_force(const State& state, Zone zone, Field& force) const override;
  void add_product(const State& state, const State& direction, Zone zone, Field& change) const override;
  void add_blocks(const State& state, double dq, double dv, BlockMatrix& matrix) const override;
  double energy(const State& state) const override;
  std::string energy_name() const override { return "elastic"; }

 private:
  std::vector<SolidElement> elements_;
  int interior_elements_;
  std::vector<char> owned_;
};

}  // namespace traction
