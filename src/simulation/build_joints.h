// Builds the joints of a scene.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "forces/joints.h"
#include "scene/scene.h"
#include "system/system.h"

namespace traction {

/// The joints' part of the history.
struct JointMonitor {
  std::shared_ptr<const Joints> joints;  ///< null: the scene has none
  std::vector<double> sizes;             ///< size of the smaller body of each joint [m]
};

/// Adds the scene's joints, whose bodies are placed at `start` [m], to the system. Throws InputError on all ranks when a body is too far from its joint.
/// @collective
JointMonitor add_joints(System& system, const Scene& scene, const Field& start);

/// A sentence for the user about each joint whose bodies are fixed or driven for good with all of their vertices, so that neither the joint nor its motor moves
/// anything. @collective
std::vector<std::string> doubts_about_joints(const System& system, const Scene& scene);

}  // namespace traction
