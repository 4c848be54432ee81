// The Saint Venant-Kirchhoff material, W = lambda/2 tr(E)^2 + mu E:E: linear in the Green strain E = (F^T F - I)/2.
#pragma once

#include <array>
#include <string_view>

#include "elements/lame_parameters.h"
#include "math/tensor.h"

namespace traction {

/// Valid for small strains under any rotation. W is not convex under compression, and finite for volumes of zero and below: a bar between rigid walls, with the
/// stretch s along it, has the stress (lambda/2 + mu) (s^3 - s), whose size grows only down to s = 1/sqrt(3) and is zero when the bar is flat. Beyond that
/// point an element gives way and may turn inside out.
template <typename Real>
struct SaintVenantKirchhoff {
  static constexpr std::string_view name = "saint_venant_kirchhoff";
  static constexpr std::string_view sentence = "Small strains under any rotation.";
  static constexpr std::array<std::string_view, 2> constants = {"youngs_modulus", "poisson_ratio"};

  LameParameters<Real> moduli;

  template <typename Constants>
  static SaintVenantKirchhoff from(const Constants& given) {
    return {LameParameters<Real>::from_engineering(given.youngs_modulus, given.poisson_ratio)};
  }

  LameParameters<Real> linear_moduli() const { return moduli; }

  template <typename T>
  T energy_density(const Matrix3<T>& F) const {
    const Matrix3<T> E = strain(F);
    const T trace = E.trace();
    return 0.5 * moduli.lambda * trace * trace + moduli.mu * E.cwiseProduct(E).sum();
  }

  /// P = F (lambda tr(E) I + 2 mu E)
  template <typename T>
  Matrix3<T> first_piola_stress(const Matrix3<T>& F) const {
    const Matrix3<T> E = strain(F);
    return F * (E * T(2.0 * moduli.mu)) + F * T(E.trace() * moduli.lambda);
  }

 private:
  template <typename T>
  static Matrix3<T> strain(const Matrix3<T>& F) {
    return (F.transpose() * F - Matrix3<T>::Identity()) * T(0.5);
  }
};

}  // namespace traction
