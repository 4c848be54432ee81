// Linear tetrahedra (docs/theory/balance.md, "Linear tetrahedra"): kernels for one element (Real = double) or several at once (Real = Pack).
#pragma once

#include <array>

#include "elements/neo_hookean.h"

namespace traction {

// Vertices are numbered 0..3 in any order.
template <typename Real>
struct SolidElementOf {
  Matrix3<Real> inverse_rest_shape;  // [X1 - X0, X2 - X0, X3 - X0]^-1  [1/m]
  Real volume;                       // at rest [m^3]
  NeoHookeanMaterial<Real> material;
};

struct SolidElement : SolidElementOf<double> {
  std::array<int, 4> vertices;  // local, ascending

  // `rest`: positions at rest [m] of the vertices in the order given, in either orientation.
  SolidElement(const std::array<int, 4>& vertices, const std::array<Vec3, 4>& rest, const NeoHookean& material);
};

// F for vertices at positions x, or its rate for velocities.
template <typename Real, typename T>
Matrix3<T> deformation_gradient(const SolidElementOf<Real>& element, const std::array<Vector3<T>, 4>& x) {
  const auto& B = element.inverse_rest_shape;
  const Vector3<T> e1 = x[1] - x[0], e2 = x[2] - x[0], e3 = x[3] - x[0];
  Matrix3<T> F;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) F(i, j) = e1[i] * B(0, j) + e2[i] * B(1, j) + e3[i] * B(2, j);
  return F;
}

// The forces of a first Piola-Kirchhoff stress on the four vertices [N]: f_a = -V P grad N_a, which sum to zero.
template <typename Real, typename T>
std::array<Vector3<T>, 4> forces_of_stress(const SolidElementOf<Real>& element, const Matrix3<T>& stress) {
  const Matrix3<Real> B = element.inverse_rest_shape * Real(-element.volume);
  std::array<Vector3<T>, 4> force;
  for (int a = 1; a < 4; ++a)
    for (int i = 0; i < 3; ++i) force[a][i] = stress(i, 0) * B(a - 1, 0) + stress(i, 1) * B(a - 1, 1) + stress(i, 2) * B(a - 1, 2);
  force[0] = -(force[1] + force[2] + force[3]);
  return force;
}

// The elastic forces on the four vertices at positions x [N].
template <typename T, typename Real>
std::array<Vector3<T>, 4> elastic_forces(const SolidElementOf<Real>& element, const std::array<Vector3<T>, 4>& x) {
  return forces_of_stress(element, element.material.template first_piola_stress<T>(deformation_gradient(element, x)));
}

// The forces of the material's viscosity with beta = 1, at positions x and velocities v [N/s].
template <typename T, typename Real>
std::array<Vector3<T>, 4> viscous_forces(const SolidElementOf<Real>& element, const std::array<Vector3<T>, 4>& x, const std::array<Vector3<T>, 4>& v) {
  return forces_of_stress(element, element.material.template viscous_stress<T>(deformation_gradient(element, x), deformation_gradient(element, v)));
}

// The deformation of an element: F, and the gradients of its shape functions with respect to present positions, g_a = F^-T grad_X N_a.
template <typename Real>
struct DeformedElement {
  Matrix3<Real> F;
  Real determinant;
  std::array<Vector3<Real>, 4> gradients;  // [1/m]

  DeformedElement(const SolidElementOf<Real>& element, const std::array<Vector3<Real>, 4>& x);
};

// df_a/dx_b of the elastic forces for a != b (docs/theory/balance.md, (B7)), derived by hand; tests compare it with dual numbers:
//   -V (mu (grad_X N_a . grad_X N_b) I + lambda g_a g_b^T + (mu - lambda ln J) g_b g_a^T)
template <typename Real>
class ElasticBlocks {
 public:
  ElasticBlocks(const SolidElementOf<Real>& element, const DeformedElement<Real>& deformed, double factor);
  Matrix3<Real> operator()(int a, int b) const;

 private:
  const DeformedElement<Real>& deformed_;
  std::array<Vector3<Real>, 4> rest_gradients_;
  Real mu_, lambda_, geometric_;  // times -V and the factor
};

// dq df_a/dx_b + dv df_a/dv_b of the viscous forces (docs/theory/balance.md, (B18)): with D = F' F^-1, sigma = mu (D + D^T) + lambda tr(D) I and
// C_ab = mu ((g_a . g_b) I + g_b g_a^T) + lambda g_a g_b^T,
//   -V (C_ab (dv I - dq D) - dq sigma g_b g_a^T)
template <typename Real>
class ViscousBlocks {
 public:
  ViscousBlocks(const SolidElementOf<Real>& element, const DeformedElement<Real>& deformed, const std::array<Vector3<Real>, 4>& v, double dq, double dv);
  Matrix3<Real> operator()(int a, int b) const;

