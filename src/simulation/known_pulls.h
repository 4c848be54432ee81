// The forces with which gravity, loads and motors of known size may pull at a body.
#pragma once

#include <vector>

#include "scene/scene.h"

namespace traction {

/// The largest size of a factor over time; 1 without one.
double largest_factor(const std::vector<LoadPoint>& over);

/// The largest size of gravity over time [m/s^2].
double largest_gravity(const Scene& scene);

/// The largest force over time of a load on a body, or of the motor of a joint [N]; a torque counts as a force at an arm of this size [m]. 0 for pressures,
/// tractions, body forces and prescribed motions.
double pull_of(const LoadSettings& load, double size);
double pull_of(const JointMotorSettings& motor, double size);

/// The sum over all loads on a body and the motors of its joints [N].
double known_pull_on(const Scene& scene, const Body& body, double size);

}  // namespace traction
