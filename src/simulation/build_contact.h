// Builds the object that simulates a contact of the scene.
#pragma once

#include <memory>
#include <vector>

#include "simulation/scene_materials.h"
#include "simulation/simulation.h"

namespace traction {

/// `initial`: the state at the start. Adds to simulation.contact_area the areas of the surfaces that touch. Throws
/// InputError on all ranks alike when there is nothing that contact could move, when a thickness is beyond the reach of the surface, or when bodies overlap.
/// @collective
std::shared_ptr<ContactGroup> build_contact(Simulation& simulation, const ContactSettings& settings, const SceneMaterials& materials, const State& initial);

}  // namespace traction
