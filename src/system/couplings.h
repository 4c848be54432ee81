// Blocks of a Jacobian between vertices that no element joins, such as those of bodies in contact.
#pragma once

#include <petscsys.h>

#include <vector>

#include "math/tensor.h"
#include "parallel/index_map.h"
#include "system/held_vertices.h"

namespace traction {

// A 3x3 block at the row and columns of any two vertices, given by their global numbers.
struct Coupling {
  PetscInt row, column;
  Mat3 block;
};

inline bool same_place(const Coupling& a, const Coupling& b) { return a.row == b.row && a.column == b.column; }

// The sum of all ranks' couplings, in rows that this rank owns, sorted by row and column, without rows and columns of the directions in which vertices are
// held. Blocks of one place are added in the order of the ranks and, within a rank, of its list: equal lists give equal bits. Collective.
std::vector<Coupling> sum_couplings(const IndexMap& vertices, std::vector<Coupling> couplings, const HeldVertices& held);

}  // namespace traction
