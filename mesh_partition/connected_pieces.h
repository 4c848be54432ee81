// Finds which vertices elements connect.
#pragma once

#include <vector>

#include "mesh_partition/distribute.h"

namespace traction {

/// For every local vertex the number of its piece: vertices that elements connect, on whatever ranks these are, have the same number, and so have
/// vertices that depend on others and these. The twists of rods belong to no other vertices' piece. Collective; the number of exchanges is that of the ranks
/// over which a piece extends one after the other.
std::vector<PetscInt> connected_pieces(const DistributedMesh& mesh);

}  // namespace traction
