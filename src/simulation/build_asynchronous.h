// Builds the driver that gives every potential of a scene its own clock.
#pragma once

#include <memory>

#include "simulation/scene_materials.h"
#include "simulation/simulation.h"

namespace traction {

// Throws InputError on all ranks when the scene has anything that this driver cannot integrate, before any of it is built. Collective.
void refuse_what_has_no_clock(MPI_Comm communicator, const Scene& scene);

// Throws InputError when a scene for another integrator has settings that only this one knows.
void refuse_asynchronous_settings(const Scene& scene);

// The driver for a simulation whose forces are complete. Throws InputError when a potential has no stable step, or something touches
// or crosses at the start.
std::unique_ptr<Driver> asynchronous_driver(Simulation& simulation, const SceneMaterials& materials, State initial);

}  // namespace traction
