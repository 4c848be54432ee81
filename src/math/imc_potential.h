// The contact potential of rods of P3 (docs/theory/rods.md, "The potential of P3"), which is finite at any overlap.
#pragma once

#include <algorithm>
#include <cmath>

#include "math/dual.h"

namespace traction {

/// 1 / (1 + e^-y), for any y without overflow.
inline double logistic(double y) {
  const double small = std::exp(-std::abs(y));
  return (y < 0 ? small : 1.0) / (1 + small);
}
template <typename T, int N>
Dual<T, N> logistic(const Dual<T, N>& y) {
  const T value = logistic(y.value);
  return y.chain(value, value * logistic(-y.value));
}

/// ln(1 + e^y), for any y without overflow.
inline double soft_plus(double y) { return std::max(y, 0.0) + std::log1p(std::exp(-std::abs(y))); }
template <typename T, int N>
Dual<T, N> soft_plus(const Dual<T, N>& y) {
  return y.chain(soft_plus(y.value), logistic(y.value));
}

/// Falls smoothly, with two continuous derivatives, from 1 at half the thickness to 0 at the whole.
template <typename T>
T imc_fading(const T& gap, double thickness) {
  const T s = gap * (2 / thickness) - 1.0;
  return real_part(s) <= 0 ? T(1.0) : real_part(s) >= 1 ? T(0.0) : 1.0 - s * s * s * (10.0 - s * (15.0 - 6.0 * s));
}
template <typename T>
T imc_fading_slope(const T& gap, double thickness) {  // [1/m]
  const T s = gap * (2 / thickness) - 1.0;
  if (real_part(s) <= 0 || real_part(s) >= 1) return T(0.0);
  const T both = s * (1.0 - s);
  return (-60 / thickness) * (both * both);
}

/// 6 kappa delta l ln(1 + e^(-x / l)) for x < delta / 2, faded out up to delta  [J], kappa in N/m. `width`: l = h / c [m]. P3 Eq. 21 with k_c = 6 kappa delta.
template <typename T>
T imc_potential(const T& gap, double thickness, double stiffness, double width) {
  if (real_part(gap) >= thickness) return T(0.0);
  return (6 * stiffness * thickness * width) * (soft_plus(gap * (-1 / width)) * imc_fading(gap, thickness));
}

/// Minus its derivative: 6 kappa delta / (1 + e^(x / l)) for x < delta / 2, so that it is 3 kappa delta at zero gap, as the cubic penalty's  [N]
template <typename T>
T imc_potential_force(const T& gap, double thickness, double stiffness, double width) {
  if (real_part(gap) >= thickness) return T(0.0);
  const T y = gap * (-1 / width);
  return (6 * stiffness * thickness) * (logistic(y) * imc_fading(gap, thickness) - width * (soft_plus(y) * imc_fading_slope(gap, thickness)));
}

}  // namespace traction
