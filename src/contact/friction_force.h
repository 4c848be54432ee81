// The force of friction against a sliding velocity, over any scalar, the same in all directions or not (docs/theory/friction.md, "Friction curve",
// "Anisotropic friction").
#pragma once

#include <algorithm>
#include <cmath>

#include "contact/contact_settings.h"
#include "math/dual.h"
#include "math/friction_curve.h"
#include "math/tensor.h"

namespace traction {

/// Drops derivatives: treats x as constant in the Jacobian product.
template <typename T>
Vector3<T> frozen(const Vector3<T>& x) {
  return Vector3<T>(T(real_part(x[0])), T(real_part(x[1])), T(real_part(x[2])));
}
template <typename T>
Vec3 real_part(const Vector3<T>& x) {
  return Vec3(real_part(x[0]), real_part(x[1]), real_part(x[2]));
}

/// sqrt(square), without a derivative at 0. Friction is smooth in the sliding velocity, so at rest the derivative of the speed does not matter.
template <typename T>
T root_or_zero(const T& square) {
  using std::sqrt;
  return real_part(square) > 0 ? T(sqrt(square)) : T(0.0);
}

/// Friction against a sliding velocity (docs/theory/friction.md, (F2)), under a normal force of the given size.
template <typename T>
Vector3<T> friction_force(const LocalFriction& friction, const Vector3<T>& sliding, const T& normal_force) {
  const T speed = root_or_zero<T>(sliding.squaredNorm());
  return sliding * (-friction_over_speed(friction, speed, normal_force));
}

/// The same force with a modified derivative: where friction over speed changes, `direction` replaces the direction of sliding s/|s| (see FrictionDirections).
template <typename T>
Vector3<T> friction_force(const LocalFriction& friction, const Vector3<T>& sliding, const T& normal_force, const Vec3& direction) {
  const Vec3 s = real_part(sliding);
  const double speed = s.norm();
  const Vector3<T> resisted = sliding * (-friction_over_speed(friction, T(speed), normal_force));
  if (speed == 0) return resisted;
  const double slope = friction_over_speed(friction, make_dual(speed, 1), Dual<double>(real_part(normal_force))).derivative[0];
  const T change = (sliding - s.cast<T>()).dot(Vec3(s * slope).cast<T>());  // change of friction over speed, times the speed; its value is 0
  return resisted - direction.cast<T>() * change;
}

/// Friction that differs along and across a direction of the surface: the metric B = M M of sliding velocities in the plane of contact
/// (docs/theory/friction.md, (F11)).
template <typename T>
struct SlidingMetric {
  double across_squared, difference;  ///< the square of the factor across, and the difference of the squares along and across
  T per_square;                       ///< 1 / |t|^2, less where the direction is nearly normal to the surface
  Vector3<T> t;                       ///< the direction's part in the plane of contact

  SlidingMetric(const AnisotropySettings& factors, const Vector3<T>& in_plane)
      : across_squared(factors.across * factors.across),
        difference(factors.along * factors.along - across_squared),
        per_square(smoothed_coulomb_over_speed<T>(in_plane.squaredNorm(), kSteepest)),
        t(in_plane) {}

  Vector3<T> operator()(const Vector3<T>& s) const { return s * across_squared + t * (t.dot(s) * per_square * difference); }

 private:
  static constexpr double kSteepest = 0.03;  // sin^2 of 10 degrees: nearer to the normal, the direction fades out
};

/// Anisotropic friction, by the associated sliding rule -mu B s / |M s| (Mroz and Stupkiewicz 1994). `in_plane`: the part of the direction in the plane of
/// contact.
template <typename T>
[[gnu::noinline]] Vector3<T> friction_force(const LocalFriction& friction, const AnisotropySettings& factors, const Vector3<T>& in_plane,
                                            const Vector3<T>& sliding, const T& normal_force) {
  const Vector3<T> turned = SlidingMetric<T>(factors, in_plane)(sliding);
  const T speed = root_or_zero<T>(sliding.squaredNorm()), weighted = root_or_zero<T>(sliding.dot(turned));
  const T resistance =
      friction_coefficient<T>(friction, speed, normal_force) * smoothed_coulomb_over_speed(weighted, factors.tolerance(friction.curve)) * normal_force;
  return -(turned * resistance) - sliding * friction.viscous;
}

/// The same with a modified derivative, as for isotropic friction.
template <typename T>
[[gnu::noinline]] Vector3<T> friction_force(const LocalFriction& friction, const AnisotropySettings& factors, const Vector3<T>& in_plane,
                                            const Vector3<T>& sliding, const T& normal_force, const Vec3& direction) {
  const Vector3<T> turned = SlidingMetric<T>(factors, in_plane)(sliding);
  const Vec3 s = real_part(sliding), b = real_part(turned);
  const double speed = s.norm(), weighted = std::sqrt(std::max(s.dot(b), 0.0)), tolerance = factors.tolerance(friction.curve);
  const T coefficient = friction_coefficient<T>(friction, T(speed), normal_force);
  const Vector3<T> resisted = -(turned * (coefficient * normal_force * smoothed_coulomb_over_speed(weighted, tolerance))) - sliding * friction.viscous;
  if (!(weighted > 0)) return resisted;
  const double force = real_part(normal_force);
  const double by_speed =
      friction_coefficient(friction, make_dual(speed, 1), Dual<double>(force)).derivative[0] * smoothed_coulomb_over_speed(weighted, tolerance) * force;
  const double by_weighted = real_part(coefficient) * smoothed_coulomb_over_speed(make_dual(weighted, 1), tolerance).derivative[0] * force * speed / weighted;
  // The speed times its change, and |M s| times its change. Their values are 0; only their derivatives matter.
  const T faster = (sliding - s.cast<T>()).dot(s.cast<T>()), heavier = (sliding.dot(turned) - s.dot(b)) * 0.5;
  const Vec3 along = real_part(SlidingMetric<double>(factors, real_part(in_plane))(direction));
  return resisted - along.cast<T>() * (faster * by_speed + heavier * by_weighted);
}

}  // namespace traction
