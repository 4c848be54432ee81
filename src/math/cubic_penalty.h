// The cubic contact penalty (docs/theory/contact.md, "Cubic penalty") and its stiffening (docs/theory/contact.md, "Stiffening").
#pragma once

#include "math/dual.h"

namespace traction {

/// b(x; delta, kappa) = -(kappa / delta) (x - delta)^3 for x < delta, else 0  [J], kappa in N/m.
template <typename T>
T cubic_penalty(const T& gap, double thickness, double stiffness) {
  if (real_part(gap) >= thickness) return T(0.0);
  const T depth = thickness - gap;
  return (stiffness / thickness) * (depth * depth * depth);
}

/// lambda = -b'(x) = (3 kappa / delta) (x - delta)^2 >= 0  [N]
template <typename T>
T cubic_penalty_force(const T& gap, double thickness, double stiffness) {
  if (real_part(gap) >= thickness) return T(0.0);
  const T depth = thickness - gap;
  return (3.0 * stiffness / thickness) * (depth * depth);
}

/// b'(d_deepest) / b'(delta/2) = ((d_deepest - delta) / (delta/2))^2: the factor that makes half the thickness carry the force found at the deepest point.
inline double stiffening_factor(double deepest_gap, double thickness) {
  const double ratio = (deepest_gap - thickness) / (0.5 * thickness);
  return ratio * ratio;
}

}  // namespace traction
