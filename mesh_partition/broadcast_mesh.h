// Copies a mesh from one rank to all.
#pragma once

#include <mpi.h>

#include "mesh/mesh.h"

namespace traction {

/// Rank 0's mesh on every rank; the other ranks' arguments are replaced. @collective
void broadcast(MPI_Comm communicator, Mesh& mesh);

}  // namespace traction
