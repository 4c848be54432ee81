// A prescribed rigid motion, for driven vertices and moving obstacles.
#pragma once

#include "math/dual.h"
#include "math/tensor.h"
#include "system/motion_settings.h"
#include "system/state.h"

namespace traction {

/// tau and tau' of MotionSettings.
double motion_progress(const MotionSettings& motion, double time);  ///< [s]
double motion_progress_rate(const MotionSettings& motion, double time);
/// tau'' up to this time: at a kink of the rate, the value before it; nothing where the rate jumps.
double motion_progress_acceleration(const MotionSettings& motion, double time);  ///< [1/s]

/// The position of the moving frame at one moment; applies to points of any scalar.
struct Pose {
  Mat3 rotation = Mat3::Identity();
  Vec3 center = Vec3::Zero();                ///< where `about` is now
  Vec3 origin = Vec3::Zero();                ///< where `about` was at time 0
  Vec3 velocity = Vec3::Zero();              ///< [m/s] of `about`
  Vec3 angular_velocity = Vec3::Zero();      ///< [rad/s]
  Mat3 velocity_gradient = Mat3::Zero();     ///< [1/s], that of the rotation
  Vec3 acceleration = Vec3::Zero();          ///< [m/s^2] of `about`
  Vec3 angular_acceleration = Vec3::Zero();  ///< [rad/s^2]

  Pose() = default;
  Pose(const MotionSettings& motion, double time);
  Pose(const Motion& motion, double time);
  /// The pose at a state's time, with the velocities that the state's have the kind of: mean velocities carry points from where the motion had them to where
  /// it has them now. Accelerations are those at the time.
  Pose(const Motion& motion, const State& state);

  /// This pose, moved further by another.
  Pose followed_by(const Pose& next) const;

  template <typename T>
  Vector3<T> to_world(const Vector3<T>& x) const {
    return center.cast<T>() + rotation.cast<T>() * (x - origin.cast<T>());
  }
  template <typename T>
  Vector3<T> to_rest(const Vector3<T>& x) const {
    return origin.cast<T>() + rotation.transpose().cast<T>() * (x - center.cast<T>());
  }
  /// Velocity of the moving frame at the world point x.
  template <typename T>
  Vector3<T> velocity_at(const Vector3<T>& x) const {
    return velocity.cast<T>() + velocity_gradient.cast<T>() * (x - center.cast<T>());
  }
  /// Acceleration of the moving frame at the world point x.
  Vec3 acceleration_at(const Vec3& x) const {
    const Vec3 arm = x - center;
    return acceleration + angular_acceleration.cross(arm) + angular_velocity.cross(angular_velocity.cross(arm));
  }
};

}  // namespace traction
