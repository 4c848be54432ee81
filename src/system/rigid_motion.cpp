#include "system/rigid_motion.h"

#include <algorithm>

namespace traction {

namespace {

Mat3 spin_matrix(const Vec3& spin) {
  Mat3 result;
  result << 0, -spin.z(), spin.y(), spin.z(), 0, -spin.x(), -spin.y(), spin.x(), 0;
  return result;
}

}  // namespace

double motion_progress(const MotionSettings& motion, double time) {
  const double t = std::min(time, motion.stop.value_or(time)) - motion.start;
  if (t <= 0) return 0;
  if (t < motion.ramp) return 0.5 * t * t / motion.ramp;
  return t - 0.5 * motion.ramp;
}

double motion_progress_rate(const MotionSettings& motion, double time) {
  const double t = time - motion.start;
  if (t < 0 || time >= motion.stop.value_or(time + 1)) return 0;
  return t < motion.ramp ? t / motion.ramp : 1;
}

double motion_progress_acceleration(const MotionSettings& motion, double time) {
  const double rounding = 1e-9 * motion.ramp;  // rounding error of times, which are sums of steps
  const double t = time - motion.start - rounding;
  return t > 0 && t <= motion.ramp && time <= motion.stop.value_or(time) + rounding ? 1 / motion.ramp : 0;
}

Pose::Pose(const MotionSettings& motion, double time) : origin(motion.about) {
  const double tau = motion_progress(motion, time), rate = motion_progress_rate(motion, time);
  const double speed = motion.angular_velocity.norm();
  if (speed > 0) rotation = Eigen::AngleAxisd(speed * tau, motion.angular_velocity / speed).toRotationMatrix();
  center = motion.about + motion.velocity * tau;
  velocity = motion.velocity * rate;
  angular_velocity = motion.angular_velocity * rate;
  velocity_gradient = spin_matrix(angular_velocity);
  const double gain = motion_progress_acceleration(motion, time);
  acceleration = motion.velocity * gain;
  angular_acceleration = motion.angular_velocity * gain;
}

Pose::Pose(const Motion& motion, double time) {
  for (const MotionSettings& one : motion) *this = followed_by(Pose(one, time));
}

Pose::Pose(const Motion& motion, const State& state) {
  for (const MotionSettings& one : motion) {
    Pose part(one, state.time);
    if (state.mean)
      part.angular_velocity = one.angular_velocity * ((motion_progress(one, state.time) - motion_progress(one, state.mean->from)) / state.mean->duration);
    *this = followed_by(part);
  }
  if (!state.mean) return;
  const Pose before(motion, state.mean->from);
  velocity = (center - before.center) / state.mean->duration;
  velocity_gradient = (Mat3::Identity() - before.rotation * rotation.transpose()) / state.mean->duration;
}

Pose Pose::followed_by(const Pose& next) const {
  Pose result;
  result.rotation = next.rotation * rotation;
  result.origin = origin;
  result.center = next.to_world(center);
  const Vec3 relative_velocity = next.rotation * velocity, relative_spin = next.rotation * angular_velocity;
  result.velocity = next.velocity_at(result.center) + relative_velocity;
  result.angular_velocity = next.angular_velocity + relative_spin;
  result.velocity_gradient = spin_matrix(result.angular_velocity);
  result.acceleration = next.acceleration_at(result.center) + 2 * next.angular_velocity.cross(relative_velocity) + next.rotation * acceleration;
  result.angular_acceleration = next.angular_acceleration + next.angular_velocity.cross(relative_spin) + next.rotation * angular_acceleration;
  return result;
}

}  // namespace traction
