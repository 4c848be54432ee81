// The compressible neo-Hookean material (docs/theory/balance.md, "Neo-Hookean solids"): W = mu/2 (tr(F^T F) - 3) - mu ln J + lambda/2 (ln J)^2.
#pragma once

#include <Eigen/LU>
#include <cmath>
#include <utility>

#include "math/dual.h"
#include "math/tensor.h"

namespace traction {

// The cofactor matrix of F and det F. The inverse of F is the transposed cofactor matrix over det F.
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

// `Real`: double for one element, Pack for several.
template <typename Real>
struct NeoHookeanMaterial {
  Real mu = 0;      // [Pa]
  Real lambda = 0;  // [Pa]

  static NeoHookeanMaterial from_engineering(double youngs_modulus, double poisson_ratio) {
    return {youngs_modulus / (2 * (1 + poisson_ratio)), youngs_modulus * poisson_ratio / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio))};
  }

  // [J/m^3]; not finite where det F <= 0.
  Real energy_density(const Matrix3<Real>& F) const {
    using std::log;
    const Real log_J = log(cofactor_and_determinant(F).second);
    Real square = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) square += F(i, j) * F(i, j);
    return 0.5 * mu * (square - 3) - mu * log_J + 0.5 * lambda * log_J * log_J;
  }

  // First Piola-Kirchhoff stress P = dW/dF = mu (F - F^-T) + lambda ln J F^-T  [Pa]; not finite where det F <= 0. T: Real, or dual numbers of it.
  template <typename T>
  Matrix3<T> first_piola_stress(const Matrix3<T>& F) const {
    using std::log;
    const auto [cofactor, J] = cofactor_and_determinant(F);
    const T factor = (lambda * log(J) - mu) / J;
    Matrix3<T> stress;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) stress(i, j) = mu * F(i, j) + factor * cofactor(i, j);
    return stress;
  }

  // First Piola-Kirchhoff stress of a viscosity with the solid's own moduli (docs/theory/balance.md, (B17), with beta = 1): Kirchhoff stress 2 mu d + lambda
  // tr(d) 1 with d = sym(F' F^-1), F' the rate of F. [Pa] per [1/s]; Stiffness damping multiplies it by beta.
  template <typename T>
  Matrix3<T> viscous_stress(const Matrix3<T>& F, const Matrix3<T>& rate) const {
    const auto [cofactor, J] = cofactor_and_determinant(F);
    const Matrix3<T> G = cofactor * T(1.0 / J);  // F^-T
    const Matrix3<T> stretching = rate * G.transpose();
    return ((stretching + stretching.transpose()) * G) * T(mu) + G * (stretching.trace() * lambda);
  }
};

using NeoHookean = NeoHookeanMaterial<double>;

}  // namespace traction
