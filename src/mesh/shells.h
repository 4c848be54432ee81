// Triangles as elements: what bends between them, and surfaces that they leave open. Serial: called on one rank.
#pragma once

#include <array>
#include <vector>

#include "mesh/mesh.h"

namespace traction {

// The pairs of shells that share an edge. Throws InputError naming the triangles where more than two do: what bends there is not defined.
std::vector<Hinge> find_hinges(const Mesh& mesh);

// Triangles between the vertices of each rim of a surface region, which close it; oriented in any way. Where a rim is flat the volume behind it is that of its
// plane. Throws InputError naming a triangle if there is no rim, or one that does not close.
std::vector<std::array<int, 3>> rim_caps(const Mesh& mesh, const Region& surface);

// Reorients the triangles of a region in place so that neighbours agree on a side. Throws InputError naming a triangle where more than two meet in an edge, or
// if the surface has only one side.
void orient_surface(Mesh& mesh, const Region& region);

}  // namespace traction
