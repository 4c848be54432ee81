// The Ogden material, W = sum_p mu_p / alpha_p (l1^alpha_p + l2^alpha_p + l3^alpha_p - 3) + U(J) in the principal stretches without change of volume
// (docs/theory/balance.md, "Laws of rubber").
#pragma once

#include <array>
#include <cmath>
#include <string_view>

#include "elements/isochoric.h"
#include "elements/volumetric_law.h"
#include "math/symmetric_power.h"

namespace traction {

/// Rubber as a sum of powers of the principal stretches.
template <typename Real>
struct Ogden {
  static constexpr std::string_view name = "ogden";
  static constexpr std::string_view sentence =
      "Rubber to any stretch: a sum of powers of the principal stretches. It takes several times the time of the others.";
  static constexpr std::array<std::string_view, 2> constants = {"shear_moduli", "exponents"};
  static constexpr std::size_t kMostTerms = 6;

  std::array<Real, kMostTerms> shear_moduli;  ///< mu_p [Pa]; 0 behind the last term
  std::array<Real, kMostTerms> exponents;     ///< alpha_p; 2 behind the last term
  Real bulk;                                  ///< [Pa]

  template <typename Constants>
  static Ogden from(const Constants& given) {
    Ogden result;
    result.shear_moduli.fill(0);
    result.exponents.fill(2);
    for (std::size_t p = 0; p < given.exponents.size(); ++p) {
      result.shear_moduli[p] = given.shear_moduli[p];
      result.exponents[p] = given.exponents[p];
    }
    result.bulk = given.bulk_modulus_for(result.shear_modulus());
    return result;
  }

  /// For small strains: sum_p mu_p alpha_p / 2 [Pa].
  Real shear_modulus() const {
    Real sum(0.0);
    for (std::size_t p = 0; p < kMostTerms; ++p) sum += shear_moduli[p] * exponents[p] * 0.5;
    return sum;
  }
  LameParameters<Real> linear_moduli() const { return moduli_of<Real>(bulk, shear_modulus()); }
  VolumetricLaw take_volumetric_part(double share = kKeptBulk) { return take_from_bulk(bulk, shear_modulus(), share); }

  /// T is Real, or dual numbers of one level, because the directions of the principal stretches are found for the real part.
  template <typename T>
  T energy_density(const Matrix3<T>& F) const {
    using std::exp;
    using std::log;
    const SymmetricPower<T, Real> C(F.transpose() * F);
    const T J = cofactor_and_determinant(F).second, log_J = log(J);
    T sum = volumetric_energy(bulk, J);
    for (std::size_t p = 0; p < kMostTerms; ++p) {
      if (is_zero(shear_moduli[p])) continue;
      const T shrink = exp(log_J * (exponents[p] * (-1.0 / 3.0)));
      sum += (C.trace_of_power(exponents[p] * 0.5) * shrink - 3.0) * (shear_moduli[p] / exponents[p]);
    }
    return sum;
  }

  /// P = sum_p mu_p J^(-alpha_p / 3) (F C^(alpha_p / 2 - 1) - tr(C^(alpha_p / 2)) / 3 F^-T) + J dU/dJ F^-T
  template <typename T>
  Matrix3<T> first_piola_stress(const Matrix3<T>& F) const {
    using std::exp;
    using std::log;
    const SymmetricPower<T, Real> C(F.transpose() * F);
    const auto [cofactor, J] = cofactor_and_determinant(F);
    const T log_J = log(J);
    T pressure = volumetric_stress(bulk, J);
    Matrix3<T> second = Matrix3<T>::Constant(T(0.0));
    for (std::size_t p = 0; p < kMostTerms; ++p) {
      if (is_zero(shear_moduli[p])) continue;
      const T weight = exp(log_J * (exponents[p] * (-1.0 / 3.0))) * shear_moduli[p];
      second += C.power(exponents[p] * 0.5 - 1.0) * weight;
      pressure -= C.trace_of_power(exponents[p] * 0.5) * weight * (1.0 / 3.0);
    }
    return F * second + cofactor * T(pressure / J);
  }
};

}  // namespace traction
