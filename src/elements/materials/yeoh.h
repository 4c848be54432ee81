// The Yeoh material, W = c10 (I1 - 3) + c20 (I1 - 3)^2 + c30 (I1 - 3)^3 + U(J) in the first invariant without change of volume (docs/theory/balance.md, "Laws
// of rubber").
#pragma once

#include <array>
#include <string_view>

#include "elements/isochoric.h"
#include "elements/volumetric_law.h"

namespace traction {

/// Rubber whose energy is a polynomial of the first invariant.
template <typename Real>
struct Yeoh {
  static constexpr std::string_view name = "yeoh";
  static constexpr std::string_view sentence = "Filled rubber to large stretches: softens, then stiffens.";
  static constexpr std::array<std::string_view, 3> constants = {"c10", "c20", "c30"};

  Real c10, c20, c30, bulk;  ///< [Pa]

  template <typename Constants>
  static Yeoh from(const Constants& given) {
    return {*given.c10, *given.c20, *given.c30, given.bulk_modulus_for(2 * *given.c10)};
  }

  LameParameters<Real> linear_moduli() const { return moduli_of<Real>(bulk, c10 * 2.0); }
  VolumetricLaw take_volumetric_part(double share = kKeptBulk) { return take_from_bulk(bulk, 2 * c10, share); }

  template <typename T>
  T energy_density(const Matrix3<T>& F) const {
    const IsochoricInvariants<T> at(F);
    const T stretched = at.first - 3.0;
    return ((stretched * c30 + T(c20)) * stretched + T(c10)) * stretched + volumetric_energy(bulk, at.determinant);
  }
  template <typename T>
  Matrix3<T> first_piola_stress(const Matrix3<T>& F) const {
    const IsochoricInvariants<T> at(F);
    const T stretched = at.first - 3.0;
    const T slope = (stretched * (3.0 * c30) + T(2.0 * c20)) * stretched + T(c10);
    return at.first_piola_stress(slope, T(0.0), volumetric_stress(bulk, at.determinant));
  }
};

}  // namespace traction
