// Checks of the state in which a run starts.
#pragma once

#include "simulation/simulation.h"

namespace traction {

// Warns of contacts that would push their bodies apart violently, and prints how far to move them. Collective.
void warn_about_start(const Simulation& simulation);

}  // namespace traction
