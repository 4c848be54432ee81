#include "app/still_scene.h"

#include <algorithm>

#include "scene/strained_start.h"

namespace traction {

namespace {

bool moves(const Motion& motion) {
  return std::ranges::any_of(motion, [](const MotionSettings& each) { return !each.velocity.isZero(0) || !each.angular_velocity.isZero(0); });
}

bool has_gravity(const Scene& scene) {
  const bool is_weighted = scene.gravity_over.empty() || std::ranges::any_of(scene.gravity_over, [](const LoadPoint& point) { return point.factor != 0; });
  return is_weighted && !scene.gravity.isZero(0);
}

bool is_moved_or_loaded(const Body& body) {
  return !body.initial.velocity.isZero(0) || !body.initial.angular_velocity.isZero(0) || !body.loads.empty() || !body.volumes.empty() ||
         may_start_strained(body) || std::ranges::any_of(body.driven, [](const DrivenSettings& driven) { return moves(driven.motion); });
}

}  // namespace

bool is_still(const Scene& scene) {
  const auto pulls = [](const SpringSettings& spring) { return spring.stiffness > 0 && spring.rest_length.has_value(); };
  const auto acts = [](const JointSettings& joint) { return joint.motor || (joint.spring && joint.spring->rest != 0); };
  return !has_gravity(scene) && std::ranges::none_of(scene.bodies, is_moved_or_loaded) && std::ranges::none_of(scene.springs, pulls) &&
         std::ranges::none_of(scene.joints, acts) && std::ranges::none_of(scene.obstacles, [](const Obstacle& obstacle) { return moves(obstacle.motion); });
}

std::string doubt_about_stillness() {
  return "nothing moves or loads the bodies: no gravity, no velocity at the start, no motion of a region or a surface, no load, and nothing that stores "
         "energy. "
         "If the bodies should fall, give gravity: [0, 0, -9.81]";
}

}  // namespace traction
