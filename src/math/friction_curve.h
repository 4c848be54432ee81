// Smooth friction as a function of sliding speed (docs/theory/friction.md, "Friction curve"): smoothed Coulomb curve s, Stribeck decay g, viscosity.
#pragma once

#include "math/dual.h"
#include "settings/declaration.h"

namespace traction {

/// The coefficients of smooth friction, and friction as a function of the sliding speed [m/s].
struct FrictionCurve {
  SETTING(double, dynamic, 0, "Coefficient μ_d of sliding friction.", non_negative, required("give the coefficient of sliding friction"));
  SETTING(double, static_, 0, "Largest coefficient μ_s, for Stribeck friction; not below dynamic.", key("static"), non_negative, default_is("dynamic"));
  SETTING(double, tolerance, 1e-3, "Sliding speed ε at which friction is fully developed; a block that Coulomb friction would hold creeps at up to ε.",
          unit("m/s"), positive);
  SETTING(double, stribeck_velocity, 1e-2, "Speed v_s above which friction is dynamic; larger than the tolerance.", unit("m/s"), default_is("10 tolerance"));
  SETTING(double, viscous, 0, "Drag μ_v per area in contact.", unit("N s/m^3"), non_negative);
};

/// s(v; epsilon) / v with s = 2v/epsilon - v^2/epsilon^2 for v < epsilon, else 1; finite at v = 0 (2/epsilon), without a division by the speed.
template <typename T>
T smoothed_coulomb_over_speed(const T& speed, double tolerance) {
  if (real_part(speed) < tolerance) return (2.0 - speed / tolerance) / tolerance;
  return T(1.0) / speed;
}

/// g(x) = (2x + 1)(x - 1)^2 for x < 1, else 0: a compact Gaussian, g(0) = 1.
template <typename T>
T compact_gaussian(const T& x) {
  if (real_part(x) >= 1.0) return T(0.0);
  const T y = x - 1.0;
  return (2.0 * x + 1.0) * (y * y);
}

/// g((v - epsilon) / (v_s - epsilon)), 1 up to epsilon: the remaining part of the difference between static and dynamic friction. It begins to fall, with zero
/// slope, where s has reached 1, so that the largest friction is the static one.
template <typename T>
T stribeck_decay(const FrictionCurve& curve, const T& speed) {
  if (real_part(speed) <= curve.tolerance) return T(1.0);
  return compact_gaussian<T>((speed - curve.tolerance) / (curve.stribeck_velocity - curve.tolerance));
}

/// c(v, lambda) / v  [N s/m], with c(v, lambda) = (mu_d + (mu_s - mu_d) g) s(v; epsilon) lambda + mu_v v, (F2): the friction force of a contact is -(c / v)
/// times its sliding velocity.
template <typename T>
T friction_over_speed(const FrictionCurve& curve, const T& speed, const T& normal_force) {
  const T coefficient = curve.dynamic + (curve.static_ - curve.dynamic) * stribeck_decay(curve, speed);
  return coefficient * smoothed_coulomb_over_speed(speed, curve.tolerance) * normal_force + curve.viscous;
}

}  // namespace traction
