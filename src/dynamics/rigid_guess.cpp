#include "dynamics/rigid_guess.h"

#include <cmath>

namespace traction {

namespace {

constexpr double kSameLength = 1e-9;  // relative difference between lengths of steps that only rounding has made

Mat3 rotation_of(const BodyMotion& motion, double dt) {
  const double speed = motion.angular_velocity.norm();
  return speed > 0 ? Eigen::AngleAxisd(speed * dt, motion.angular_velocity / speed).toRotationMatrix() : Mat3::Identity();
}

}  // namespace

void move_rigidly(const System& system, std::span<const BodyMotion> motions, const State& state, double dt, Field& positions) {
  for (std::size_t b = 0; b < motions.size(); ++b) {
    const BodyMotion& motion = motions[b];
    const Mat3 rotation = rotation_of(motion, dt);
    const Vec3 center = motion.center + dt * motion.velocity;
    for (const int vertex : system.bodies()[b]) positions[vertex] = center + rotation * (state.q[vertex] - motion.center);
  }
}

void KeptDeviations::keep(const StageOfStep& stage, const Field& solution, const Field& rigid) {
  if (kept_.size() <= stage.number) kept_.resize(stage.number + 1);
  Deviation& kept = kept_[stage.number];
  kept.stage = stage;
  kept.velocities = solution;
  kept.velocities.array() -= rigid.array();
}

bool KeptDeviations::add(const System& system, std::span<const BodyMotion> motions, const StageOfStep& stage, Field& velocities) const {
  if (stage.number >= kept_.size()) return false;
  const Deviation& kept = kept_[stage.number];
  if (!(std::abs(kept.stage.step - stage.step) <= kSameLength * stage.step)) return false;
  Field turned = kept.velocities;
  for (std::size_t b = 0; b < motions.size(); ++b) {
    const Mat3 rotation = rotation_of(motions[b], stage.time - kept.stage.time);
    for (const int vertex : system.places()[b]) turned[vertex] = rotation * kept.velocities[vertex];
  }
  velocities.array() += turned.array();
  return true;
}

}  // namespace traction
