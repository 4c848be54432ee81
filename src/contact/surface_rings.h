// Finds neighbours along a surface, which self-contact ignores.
#pragma once

#include <array>
#include <vector>

#include "parallel/halo.h"

namespace traction {

/// For each of the owned `vertices`, the sorted global numbers of all vertices at most `rings` edges of the surface away, itself included. `triangles` are all
/// triangles of the surface that touch an owned vertex. @collective
std::vector<std::vector<PetscInt>> surface_rings(const Halo& halo, const std::vector<std::array<int, 3>>& triangles, const std::vector<int>& vertices,
                                                 int rings);

}  // namespace traction
