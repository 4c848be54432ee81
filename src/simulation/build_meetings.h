// Watches for bodies and obstacles of a contact that run into each other although the motions of both are prescribed.
#pragma once

#include "simulation/simulation.h"

namespace traction {

/// Adds to Simulation::meetings what a contact needs for this, if anything of its surfaces is always driven and anything moves. @collective
void add_meetings(Simulation& simulation, const ContactSettings& settings);

}  // namespace traction
