// Areas of the vertices of coarse bodies, so that their flat sides are pressed in their middle (docs/theory/contact.md, "Area of a vertex").
#pragma once

#include <vector>

#include "mesh_partition/distribute.h"

namespace traction {

/// Changes the areas of the owned vertices of a surface [m^2] as little as possible, so that a uniform pressure on any flat side acts in the middle of that
/// side, and has the right force if the side has sharp edges all around. If no such areas exist which leave a quarter at each vertex, only the middles count,
/// and the sum of all areas stays; if these do not exist, either, nothing changes. Nor does it on surfaces of so many triangles that their edges have little of
/// the area. `surface`: local numbers of its triangles, on each rank those that touch an owned vertex. @collective
void balance_flat_sides(const DistributedMesh& mesh, const std::vector<int>& surface, std::vector<double>& area);

}  // namespace traction
