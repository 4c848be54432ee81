// Builds the forces of a body's shells from the scene.
#pragma once

#include "simulation/scene_materials.h"
#include "system/system.h"

namespace traction {

/// Adds the membranes and the bending of a body to the system, which knows the body's driven vertices.
void add_shell(System& system, const Body& body, const SceneMaterials& materials);

}  // namespace traction
