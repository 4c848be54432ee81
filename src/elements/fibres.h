// Families of fibres in solids, which act beside the law of the solid (docs/theory/balance.md, "Fibres").
#pragma once

#include <array>
#include <cmath>

#include "elements/lame_parameters.h"
#include "elements/material_direction.h"
#include "elements/tension_only.h"
#include "math/tensor.h"

namespace traction {

/// A family of fibres of a solid: settings.
struct FibreSettings : MaterialDirection {
  static constexpr SettingsDescription kDescription{
      "fibres", "A family of fibres (Gasser, Ogden and Holzapfel 2006), which acts in tension only, beside the law of the material.", kRules};
  SETTINGS_OF(MaterialDirection);
  SETTING(double, stiffness, 0, "Constant k1: where fibres are aligned and little stretched, their stress is 4 k1 times the strain.", unit("Pa"), positive,
          required("give the constant k1 in Pa"));
  SETTING(double, exponent, 0, "Constant k2, by which fibres stiffen; with 0 their stress is proportional to the strain E.", non_negative);
  SETTING(double, dispersion, 0, "Constant kappa: 0 where all fibres are aligned, 1/3 where they have all directions alike.", at_least(0), at_most(1.0 / 3));
};

/// W = k1/(2 k2) (exp(k2 <E>^2) - 1) with E = kappa (I1 - 3) + (1 - 3 kappa) (I4 - 1), I1 = tr(F^T F), I4 = |F a|^2, <E>^2 = tensile_square(E). It has what
/// forces need of a material (elements/elasticity.h).
template <typename Real>
struct FibreFamily {
  std::array<Real, 3> direction;  ///< a at rest, a unit vector
  Real stiffness;                 ///< k1 [Pa]
  Real exponent;                  ///< k2
  Real dispersion;                ///< kappa

  static FibreFamily from(const FibreSettings& given, const Vec3& direction) {
    return {{direction.x(), direction.y(), direction.z()}, given.stiffness, given.exponent, given.dispersion};
  }

  /// The deformed direction of the fibres, F a.
  template <typename T>
  Vector3<T> deformed(const Matrix3<T>& F) const {
    Vector3<T> result;
    for (int i = 0; i < 3; ++i) result[i] = F(i, 0) * direction[0] + F(i, 1) * direction[1] + F(i, 2) * direction[2];
    return result;
  }

  template <typename T>
  T energy_density(const Matrix3<T>& F) const {
    const T square = tensile_square(strain(F));
    return square * (0.5 * stiffness) * mean_of_exponential(square * exponent);
  }

  template <typename T>
  Matrix3<T> first_piola_stress(const Matrix3<T>& F) const {
    using std::exp;
    const T E = strain(F);
    const T slope = tensile_part(E) * exp(tensile_square(E) * exponent) * (2.0 * stiffness);  // 2 dW/dE
    const T around = slope * dispersion, along = slope * Real(1.0 - 3.0 * dispersion);
    const Vector3<T> d = deformed(F);
    Matrix3<T> stress;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) stress(i, j) = around * F(i, j) + along * d[i] * direction[j];
    return stress;
  }

 private:
  /// E, summed so that it is exactly 0 at rest.
  template <typename T>
  T strain(const Matrix3<T>& F) const {
    T first(-3.0);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) first += F(i, j) * F(i, j);
    const Vector3<T> d = deformed(F);
    const T fourth = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] - 1.0;
    return first * dispersion + fourth * Real(1.0 - 3.0 * dispersion);
  }
  /// (exp(z) - 1) / z for z >= 0, by a series where the difference would lose digits.
  static Real mean_of_exponential(const Real& z) {
    using std::exp;
    constexpr double kSmall = 1e-2;
    const Real series = 1.0 + z * 0.5 * (1.0 + z * (1.0 / 3) * (1.0 + z * 0.25 * (1.0 + z * 0.2 * (1.0 + z * (1.0 / 6)))));
    return where_below(z, kSmall, series, (exp(z) - 1.0) / (z + 1e-300));
  }
};

}  // namespace traction
