// The Arruda-Boyce material: eight chains of finite length along the diagonals of a cube, by five terms of the series for their energy (docs/theory/balance.md,
// "Laws of rubber").
#pragma once

#include <array>
#include <string_view>

#include "elements/isochoric.h"
#include "elements/volumetric_law.h"

namespace traction {

/// W = m sum_i C_i (I1^i - 3^i) / L^(2 i - 2) + U(J), with m such that the shear modulus for small strains is the one that is given.
template <typename Real>
struct ArrudaBoyce {
  static constexpr std::string_view name = "arruda_boyce";
  static constexpr std::string_view sentence = "Rubber whose chains lock at a limiting stretch: two constants for all kinds of loading.";
  static constexpr std::array<std::string_view, 2> constants = {"shear_modulus", "locking_stretch"};

  Real shear_modulus;   ///< for small strains [Pa]
  Real inverse_square;  ///< 1 / L^2, L the stretch at which chains lock
  Real bulk;            ///< [Pa]

  template <typename Constants>
  static ArrudaBoyce from(const Constants& given) {
    return {*given.shear_modulus, 1 / (*given.locking_stretch * *given.locking_stretch), given.bulk_modulus_for(*given.shear_modulus)};
  }

  LameParameters<Real> linear_moduli() const { return moduli_of<Real>(bulk, shear_modulus); }
  VolumetricLaw take_volumetric_part(double share = kKeptBulk) { return take_from_bulk(bulk, shear_modulus, share); }

  template <typename T>
  T energy_density(const Matrix3<T>& F) const {
    const IsochoricInvariants<T> at(F);
    T sum(0.0), power = at.first;
    Real scale = modulus();
    double rest = 3;
    for (const double coefficient : kSeries) {
      sum += (power - rest) * (scale * coefficient);
      power = power * at.first;
      scale = scale * inverse_square;
      rest *= 3;
    }
    return sum + volumetric_energy(bulk, at.determinant);
  }
  template <typename T>
  Matrix3<T> first_piola_stress(const Matrix3<T>& F) const {
    const IsochoricInvariants<T> at(F);
    return at.first_piola_stress(slope(at.first) * modulus(), T(0.0), volumetric_stress(bulk, at.determinant));
  }

 private:
  static constexpr std::array kSeries = {1.0 / 2, 1.0 / 20, 11.0 / 1050, 19.0 / 7000, 519.0 / 673750};

  /// sum_i C_i i I1^(i-1) / L^(2 i - 2)
  template <typename T>
  T slope(const T& first) const {
    const T x = first * inverse_square;
    T sum(0.0);
    for (int i = 5; i >= 1; --i) sum = sum * x + kSeries[i - 1] * i;
    return sum;
  }
  Real modulus() const { return shear_modulus / (2.0 * slope(Real(3.0))); }
};

}  // namespace traction
