// Settings of prescribed motions, of driven vertices and of obstacles.
#pragma once

#include <optional>
#include <vector>

#include "math/tensor.h"
#include "settings/declaration.h"
#include "settings/given.h"

namespace traction {

/// A rigid motion x(t) = about + R(axis, |angular_velocity| tau(t)) (x - about) + velocity tau(t), where tau' rises linearly from
/// 0 to 1 over [start, start + ramp], stays 1, and is 0 again from `stop` on.
struct MotionSettings {
  static constexpr SettingsDescription kDescription{"motion",
                                                    "A rigid motion x(t) = about + R(angular_velocity τ(t)) (x - about) + velocity τ(t), where τ' rises from 0 "
                                                    "to 1 over [start, start + ramp] and is 0 again "
                                                    "from stop on."};
  SETTING(Vec3, velocity, Vec3::Zero(), "Velocity.", unit("m/s"));
  SETTING(Vec3, angular_velocity, Vec3::Zero(), "Angular velocity.", unit("rad/s"));
  SETTING(Vec3, about, Vec3::Zero(), "Centre of the rotation.", unit("m"));
  SETTING(double, start, 0, "Start.", unit("s"), non_negative);
  SETTING(double, ramp, 0, "Duration over which the motion gets up to speed.", unit("s"), non_negative);
  SETTING(std::optional<double>, stop, {}, "Time at which the motion ends; without it the motion continues.", unit("s"));
  bool operator==(const MotionSettings&) const = default;

  void complete(const Given& given) const {
    if (stop && *stop <= start) given.fail("stop", "must come after 'start', found " + given.text("stop") + "; give a later time");
  }
};

/// A sequence of motions, each of which moves the result of the ones before it. Empty: rest.
using Motion = std::vector<MotionSettings>;

}  // namespace traction
