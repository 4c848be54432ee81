// The vertices of rods and shells, by whose turning friction on obstacles acts.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <vector>

#include "contact/feature_search.h"
#include "contact/thick_vertex_obstacle.h"
#include "mesh_partition/distribute.h"

namespace traction {

/// The triangles of shells around owned vertices, and the distance from them to the surface [m], by the vertices' local numbers.
struct ShellAtVertex {
  TurnsAt triangles;
  double half_thickness = 0;
};
using ShellVertices = std::map<int, ShellAtVertex>;

/// Adds the vertices of a region of shells; nothing if the thickness is 0.
void add_shell_vertices(const DistributedMesh& mesh, const LocalRegion& region, double half_thickness, ShellVertices& shells);
/// A vertex that turns by the mean of its triangles.
ThickVertexObstacle::ThickVertex thick_vertex(int vertex, const ShellAtVertex& shell, const PairWeight& weight);

/// Both ends of rods' segments that count on this rank, but those that `held` marks. `rods`: local numbers. `weight_of(vertex, area)`: of a vertex with the
/// area of half a segment [m^2].
std::vector<ThickVertexObstacle::ThickVertex> thick_vertices_of_rods(const DistributedMesh& mesh, std::span<const int> rods, double radius, double twist_radius,
                                                                     const std::vector<char>& held,
                                                                     const std::function<PairWeight(int vertex, double area)>& weight_of);

}  // namespace traction
