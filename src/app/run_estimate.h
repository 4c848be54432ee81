// What a run will take, from its first steps.
#pragma once

#include <mpi.h>

#include <string>

#include "scene/scene.h"

namespace traction {

// Builds the scene on the ranks there are, takes its first steps, and tells, as lines of text (on rank 0): how many steps the schedule has, how long they take
// as far as the first ones tell, each rank's elements and memory, and what is written. Steps in contact, or that are halved, take longer. Throws InputError and
// SolverError on all ranks. Collective.
std::string estimate_run(MPI_Comm communicator, const Scene& scene);

}  // namespace traction
