// The linear elastic material, W = lambda/2 tr(e)^2 + mu e:e: Hooke's law in the small strain e = (F + F^T)/2 - I.
#pragma once

#include <array>
#include <string_view>

#include "elements/lame_parameters.h"
#include "math/tensor.h"

namespace traction {

/// Valid for small strains and small rotations: forces are linear in displacements, so that a static state without contact is found in one iteration. A
/// rotation by the angle a about an axis appears as a strain of cos(a) - 1 across it, and is resisted. W is finite for volumes of zero and below.
template <typename Real>
struct LinearElastic {
  static constexpr std::string_view name = "linear_elastic";
  static constexpr std::string_view sentence = "Small strains and small rotations.";
  static constexpr std::array<std::string_view, 2> constants = {"youngs_modulus", "poisson_ratio"};

  LameParameters<Real> moduli;

  template <typename Constants>
  static LinearElastic from(const Constants& given) {
    return {LameParameters<Real>::from_engineering(given.youngs_modulus, given.poisson_ratio)};
  }

  LameParameters<Real> linear_moduli() const { return moduli; }

  template <typename T>
  T energy_density(const Matrix3<T>& F) const {
    const Matrix3<T> e = strain(F);
    const T trace = e.trace();
    return 0.5 * moduli.lambda * trace * trace + moduli.mu * e.cwiseProduct(e).sum();
  }

  /// P = lambda tr(e) I + 2 mu e
  template <typename T>
  Matrix3<T> first_piola_stress(const Matrix3<T>& F) const {
    const Matrix3<T> e = strain(F);
    return e * T(2.0 * moduli.mu) + Matrix3<T>::Identity() * T(e.trace() * moduli.lambda);
  }

 private:
  template <typename T>
  static Matrix3<T> strain(const Matrix3<T>& F) {
    return (F + F.transpose()) * T(0.5) - Matrix3<T>::Identity();
  }
};

}  // namespace traction
