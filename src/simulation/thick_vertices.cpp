#include "simulation/thick_vertices.h"
#include "math/triangle_area.h"

#include "contact/pair_turns.h"

namespace traction {

void add_shell_vertices(const DistributedMesh& mesh, const LocalRegion& region, double half_thickness, ShellVertices& shells) {
  if (half_thickness == 0) return;
  for (const int t : region.members)
    for (const int corner : mesh.triangles[t]) {
      if (corner >= mesh.halo->owned()) continue;
      ShellAtVertex& shell = shells[corner];
      shell.triangles.push_back({mesh.triangles[t], triangle_area(mesh.vertices, mesh.triangles[t])});
      shell.half_thickness = half_thickness;
    }
}

ThickVertexObstacle::ThickVertex thick_vertex(int vertex, const ShellAtVertex& shell, const PairWeight& weight) {
  ThickVertexObstacle::ThickVertex result{{vertex}, {}, weight};
  SurfaceTurn turn;
  turn.constant = shell.half_thickness;
  add_mean_turn(shell.triangles, turn, result.points, result.turns);
  return result;
}

std::vector<ThickVertexObstacle::ThickVertex> thick_vertices_of_rods(const DistributedMesh& mesh, std::span<const int> rods, double radius, double twist_radius,
                                                                     const std::vector<char>& held,
                                                                     const std::function<PairWeight(int vertex, double area)>& weight_of) {
  std::vector<ThickVertexObstacle::ThickVertex> vertices;
  SurfaceTurn turn;
  turn.twist_radius = twist_radius;
  turn.constant = radius;
  for (const int r : rods) {
    const auto& [a, b, twist] = mesh.rods[r].vertices;
    if (!mesh.owns(mesh.rods[r].vertices)) continue;
    const double area = (mesh.vertices[a] - mesh.vertices[b]).norm() * radius;
    turn.points = {0, 1, 2};
    if (!held[a]) vertices.push_back({{a, b, twist}, {turn}, weight_of(a, area)});
    turn.points = {1, 0, 2};
    if (!held[b]) vertices.push_back({{b, a, twist}, {turn}, weight_of(b, area)});
  }
  return vertices;
}

}  // namespace traction