 private:
  const DeformedElement<Real>& deformed_;
  Matrix3<Real> turned_, sigma_;
  Real mu_, lambda_;  // times -V
};

template <typename Real>
DeformedElement<Real>::DeformedElement(const SolidElementOf<Real>& element, const std::array<Vector3<Real>, 4>& x) : F(deformation_gradient(element, x)) {
  const auto [cofactor, J] = cofactor_and_determinant(F);
  determinant = J;
  const Real inverse = Real(1.0) / J;
  for (int a = 1; a < 4; ++a)
    for (int i = 0; i < 3; ++i) {
      const auto& B = element.inverse_rest_shape;
      gradients[a][i] = (cofactor(i, 0) * B(a - 1, 0) + cofactor(i, 1) * B(a - 1, 1) + cofactor(i, 2) * B(a - 1, 2)) * inverse;
    }
  gradients[0] = -(gradients[1] + gradients[2] + gradients[3]);
}

template <typename Real>
ElasticBlocks<Real>::ElasticBlocks(const SolidElementOf<Real>& element, const DeformedElement<Real>& deformed, double factor) : deformed_(deformed) {
  using std::log;
  for (int a = 1; a < 4; ++a) rest_gradients_[a] = element.inverse_rest_shape.row(a - 1).transpose();
  rest_gradients_[0] = -(rest_gradients_[1] + rest_gradients_[2] + rest_gradients_[3]);
  const Real scale = element.volume * -factor;
  mu_ = element.material.mu * scale;
  lambda_ = element.material.lambda * scale;
  geometric_ = mu_ - lambda_ * log(deformed.determinant);
}

template <typename Real>
Matrix3<Real> ElasticBlocks<Real>::operator()(int a, int b) const {
  const auto &ga = deformed_.gradients[a], &gb = deformed_.gradients[b];
  const auto &Ga = rest_gradients_[a], &Gb = rest_gradients_[b];
  const Vector3<Real> volumetric = ga * lambda_, geometric = gb * geometric_;
  Matrix3<Real> block;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) block(i, k) = volumetric[i] * gb[k] + geometric[i] * ga[k];
  const Real diagonal = mu_ * (Ga[0] * Gb[0] + Ga[1] * Gb[1] + Ga[2] * Gb[2]);
  for (int i = 0; i < 3; ++i) block(i, i) += diagonal;
  return block;
}

template <typename Real>
ViscousBlocks<Real>::ViscousBlocks(const SolidElementOf<Real>& element, const DeformedElement<Real>& deformed, const std::array<Vector3<Real>, 4>& v, double dq,
                                   double dv)
    : deformed_(deformed), mu_(element.material.mu * -element.volume), lambda_(element.material.lambda * -element.volume) {
  Matrix3<Real> D;  // sum of v_a g_a^T
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      D(i, j) = Real(0.0);
      for (int a = 1; a < 4; ++a) D(i, j) += (v[a][i] - v[0][i]) * deformed.gradients[a][j];
    }
  const Real dilation = D(0, 0) + D(1, 1) + D(2, 2);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      turned_(i, j) = D(i, j) * -dq;
      sigma_(i, j) = (D(i, j) + D(j, i)) * (mu_ * dq);
      if (i == j) {
        turned_(i, j) += dv;
        sigma_(i, j) += dilation * (lambda_ * dq);
      }
    }
}

template <typename Real>
Matrix3<Real> ViscousBlocks<Real>::operator()(int a, int b) const {
  const auto &ga = deformed_.gradients[a], &gb = deformed_.gradients[b];
  const Real dot = mu_ * (ga[0] * gb[0] + ga[1] * gb[1] + ga[2] * gb[2]);
  Vector3<Real> stress;              // sigma g_b
  Vector3<Real> turned_a, turned_b;  // rows g_a^T (dv I - dq D), g_b^T (dv I - dq D)
  for (int i = 0; i < 3; ++i) {
    stress[i] = sigma_(i, 0) * gb[0] + sigma_(i, 1) * gb[1] + sigma_(i, 2) * gb[2];
    turned_a[i] = ga[0] * turned_(0, i) + ga[1] * turned_(1, i) + ga[2] * turned_(2, i);
    turned_b[i] = gb[0] * turned_(0, i) + gb[1] * turned_(1, i) + gb[2] * turned_(2, i);
  }
  Matrix3<Real> block;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) block(i, k) = dot * turned_(i, k) + mu_ * gb[i] * turned_a[k] + lambda_ * ga[i] * turned_b[k] - stress[i] * ga[k];
  return block;
}

}  // namespace traction
