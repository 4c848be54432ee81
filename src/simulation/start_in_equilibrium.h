// Bodies that a scene wants to start in equilibrium.
#pragma once

#include <optional>

#include "dynamics/equilibrium.h"
#include "simulation/simulation.h"

namespace traction {

/// Whether any body of the scene starts in equilibrium.
bool settles(const Scene& scene);

/// Brings the bodies whose `initial.equilibrium` is set to rest before the first step; returns nothing if no body has it. Calls `interruption` and throws as
/// find_equilibrium does. @collective
std::optional<EquilibriumReport> start_in_equilibrium(Simulation& simulation, const Interruption& interruption = {});

}  // namespace traction
