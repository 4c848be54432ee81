#include "contact/thick_middle.h"

#include <algorithm>
#include <variant>

namespace traction {

namespace {

constexpr double kParallel = 1e-9;  // sine of the largest angle between the axes of a cylinder and of its motion

}  // namespace

bool touches_by_its_middle(const Obstacle& obstacle) {
  if (const auto* sphere = std::get_if<SphereSettings>(&obstacle.shape)) return !sphere->inside;
  const auto* cylinder = std::get_if<CylinderSettings>(&obstacle.shape);
  if (!cylinder || cylinder->inside) return false;
  return std::all_of(obstacle.motion.begin(), obstacle.motion.end(), [&](const MotionSettings& motion) {
    return motion.angular_velocity.cross(cylinder->axis).norm() <= kParallel * motion.angular_velocity.norm() * cylinder->axis.norm();
  });
}

}  // namespace traction
