// What is doubtful about the state in which a run starts.
#pragma once

#include "simulation/simulation.h"

namespace traction {

// Warns of contacts that would shoot their bodies apart, and says how far to move them. Collective.
void warn_about_start(const Simulation& simulation);

}  // namespace traction
