// Estimates what a run will cost, from its first steps.
#pragma once

#include <mpi.h>

#include <string>

#include "scene/scene.h"

namespace traction {

/// Builds the scene on the present ranks and takes its first steps. Returns lines of text (on rank 0): how many steps the schedule has, how long they will
/// take, each rank's elements and memory, and the size of the output. Steps in contact, and halved ones, take longer than estimated. Throws InputError and
/// SolverError on all ranks. @collective
std::string estimate_run(MPI_Comm communicator, const Scene& scene);

}  // namespace traction
