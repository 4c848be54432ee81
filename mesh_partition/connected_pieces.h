// Finds which vertices elements connect.
#pragma once

#include <vector>

#include "mesh_partition/distribute.h"

namespace traction {

/// For every local vertex the number of its piece: vertices that elements connect, on whatever ranks these are, have the same number, and so have
/// vertices that depend on others and these. Vertices on a rod's twists
/// belong to no piece of others. Collective; takes as many exchanges as a piece has shares of ranks in a row.
std::vector<PetscInt> connected_pieces(const DistributedMesh& mesh);

}  // namespace traction
