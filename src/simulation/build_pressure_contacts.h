// Builds the contacts of the scene's pressure fields.
#pragma once

#include <vector>

#include "mesh/mesh.h"
#include "simulation/simulation.h"

namespace traction {

/// Adds the scene's pressure contacts to the simulation and its system. `insides`: the inside of each rigid body, on rank 0; those of other ranks are ignored.
/// Throws InputError on all ranks alike when a field is not positive inside its body, or two bodies are inside each other in the initial state. @collective
void add_pressure_contacts(Simulation& simulation, const std::vector<RigidInside>& insides, const State& initial);

}  // namespace traction
