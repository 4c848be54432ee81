// Builds the forces of a body's shells from the scene.
#pragma once

#include <memory>

#include "forces/shell_bending.h"
#include "simulation/scene_materials.h"
#include "system/system.h"

namespace traction {

/// Adds the membranes and the bending of a body to the system, which knows the body's driven vertices. Returns the bending if any of it yields, else null.
/// @collective
std::shared_ptr<const ShellBending> add_shell(System& system, const Body& body, const SceneMaterials& materials);

}  // namespace traction
