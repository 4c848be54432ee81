// From a body's loads in the scene to their forces.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scene/scene.h"
#include "system/system.h"

namespace traction {

// What the history reports of a load.
struct LoadMonitor {
  std::string name;
  std::shared_ptr<const Force> force;
};

// Adds the loads of a body, which starts at `start` [m], to the system. Collective.
std::vector<LoadMonitor> add_loads(System& system, const Body& body, const Field& start);

}  // namespace traction
