// Prescribed motions, of held vertices and of obstacles.
#pragma once

#include <optional>
#include <vector>

#include "math/tensor.h"

namespace traction {

// A rigid motion x(t) = about + R(axis, |angular_velocity| tau(t)) (x - about) + velocity tau(t), where tau' rises linearly from
// 0 to 1 over [start, start + ramp], stays 1, and is 0 again from `stop` on.
struct MotionSettings {
  Vec3 velocity = Vec3::Zero();          // [m/s]
  Vec3 angular_velocity = Vec3::Zero();  // [rad/s]
  Vec3 about = Vec3::Zero();             // [m]
  double start = 0;                      // [s]
  double ramp = 0;                       // [s]
  std::optional<double> stop;            // [s]
  bool operator==(const MotionSettings&) const = default;
};

// Motions one upon the other: each moves what those before it have made of x(0). None: rest.
using Motion = std::vector<MotionSettings>;

}  // namespace traction
