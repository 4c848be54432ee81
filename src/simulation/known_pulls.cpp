#include "simulation/known_pulls.h"

#include <algorithm>
#include <cmath>

namespace traction {

double largest_factor(const std::vector<LoadPoint>& over) {
  double largest = over.empty() ? 1 : 0;
  for (const LoadPoint& point : over) largest = std::max(largest, std::abs(point.factor));
  return largest;
}

double largest_gravity(const Scene& scene) { return largest_factor(scene.gravity_over) * scene.gravity.norm(); }

double pull_of(const LoadSettings& load, double size) {
  if (load.kind == LoadKind::force) return largest_factor(load.over) * load.vector.norm();
  return load.kind == LoadKind::torque ? largest_factor(load.over) * load.vector.norm() / size : 0;
}

double pull_of(const JointMotorSettings& motor, double size) {
  return largest_factor(motor.over) * (motor.force ? std::abs(*motor.force) : motor.torque ? std::abs(*motor.torque) / size : 0);
}

double known_pull_on(const Scene& scene, const Body& body, double size) {
  double sum = 0;
  for (const LoadSettings& load : body.loads) sum += pull_of(load, size);
  for (const JointSettings& joint : scene.joints)
    if (joint.motor && std::find(joint.between.begin(), joint.between.end(), body.name) != joint.between.end()) sum += pull_of(*joint.motor, size);
  return sum;
}

}  // namespace traction
