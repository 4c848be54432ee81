// Asynchronous contact, from the scene.
#pragma once

#include <optional>
#include <span>

#include "asynchronous/contact_setup.h"
#include "simulation/scene_materials.h"
#include "simulation/simulation.h"

namespace traction {

/// Throws InputError for settings of contacts that layers do not have.
void refuse_contact_settings(const Scene& scene);

/// Lists which surfaces may touch each other; nothing if the scene has no contacts. For each contact it adds a contact group without terms to the simulation,
/// which the history and checkpoints use. `steps`: the steps of all potentials [s], which determine the stiffness of a contact for which the scene sets none.
std::optional<ContactSetup> layered_contact(Simulation& simulation, const SceneMaterials& materials, std::span<const double> steps);

}  // namespace traction
