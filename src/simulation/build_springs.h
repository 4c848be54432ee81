// Builds the force of a scene's springs and dampers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "forces/spring_damper.h"
#include "scene/scene.h"
#include "simulation/scene_materials.h"
#include "system/system.h"

namespace traction {

/// Adds the scene's springs, whose bodies are placed at `start` [m], to the system; null where it has none. Throws InputError on all ranks when the ends of one
/// that needs a direction lie in one place. @collective
std::shared_ptr<const SpringDampers> add_springs(System& system, const Scene& scene, const SceneMaterials& materials, const Field& start);

/// A sentence for the user about springs with damping and a rest length of 0 whose ends are apart at the start. @collective
std::vector<std::string> doubts_about_springs(const System& system, const Scene& scene, const SceneMaterials& materials, const Field& start);

}  // namespace traction
