// Velocities of bodies as wholes.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "system/body_motion.h"

namespace traction {

/// The velocity of a body's rigid motion about its center, or the rate at which such a velocity changes [m/s, rad/s].
struct RigidPart {
  Vec3 velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();
  Vec3 at(const Vec3& arm) const { return velocity + angular_velocity.cross(arm); }
  RigidPart operator+(const RigidPart& other) const { return {velocity + other.velocity, angular_velocity + other.angular_velocity}; }
  RigidPart operator-(const RigidPart& other) const { return {velocity - other.velocity, angular_velocity - other.angular_velocity}; }
  RigidPart operator*(double factor) const { return {factor * velocity, factor * angular_velocity}; }
  double speed(double radius) const { return velocity.norm() + radius * angular_velocity.norm(); }
};

inline RigidPart rigid_part(const BodyMotion& motion) { return {motion.velocity, motion.angular_velocity}; }

/// The displacement that undoes the rigid motion `part` at a point at the end of a step of length h [m, s]. `change`: the body's motion in that step. Its
/// vertices moved along straight lines, so that the angle's sine is h times the angular velocity.
inline Vec3 way_back(const Vec3& point, const BodyMotion& change, const RigidPart& part, double h) {
  const double speed = part.angular_velocity.norm();
  if (!(speed > 0)) return -h * part.velocity;
  const Eigen::AngleAxisd rotation(-std::asin(std::min(1.0, h * speed)), part.angular_velocity / speed);
  const Vec3 arm = point - change.center - h * change.velocity;
  return rotation * arm - arm - h * part.velocity;
}

}  // namespace traction
