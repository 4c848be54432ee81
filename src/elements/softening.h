// Softening of rubber by its first stretch, the Mullins effect (Ogden and Roxburgh 1999; docs/theory/balance.md, "Softening").
#pragma once

#include <cmath>
#include <numbers>

#include "elements/solid_element.h"
#include "math/dual.h"
#include "math/pack.h"
#include "settings/declaration.h"
#include "settings/given.h"

namespace traction {

/// Softening of rubber: settings.
struct SofteningSettings {
  static constexpr SettingsDescription kDescription{
      "mullins",
      "Softening of rubber below the largest energy that it has borne (Ogden and Roxburgh 1999), for laws of rubber: the stress of the change of "
      "shape is multiplied by 1 - erf((W_max - W) / (m + beta W_max)) / r."};
  SETTING(double, r, 1, "The most that is lost of the stress is 1 / r.", at_least(1), required("give a number of at least 1"));
  SETTING(double, m, 0, "Energy density.", unit("J/m^3"), non_negative);
  SETTING(double, beta, 0, "Factor on the largest energy density so far.", non_negative);

  void complete(const Given& given) const {
    if (m == 0 && beta == 0) given.fail({}, "has neither m nor beta; give one of them, above zero");
  }
};

/// erf(x) for x > 0, else 0, and its derivative.
inline double positive_erf(double x) { return x > 0 ? std::erf(x) : 0; }
inline double positive_erf_slope(double x) { return x > 0 ? 2 * std::numbers::inv_sqrtpi * std::exp(-x * x) : 0; }
inline Pack positive_erf(const Pack& x) {
  Pack result;
  for (int lane = 0; lane < kPackWidth; ++lane) result.set(lane, positive_erf(x[lane]));
  return result;
}
inline Pack positive_erf_slope(const Pack& x) {
  Pack result;
  for (int lane = 0; lane < kPackWidth; ++lane) result.set(lane, positive_erf_slope(x[lane]));
  return result;
}
template <typename T, int N>
Dual<T, N> positive_erf(const Dual<T, N>& x) {
  return x.chain(positive_erf(x.value), positive_erf_slope(x.value));
}

/// The integral of erf from 0 to x >= 0.
inline double integral_of_erf(double x) { return x * std::erf(x) + std::expm1(-x * x) * std::numbers::inv_sqrtpi; }

/// The part that softening adds to a law of rubber without a bulk modulus, whose energy density was at most `peak` so far. All members are Reals.
template <template <typename> typename Material, typename Real>
struct SofteningLaw {
  Material<Real> shape;
  Real r, m, beta;
  Real peak;  ///< W_max of accepted states [J/m^3]

  /// (eta - 1) dW/dF, which is 0 where the energy is larger than ever before.
  template <typename T>
  Matrix3<T> first_piola_stress(const Matrix3<T>& F) const {
    const T below = (T(peak) - shape.template energy_density<T>(F)) * Real(Real(1.0) / (m + beta * peak + 1e-300));
    return shape.template first_piola_stress<T>(F) * T(positive_erf(below) * Real(Real(-1.0) / r));
  }
};

/// The energies of one element of such a law [J/m^3].
struct SofteningEnergy {
  double r, m, beta;

  /// The energy that softening has dissipated if the largest energy density was `peak`.
  double dissipated(double peak) const { return width(peak) / r * integral_of_erf(peak / width(peak)); }
  /// The part that softening adds to the energy that the solid gives back, in a state with the energy density W, if the largest one so far is `peak` >= W.
  double stored(double W, double peak) const { return width(peak) / r * integral_of_erf((peak - W) / width(peak)) - dissipated(peak); }

  /// 1 - eta
  double lost_part(double W, double peak) const { return positive_erf((peak - W) / width(peak)) / r; }

 private:
  double width(double peak) const { return m + beta * peak + 1e-300; }
};

}  // namespace traction
