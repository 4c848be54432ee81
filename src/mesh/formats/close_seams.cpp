#include "mesh/formats/close_seams.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "math/box_tree.h"

namespace traction {

namespace {

constexpr double kShare = 0.1;  // vertices farther apart than this part of the edges around them are two, and a vertex farther from an edge does not lie on it

using Edge = std::pair<int, int>;

// An edge of one triangle alone.
struct OpenEdge {
  int from, to, triangle;
};

std::vector<OpenEdge> open_edges(const SurfaceMesh& mesh) {
  std::map<Edge, std::pair<int, OpenEdge>> edges;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int i = 0; i < 3; ++i) {
      const int from = mesh.triangles[t][i], to = mesh.triangles[t][(i + 1) % 3];
      auto& [count, edge] = edges[std::minmax(from, to)];
      ++count;
      edge = {from, to, static_cast<int>(t)};
    }
  std::vector<OpenEdge> open;
  for (const auto& [ends, found] : edges)
    if (found.first == 1) open.push_back(found.second);
  return open;
}

// The open edges, with a tree for the search of vertices on them.
struct Rim {
  std::vector<OpenEdge> edges;
  std::vector<int> vertices;  // sorted, each once
  BoxTree tree;

  Rim(const SurfaceMesh& mesh, double tolerance) : edges(open_edges(mesh)), tree(boxes(mesh, tolerance)) {
    for (const OpenEdge& edge : edges) vertices.insert(vertices.end(), {edge.from, edge.to});
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  }

  // Calls action(vertex, number of an edge of which it is no end) where the vertex may lie on the edge.
  template <typename Action>
  void for_each_meeting(const SurfaceMesh& mesh, Action action) const {
    for (const int vertex : vertices) {
      BoundingBox box;
      box.include(mesh.vertices[vertex]);
      tree.for_each_overlap(box, [&](int number) {
        if (vertex != edges[number].from && vertex != edges[number].to) action(vertex, number);
      });
    }
  }

 private:
  std::vector<BoundingBox> boxes(const SurfaceMesh& mesh, double tolerance) const {
    std::vector<BoundingBox> boxes;
    for (const OpenEdge& edge : edges) {
      BoundingBox& box = boxes.emplace_back();
      box.include(mesh.vertices[edge.from]);
      box.include(mesh.vertices[edge.to]);
      box.grow(tolerance);
    }
    return boxes;
  }
};

// For each vertex the length of the shortest edge at it [m].
std::vector<double> shortest_edges(const SurfaceMesh& mesh) {
  std::vector<double> shortest(mesh.vertices.size(), HUGE_VAL);
  for (const auto& triangle : mesh.triangles)
    for (int i = 0; i < 3; ++i) {
      const int a = triangle[i], b = triangle[(i + 1) % 3];
      const double length = (mesh.vertices[a] - mesh.vertices[b]).norm();
      for (const int vertex : {a, b}) shortest[vertex] = std::min(shortest[vertex], length);
    }
  return shortest;
}

// Makes one of the vertices of rims that lie in one place.
void weld(SurfaceMesh& mesh, double tolerance) {
  const Rim rim(mesh, tolerance);
  const std::vector<double> shortest = shortest_edges(mesh);
  std::vector<int> same(mesh.vertices.size());
  std::iota(same.begin(), same.end(), 0);
  const auto first_of = [&](int vertex) {
    while (same[vertex] != vertex) vertex = same[vertex];
    return vertex;
  };
  rim.for_each_meeting(mesh, [&](int vertex, int number) {
    for (const int end : {rim.edges[number].from, rim.edges[number].to}) {
      const double limit = std::min(tolerance, kShare * std::min(shortest[vertex], shortest[end]));
      if ((mesh.vertices[vertex] - mesh.vertices[end]).norm() > limit) continue;
      const auto [low, high] = std::minmax({first_of(vertex), first_of(end)});
      same[high] = low;
    }
  });
  std::vector<int> number(mesh.vertices.size());
  std::vector<Vec3> kept;
  for (std::size_t vertex = 0; vertex < mesh.vertices.size(); ++vertex) {
    const int first = first_of(static_cast<int>(vertex));  // never behind the vertex
    if (first == static_cast<int>(vertex)) kept.push_back(mesh.vertices[vertex]);
    number[vertex] = first == static_cast<int>(vertex) ? static_cast<int>(kept.size()) - 1 : number[first];
  }
  const auto renumber = [&](auto& lists) {
    for (auto& list : lists)
      for (int& vertex : list) vertex = number[vertex];
  };
  renumber(mesh.triangles);
  renumber(mesh.segments);
  std::erase_if(mesh.segments, [](const auto& segment) { return segment[0] == segment[1]; });
  for (int& vertex : mesh.points) vertex = number[vertex];
  mesh.vertices = std::move(kept);
}

// Divides each triangle that has vertices of other rims on an open edge at one of them, next to the edge's middle; whether there was one.
bool divide(SurfaceMesh& mesh, double tolerance) {
  const Rim rim(mesh, tolerance);
  const std::vector<double> shortest = shortest_edges(mesh);
  std::map<int, std::pair<int, int>> cuts;  // for a triangle: the number of its open edge and the vertex on it
  std::vector<double> off_middle(mesh.triangles.size(), HUGE_VAL);
  rim.for_each_meeting(mesh, [&](int vertex, int number) {
    const OpenEdge& edge = rim.edges[number];
    const auto& triangle = mesh.triangles[edge.triangle];
    if (std::find(triangle.begin(), triangle.end(), vertex) != triangle.end()) return;
    const Vec3 along = mesh.vertices[edge.to] - mesh.vertices[edge.from], offset = mesh.vertices[vertex] - mesh.vertices[edge.from];
    const double part = offset.dot(along) / along.squaredNorm(), margin = tolerance / along.norm();
    double limit = std::min(tolerance, kShare * shortest[vertex]);
    for (const int corner : triangle) limit = std::min(limit, kShare * shortest[corner]);
    if (part <= margin || part >= 1 - margin || (offset - part * along).norm() > limit || std::abs(part - 0.5) >= off_middle[edge.triangle]) return;
    off_middle[edge.triangle] = std::abs(part - 0.5);
    cuts[edge.triangle] = {number, vertex};
  });
  for (const auto& [t, cut] : cuts) {
    const OpenEdge& edge = rim.edges[cut.first];
    const int vertex = cut.second, opposite = mesh.triangles[t][0] + mesh.triangles[t][1] + mesh.triangles[t][2] - edge.from - edge.to;
    mesh.triangles[t] = {edge.from, vertex, opposite};
    mesh.triangles.push_back({vertex, edge.to, opposite});
  }
  return !cuts.empty();
}

}  // namespace

void close_seams(SurfaceMesh& mesh) {
  constexpr double kRounding = 2e-6;  // files with six digits round their coordinates by up to 5e-7
  constexpr double kExtent = 1e-4;    // no more than this part of the surface, however far from the origin it lies
  double largest = 0;
  BoundingBox box;
  for (const auto& triangle : mesh.triangles)
    for (const int corner : triangle) {
      largest = std::max(largest, mesh.vertices[corner].cwiseAbs().maxCoeff());
      box.include(mesh.vertices[corner]);
    }
  const double tolerance = std::min(kRounding * largest, kExtent * (box.upper - box.lower).maxCoeff());
  if (open_edges(mesh).empty()) return;
  weld(mesh, tolerance);
  while (divide(mesh, tolerance)) {}
}

}  // namespace traction
