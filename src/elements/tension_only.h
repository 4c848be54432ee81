// Smooth laws that act in tension only: powers of a strain that are zero where it is negative (docs/theory/balance.md, "Fibres").
#pragma once

#include "math/dual.h"
#include "math/where_below.h"

namespace traction {

/// Up to this strain a fibre or cord straightens. Beyond it the powers are exact.
inline constexpr double kToeStrain = 1e-3;

/// The strain relative to kToeStrain, at least 0.
template <typename Real>
Real in_toe(const Real& strain) {
  return where_below(strain, 0, Real(0.0), strain * (1 / kToeStrain));
}

/// x^2 for x >= w = kToeStrain, 0 for x <= 0, and w^2 (3 u^3 - 3 u^4 + u^5) with u = x / w between: twice continuously differentiable and convex.
template <typename Real>
Real tensile_square(const Real& x) {
  const Real u = in_toe(x);
  return where_below(x, kToeStrain, u * u * u * (3.0 - 3.0 * u + u * u) * (kToeStrain * kToeStrain), x * x);
}
/// Half the derivative of tensile_square: x for x >= w.
template <typename Real>
Real tensile_part(const Real& x) {
  const Real u = in_toe(x);
  return where_below(x, kToeStrain, u * u * (4.5 - 6.0 * u + 2.5 * u * u) * kToeStrain, x);
}
/// The derivative of tensile_part, never negative.
template <typename Real>
Real tensile_slope(const Real& x) {
  const Real u = in_toe(x);
  return where_below(x, kToeStrain, u * (9.0 - 18.0 * u + 10.0 * u * u), Real(1.0));
}

template <typename T, int N>
Dual<T, N> tensile_square(const Dual<T, N>& x) {
  return x.chain(tensile_square(x.value), tensile_part(x.value) * 2.0);
}
template <typename T, int N>
Dual<T, N> tensile_part(const Dual<T, N>& x) {
  return x.chain(tensile_part(x.value), tensile_slope(x.value));
}

}  // namespace traction
