// Smooth friction as a function of sliding speed (docs/theory/friction.md, "Friction curve"): smoothed Coulomb curve s, Stribeck decay g, viscosity.
#pragma once

#include "math/dual.h"

namespace traction {

struct FrictionCurve {
  double dynamic = 0;               // mu_d
  double static_ = 0;               // mu_s
  double tolerance = 1e-3;          // epsilon [m/s]: the speed at which sliding friction is fully developed
  double stribeck_velocity = 1e-2;  // v_s [m/s]: from here on friction is dynamic
  double viscous = 0;               // mu_v [N s/m] per vertex in contact
};

// s(v; epsilon) / v with s = 2v/epsilon - v^2/epsilon^2 for v < epsilon, else 1; finite at v = 0 (2/epsilon), so that the force needs no division by the speed.
template <typename T>
T smoothed_coulomb_over_speed(const T& speed, double tolerance) {
  if (real_part(speed) < tolerance) return (2.0 - speed / tolerance) / tolerance;
  return T(1.0) / speed;
}

// g(x) = (2x + 1)(x - 1)^2 for x < 1, else 0: a compact Gaussian, g(0) = 1.
template <typename T>
T compact_gaussian(const T& x) {
  if (real_part(x) >= 1.0) return T(0.0);
  const T y = x - 1.0;
  return (2.0 * x + 1.0) * (y * y);
}

// c(v, lambda) / v  [N s/m], with c(v, lambda) = (mu_d + (mu_s - mu_d) g(v / v_s)) s(v; epsilon) lambda + mu_v v, (F2): the friction force of a
// contact is -(c / v) times its sliding velocity.
template <typename T>
T friction_over_speed(const FrictionCurve& curve, const T& speed, const T& normal_force) {
  const T coefficient = curve.dynamic + (curve.static_ - curve.dynamic) * compact_gaussian<T>(speed / curve.stribeck_velocity);
  return coefficient * smoothed_coulomb_over_speed(speed, curve.tolerance) * normal_force + curve.viscous;
}

}  // namespace traction
