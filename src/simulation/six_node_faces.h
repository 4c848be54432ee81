// The faces of ten-node tetrahedra of which a surface region consists.
#pragma once

#include <array>
#include <vector>

#include "mesh_partition/distribute.h"

namespace traction {

/// The faces of ten-node tetrahedra that the triangles of a region are parts of, those that touch owned vertices: three corners and the vertices of the edges
/// 01, 12 and 20, oriented as the triangles. Empty on all ranks where the region has other triangles too. @collective
std::vector<std::array<int, 6>> six_node_faces(const DistributedMesh& mesh, const LocalRegion& region);

}  // namespace traction
