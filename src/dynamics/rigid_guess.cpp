#include "dynamics/rigid_guess.h"

#include "system/body_motion.h"

namespace traction {

void move_rigidly(const System& system, const State& state, double dt, Field& positions) {
  const std::vector<BodyMotion> motions = body_motions(system, state.q, state.v);
  for (std::size_t b = 0; b < motions.size(); ++b) {
    const BodyMotion& motion = motions[b];
    const double angle = motion.angular_velocity.norm() * dt;
    const Mat3 rotation = angle > 0 ? Eigen::AngleAxisd(angle, motion.angular_velocity.normalized()).toRotationMatrix() : Mat3::Identity();
    const Vec3 center = motion.center + dt * motion.velocity;
    for (const int vertex : system.bodies()[b]) positions[vertex] = center + rotation * (state.q[vertex] - motion.center);
  }
}

}  // namespace traction
