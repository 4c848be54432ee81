// Triangles as elements: hinges between shells, and the closing of open surfaces. Serial: called on one rank.
#pragma once

#include <array>
#include <vector>

#include "mesh/mesh.h"

namespace traction {

/// The pairs of shells that share an edge. Throws InputError naming the triangles if more than two share one, because bending is not defined there.
std::vector<Hinge> find_hinges(const Mesh& mesh);

/// Triangles between the vertices of each rim of a surface region, which close it; their orientation is arbitrary. A flat rim is closed by its plane. Throws
/// InputError naming a triangle if the surface has no rim, or one that is not a closed loop.
std::vector<std::array<int, 3>> rim_caps(const Mesh& mesh, const Region& surface);

/// Reorients the triangles of a region in place so that neighbours agree on a side, that of most of the area of each connected part. Throws InputError naming a
/// triangle where more than two meet in an edge, or if the surface has only one side.
void orient_surface(Mesh& mesh, const Region& region);

}  // namespace traction
