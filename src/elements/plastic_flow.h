// Perfectly plastic flow (docs/theory/balance.md, "Plastic bending").
#pragma once

#include <cmath>

#include "math/dual.h"
#include "math/tensor.h"

namespace traction {

/// The part of an elastic strain beyond the yield surface, a ball of radius `yield`. Without this part the strain is the nearest one on that surface. It is
/// zero within the ball. The strain that remains is the gradient of the convex function |e|^2 / 2 within, yield |e| - yield^2 / 2 beyond.
template <typename T>
Vector3<T> beyond_yield(const Vector3<T>& strain, double yield) {
  using std::sqrt;
  const T square = strain.dot(strain);
  if (!(real_part(square) > yield * yield)) return {T(0.0), T(0.0), T(0.0)};
  return strain * T(T(1.0) - T(yield) / sqrt(square));
}

/// The derivative, with respect to the strain, of the strain that remains: the strain less beyond_yield().
inline Mat3 derivative_at_yield(const Vec3& strain, double yield) {
  const double length = strain.norm();
  if (!(length > yield)) return Mat3::Identity();
  return yield / length * (Mat3::Identity() - strain * strain.transpose() / (length * length));
}

}  // namespace traction
