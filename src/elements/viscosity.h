// A viscosity with the moduli of an elastic solid, for one element (Real = double) or several at once (Real = Pack).
#pragma once

#include <array>

#include "elements/lame_parameters.h"
#include "elements/solid_element.h"

namespace traction {

/// First Piola-Kirchhoff stress of the Kirchhoff stress 2 mu d + lambda tr(d) 1 with d = sym(F' F^-1), where F' is the rate of F. [Pa] per [1/s]; stiffness
/// damping multiplies it by its time.
template <typename T, typename Real>
Matrix3<T> viscous_stress(const LameParameters<Real>& moduli, const Matrix3<T>& F, const Matrix3<T>& rate) {
  const auto [cofactor, J] = cofactor_and_determinant(F);
  const Matrix3<T> G = cofactor * T(1.0 / J);  // F^-T
  const Matrix3<T> stretching = rate * G.transpose();
  return ((stretching + stretching.transpose()) * G) * T(moduli.mu) + G * (stretching.trace() * moduli.lambda);
}

/// Forces of a viscosity of unit time, at positions x and velocities v [N/s].
template <typename T, typename Real>
std::array<Vector3<T>, 4> viscous_forces(const SolidElementOf<Real>& element, const LameParameters<Real>& moduli, const std::array<Vector3<T>, 4>& x,
                                         const std::array<Vector3<T>, 4>& v) {
  return forces_of_stress(element, viscous_stress<T>(moduli, deformation_gradient(element, x), deformation_gradient(element, v)));
}

/// dq df_a/dx_b + dv df_a/dv_b of the viscous forces: with D = F' F^-1, sigma = mu (D + D^T) + lambda tr(D) I and
/// C_ab = mu ((g_a . g_b) I + g_b g_a^T) + lambda g_a g_b^T,
///   -V (C_ab (dv I - dq D) - dq sigma g_b g_a^T)
template <typename Real>
class ViscousBlocks {
 public:
  ViscousBlocks(const SolidElementOf<Real>& element, const LameParameters<Real>& moduli, const std::array<Vector3<Real>, 4>& x,
                const std::array<Vector3<Real>, 4>& v, double dq, double dv);
  Matrix3<Real> operator()(int a, int b) const;

 private:
  DeformedElement<Real> deformed_;
  Matrix3<Real> turned_, sigma_;
  Real mu_, lambda_;  ///< times -V
};

template <typename Real>
ViscousBlocks<Real>::ViscousBlocks(const SolidElementOf<Real>& element, const LameParameters<Real>& moduli, const std::array<Vector3<Real>, 4>& x,
                                   const std::array<Vector3<Real>, 4>& v, double dq, double dv)
    : deformed_(element, x), mu_(moduli.mu * -element.volume), lambda_(moduli.lambda * -element.volume) {
  Matrix3<Real> D;  // sum of v_a g_a^T
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      D(i, j) = Real(0.0);
      for (int a = 1; a < 4; ++a) D(i, j) += (v[a][i] - v[0][i]) * deformed_.gradients[a][j];
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
