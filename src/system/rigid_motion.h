// A prescribed rigid motion, for driven vertices and moving obstacles.
#pragma once

#include "math/dual.h"
#include "math/tensor.h"
#include "system/motion_settings.h"

namespace traction {

// tau and tau' of MotionSettings.
double motion_progress(const MotionSettings& motion, double time);  // [s]
double motion_progress_rate(const MotionSettings& motion, double time);

// Where the motion has taken the frame at one moment; applies to points of any scalar.
struct Pose {
  Mat3 rotation = Mat3::Identity();
  Vec3 center = Vec3::Zero();            // where `about` is now
  Vec3 origin = Vec3::Zero();            // where `about` was at time 0
  Vec3 velocity = Vec3::Zero();          // [m/s] of `about`
  Vec3 angular_velocity = Vec3::Zero();  // [rad/s]

  Pose() = default;
  Pose(const MotionSettings& motion, double time);
  Pose(const Motion& motion, double time);

  // This pose moved on by another.
  Pose followed_by(const Pose& next) const;

  template <typename T>
  Vector3<T> to_world(const Vector3<T>& x) const {
    return center.cast<T>() + rotation.cast<T>() * (x - origin.cast<T>());
  }
  template <typename T>
  Vector3<T> to_rest(const Vector3<T>& x) const {
    return origin.cast<T>() + rotation.transpose().cast<T>() * (x - center.cast<T>());
  }
  // Velocity of the moving frame at the world point x.
  template <typename T>
  Vector3<T> velocity_at(const Vector3<T>& x) const {
    const Vector3<T> spin = angular_velocity.cast<T>();
    return velocity.cast<T>() + spin.cross(x - center.cast<T>());
  }
};

}  // namespace traction
