// Builds the force of a body's loads from the scene.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scene/scene.h"
#include "simulation/scene_materials.h"
#include "system/system.h"

namespace traction {

/// The load's part of the history.
struct LoadMonitor {
  std::string name;
  std::shared_ptr<const Force> force;
  bool is_torque = false;
};

/// Adds the loads of a body, which starts at `start` [m], to the system. @collective
std::vector<LoadMonitor> add_loads(System& system, const Body& body, const SceneMaterials& materials, const Field& start);

/// A warning for each load that moves nothing, because all vertices that it acts on are held for good. The supports are part of the system. @collective
std::vector<std::string> doubts_about_loads(const System& system, const Scene& scene);

}  // namespace traction
