// The geometry of one linear tetrahedron (docs/theory/balance.md, "Linear tetrahedra"): kernels for one element (Real = double) or several at once
// (Real = Pack).
#pragma once

#include <array>
#include <utility>

#include "math/tensor.h"

namespace traction {

/// The cofactors of F, whose transpose over det F is its inverse, and det F.
template <typename T>
std::pair<Matrix3<T>, T> cofactor_and_determinant(const Matrix3<T>& F) {
  Matrix3<T> cofactor;
  for (int i = 0; i < 3; ++i) {
    const int a = (i + 1) % 3, b = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int c = (j + 1) % 3, d = (j + 2) % 3;
      cofactor(i, j) = F(a, c) * F(b, d) - F(a, d) * F(b, c);
    }
  }
  return {cofactor, F(0, 0) * cofactor(0, 0) + F(0, 1) * cofactor(0, 1) + F(0, 2) * cofactor(0, 2)};
}

/// Vertices are numbered 0..3 in any order.
template <typename Real>
struct SolidElementOf {
  Matrix3<Real> inverse_rest_shape;  ///< [X1 - X0, X2 - X0, X3 - X0]^-1  [1/m]
  Real volume;                       ///< at rest [m^3]
};

/// A tetrahedron, with its vertices.
struct SolidElement : SolidElementOf<double> {
  std::array<int, 4> vertices;  ///< local, ascending

  /// `rest`: positions of the vertices at rest [m], in the order given, in either orientation.
  SolidElement(const std::array<int, 4>& vertices, const std::array<Vec3, 4>& rest);
};

/// F for vertices at positions x, or its rate for velocities.
template <typename Real, typename T>
Matrix3<T> deformation_gradient(const SolidElementOf<Real>& element, const std::array<Vector3<T>, 4>& x) {
  const auto& B = element.inverse_rest_shape;
  const Vector3<T> e1 = x[1] - x[0], e2 = x[2] - x[0], e3 = x[3] - x[0];
  Matrix3<T> F;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) F(i, j) = e1[i] * B(0, j) + e2[i] * B(1, j) + e3[i] * B(2, j);
  return F;
}

/// The forces of a first Piola-Kirchhoff stress on the four vertices [N]: f_a = -V P grad N_a, which sum to zero.
template <typename Real, typename T>
std::array<Vector3<T>, 4> forces_of_stress(const SolidElementOf<Real>& element, const Matrix3<T>& stress) {
  const Matrix3<Real> B = element.inverse_rest_shape * Real(-element.volume);
  std::array<Vector3<T>, 4> force;
  for (int a = 1; a < 4; ++a)
    for (int i = 0; i < 3; ++i) force[a][i] = stress(i, 0) * B(a - 1, 0) + stress(i, 1) * B(a - 1, 1) + stress(i, 2) * B(a - 1, 2);
  force[0] = -(force[1] + force[2] + force[3]);
  return force;
}

/// The deformation of an element: the gradients of its shape functions with respect to present positions, g_a = F^-T grad_X N_a.
template <typename Real>
struct DeformedElement {
  Real determinant;                        ///< det F
  std::array<Vector3<Real>, 4> gradients;  ///< [1/m]

  DeformedElement(const SolidElementOf<Real>& element, const std::array<Vector3<Real>, 4>& x);
};

template <typename Real>
DeformedElement<Real>::DeformedElement(const SolidElementOf<Real>& element, const std::array<Vector3<Real>, 4>& x) {
  const auto [cofactor, J] = cofactor_and_determinant(deformation_gradient(element, x));
  determinant = J;
  const Real inverse = Real(1.0) / J;
  for (int a = 1; a < 4; ++a)
    for (int i = 0; i < 3; ++i) {
      const auto& B = element.inverse_rest_shape;
      gradients[a][i] = (cofactor(i, 0) * B(a - 1, 0) + cofactor(i, 1) * B(a - 1, 1) + cofactor(i, 2) * B(a - 1, 2)) * inverse;
    }
  gradients[0] = -(gradients[1] + gradients[2] + gradients[3]);
}

}  // namespace traction
