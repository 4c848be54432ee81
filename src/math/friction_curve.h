// Smooth friction as a function of sliding speed and pressure (docs/theory/friction.md, "Friction curve"): smoothed Coulomb curve s, Stribeck or exponential
// decay or a table, viscosity.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "math/dual.h"
#include "math/friction_table.h"
#include "settings/declaration.h"

namespace traction {

/// The coefficients of smooth friction as a function of the sliding speed [m/s], and of the pressure if they come from a table.
struct FrictionCurve {
  static constexpr double kStribeckTolerances = 10;  ///< the default of stribeck_velocity
  SETTING(double, dynamic, 0, "Coefficient μ_d of sliding friction.", non_negative,
          required_unless("table", "give the coefficient of sliding friction, or a table of it"), written_if(!self.table));
  SETTING(double, static_, 0, "Largest coefficient μ_s, which decays to the dynamic one; not below it.", key("static"), non_negative, default_is("dynamic"),
          written_if(self.has_own_static()));
  SETTING(double, tolerance, 1e-3, "Sliding speed ε at which friction is fully developed; a block that Coulomb friction would hold creeps at up to ε.",
          unit("m/s"), positive);
  SETTING(double, stribeck_velocity, 1e-2, "Speed v_s above which friction is dynamic; larger than the tolerance.", unit("m/s"), default_is("10 tolerance"),
          written_if(!self.decay_velocity && self.has_own_static()));
  SETTING(double, viscous, 0, "Drag μ_v per area in contact.", unit("N s/m^3"), non_negative);
  SETTING(
      std::optional<double>, decay_velocity, {},
      "Speed v_c of the exponential decay μ_d + (μ_s - μ_d) exp(-v / v_c), in place of that over the Stribeck velocity; larger than the tolerance. Abaqus's "
      "decay coefficient is 1 / v_c.",
      unit("m/s"), positive);
  SETTING(std::optional<FrictionTable>, table, {}, "");

  /// Whether the static coefficient was chosen independently of the dynamic one, so that it stays if the dynamic one changes.
  bool has_own_static() const { return !table && (static_ != dynamic || decay_velocity || stribeck_velocity != kStribeckTolerances * tolerance); }
  bool is_special() const { return table || decay_velocity; }  ///< whether the curve differs from the smoothed one of Coulomb and Stribeck
  /// The largest coefficient at any speed and pressure.
  double largest_coefficient() const { return table ? table->largest() : std::max(dynamic, static_); }
};

/// The friction of one place: its curve, and the numbers that depend on the size of the place. Refers to the curve. By default it is that of unit area.
struct LocalFriction {
  const FrictionCurve& curve;
  double viscous;             ///< mu_v times the area [N s/m]
  double pressure_per_force;  ///< inverse of the area under which the normal force acts [1/m^2]

  LocalFriction(const FrictionCurve& curve_) : LocalFriction(curve_, curve_.viscous, 1) {}
  LocalFriction(const FrictionCurve& curve_, double viscous_, double pressure_per_force_)
      : curve(curve_), viscous(viscous_), pressure_per_force(pressure_per_force_) {}
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

/// The coefficient of a curve with a table or an exponential decay. It is not inlined, so that it does not slow down the other curves.
template <typename T>
[[gnu::noinline]] T special_coefficient(const LocalFriction& friction, const T& speed, const T& normal_force) {
  using std::exp;
  const FrictionCurve& curve = friction.curve;
  if (curve.table) return curve.table->at<T>(speed, normal_force * friction.pressure_per_force);
  return curve.dynamic + (curve.static_ - curve.dynamic) * exp(speed * (-1 / *curve.decay_velocity));
}

/// The coefficient mu(v, p) of friction at a sliding speed, before s smooths it at rest. Its derivative by the normal force is that by the pressure.
template <typename T>
T friction_coefficient(const LocalFriction& friction, const T& speed, const T& normal_force) {
  const FrictionCurve& curve = friction.curve;
  if (curve.is_special()) return special_coefficient<T>(friction, speed, normal_force);
  return curve.dynamic + (curve.static_ - curve.dynamic) * stribeck_decay(curve, speed);
}

/// c(v, lambda) / v  [N s/m], with c(v, lambda) = mu(v, p) s(v; epsilon) lambda + mu_v v, (F2): the friction force of a contact is -(c / v) times its sliding
/// velocity.
template <typename T>
T friction_over_speed(const LocalFriction& friction, const T& speed, const T& normal_force) {
  return friction_coefficient<T>(friction, speed, normal_force) * smoothed_coulomb_over_speed(speed, friction.curve.tolerance) * normal_force +
         friction.viscous;
}

}  // namespace traction
