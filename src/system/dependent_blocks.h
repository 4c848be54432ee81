// The stiffness of elements at vertices that follow others, as couplings between these others.
#pragma once

#include <vector>

#include "system/block_matrix.h"
#include "system/couplings.h"
#include "system/system.h"

namespace traction {

/// Appends the blocks of an assembled matrix in rows or columns of dependent vertices, which rows of independent vertices alone lack. Does nothing where no
/// rank has dependent vertices.
void add_blocks_of_dependents(const System& system, const BlockMatrix& blocks, std::vector<Coupling>& couplings);

}  // namespace traction
