// The Mooney-Rivlin material, W = c10 (I1 - 3) + c01 (I2 - 3) + U(J) in the invariants without change of volume (docs/theory/balance.md, "Laws of rubber").
#pragma once

#include <array>
#include <string_view>

#include "elements/isochoric.h"
#include "elements/volumetric_law.h"

namespace traction {

/// Rubber with two constants.
template <typename Real>
struct MooneyRivlin {
  static constexpr std::string_view name = "mooney_rivlin";
  static constexpr std::string_view sentence = "Rubber up to stretches of about 2: two constants.";
  static constexpr std::array<std::string_view, 2> constants = {"c10", "c01"};

  Real c10, c01, bulk;  ///< [Pa]

  template <typename Constants>
  static MooneyRivlin from(const Constants& given) {
    return {*given.c10, *given.c01, given.bulk_modulus_for(2 * (*given.c10 + *given.c01))};
  }

  LameParameters<Real> linear_moduli() const { return moduli_of<Real>(bulk, (c10 + c01) * 2.0); }
  VolumetricLaw take_volumetric_part(double share = kKeptBulk) { return take_from_bulk(bulk, 2 * (c10 + c01), share); }

  template <typename T>
  T energy_density(const Matrix3<T>& F) const {
    const IsochoricInvariants<T> at(F);
    return (at.first - 3.0) * c10 + (at.second - 3.0) * c01 + volumetric_energy(bulk, at.determinant);
  }
  template <typename T>
  Matrix3<T> first_piola_stress(const Matrix3<T>& F) const {
    const IsochoricInvariants<T> at(F);
    return at.first_piola_stress(T(c10), T(c01), volumetric_stress(bulk, at.determinant));
  }
};

}  // namespace traction
