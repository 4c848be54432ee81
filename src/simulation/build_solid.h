// Builds the forces of a body's solids from the scene.
#pragma once

#include "simulation/scene_materials.h"
#include "system/system.h"

namespace traction {

/// Adds the elasticity of a body's solids, one force for each material, their stress that relaxes, their viscosity, and the drag on the mass of the whole body.
/// `most_branches`: of the Prony series of all bodies. @collective
void add_solid(System& system, const Body& body, const SceneMaterials& materials, int most_branches);

}  // namespace traction
