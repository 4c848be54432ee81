// Builds the driver that gives every potential of a scene its own clock.
#pragma once

#include <memory>

#include "simulation/scene_materials.h"
#include "simulation/simulation.h"

namespace traction {

/// Throws InputError when the scene has anything that this driver cannot integrate, before any of it is built.
void refuse_what_has_no_clock(const Scene& scene);

/// Throws InputError when a scene for another integrator has settings that only this one knows.
void refuse_asynchronous_settings(const Scene& scene);

/// The driver for a simulation on one rank whose forces are complete. Throws InputError when a potential has no stable step, or something touches
/// or crosses at the start.
std::unique_ptr<Driver> asynchronous_driver(Simulation& simulation, const SceneMaterials& materials, State initial);

/// The same on several ranks. `mesh`: the whole, on rank 0; the others' arguments are ignored. Throws InputError on all ranks. @collective
std::unique_ptr<Driver> shared_asynchronous_driver(MPI_Comm communicator, Simulation& simulation, Mesh mesh);

}  // namespace traction
