// The logarithmic contact barrier (docs/theory/contact.md, "Log barrier"), whose force grows without bound as the gap closes.
#pragma once

#include <cmath>
#include <limits>

#include "math/dual.h"

namespace traction {

/// kappa b(x; delta), b = -(x - delta)^2 ln(x / delta) for 0 < x < delta, 0 above  [J], kappa in N/m; NaN for gaps that are not positive.
template <typename T>
T log_barrier(const T& gap, double thickness, double stiffness) {
  using std::log;
  if (real_part(gap) >= thickness) return T(0.0);
  if (!(real_part(gap) > 0)) return T(std::numeric_limits<double>::quiet_NaN());
  const T depth = thickness - gap;
  return (-stiffness) * (depth * depth * log(gap * (1 / thickness)));
}

/// lambda = -kappa b'(x) = kappa ((x - delta)^2 / x - 2 (delta - x) ln(x / delta)) >= 0  [N]
template <typename T>
T log_barrier_force(const T& gap, double thickness, double stiffness) {
  using std::log;
  if (real_part(gap) >= thickness) return T(0.0);
  if (!(real_part(gap) > 0)) return T(std::numeric_limits<double>::quiet_NaN());
  const T depth = thickness - gap;
  return stiffness * (depth * depth / gap - 2.0 * depth * log(gap * (1 / thickness)));
}

}  // namespace traction
