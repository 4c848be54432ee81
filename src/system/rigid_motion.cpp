#include "system/rigid_motion.h"

#include <algorithm>

namespace traction {

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

Pose::Pose(const MotionSettings& motion, double time) : origin(motion.about) {
  const double tau = motion_progress(motion, time), rate = motion_progress_rate(motion, time);
  const double speed = motion.angular_velocity.norm();
  if (speed > 0) rotation = Eigen::AngleAxisd(speed * tau, motion.angular_velocity / speed).toRotationMatrix();
  center = motion.about + motion.velocity * tau;
  velocity = motion.velocity * rate;
  angular_velocity = motion.angular_velocity * rate;
}

Pose::Pose(const Motion& motion, double time) {
  for (const MotionSettings& one : motion) *this = followed_by(Pose(one, time));
}

Pose Pose::followed_by(const Pose& next) const {
  Pose result;
  result.rotation = next.rotation * rotation;
  result.origin = origin;
  result.center = next.to_world(center);
  result.velocity = next.velocity_at(result.center) + next.rotation * velocity;
  result.angular_velocity = next.angular_velocity + next.rotation * angular_velocity;
  return result;
}

}  // namespace traction
