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

/// What may touch what; nothing if the scene has no contacts. Gives the simulation a contact group without terms for each contact, by which the history and
/// checkpoints know it. `steps`: of all potentials [s], from which a stiffness follows that the scene does not set.
std::optional<ContactSetup> layered_contact(Simulation& simulation, const SceneMaterials& materials, std::span<const double> steps);

}  // namespace traction
