#include "mesh/shells.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "errors.h"
#include "math/position_text.h"

namespace traction {

namespace {

// An edge in the direction in which a triangle passes it.
struct HalfEdge {
  int low, high;  // vertices
  int triangle;   // into Mesh::triangles
  int opposite;   // vertex
};

// The half-edges of some triangles, sorted so that half-edges of the same edge are adjacent.
std::vector<HalfEdge> half_edges(const Mesh& mesh, const std::vector<int>& triangles) {
  std::vector<HalfEdge> edges;
  edges.reserve(3 * triangles.size());
  for (int t : triangles)
    for (int i = 0; i < 3; ++i) {
      const int from = mesh.triangles[t][i], to = mesh.triangles[t][(i + 1) % 3];
      edges.push_back({std::min(from, to), std::max(from, to), t, mesh.triangles[t][(i + 2) % 3]});
    }
  std::sort(edges.begin(), edges.end(), [](const HalfEdge& a, const HalfEdge& b) {
    return std::array{a.low, a.high, a.triangle} < std::array{b.low, b.high, b.triangle};
  });
  return edges;
}

// Calls action(first, count) for the half edges of each edge.
template <typename Action>
void for_each_edge(const std::vector<HalfEdge>& edges, Action action) {
  for (std::size_t first = 0; first < edges.size();) {
    std::size_t end = first + 1;
    while (end < edges.size() && edges[end].low == edges[first].low && edges[end].high == edges[first].high) ++end;
    action(&edges[first], end - first);
    first = end;
  }
}

}  // namespace

std::vector<Hinge> find_hinges(const Mesh& mesh) {
  const std::vector<HalfEdge> edges = half_edges(mesh, mesh.shells);
  std::vector<Hinge> hinges;
  for_each_edge(edges, [&](const HalfEdge* edge, std::size_t count) {
    if (count > 2)
      throw InputError(fmt::format(
          "{}: {} shell triangles, among them {}, {} and {}, meet in the edge from {} to {}; a shell bends between two. Remesh, or leave some of them out",
          mesh.source, count, edge[0].triangle + 1, edge[1].triangle + 1, edge[2].triangle + 1, position_text(mesh.vertices[edge->low]),
          position_text(mesh.vertices[edge->high])));
    if (count < 2) return;
    const auto& first = mesh.triangles[edge[0].triangle];
    const int at = static_cast<int>(std::find(first.begin(), first.end(), edge[0].opposite) - first.begin());
    hinges.push_back({{first[(at + 1) % 3], first[(at + 2) % 3], edge[0].opposite, edge[1].opposite}, {edge[0].triangle, edge[1].triangle}});
  });
  return hinges;
}

std::vector<std::array<int, 3>> rim_caps(const Mesh& mesh, const Region& surface) {
  struct RimVertex {
    std::vector<int> neighbours;
    int triangle = 0;
  };
  std::map<int, RimVertex> rim;
  for_each_edge(half_edges(mesh, surface.members), [&](const HalfEdge* edge, std::size_t count) {
    if (count != 1) return;
    rim[edge->low].neighbours.push_back(edge->high);
    rim[edge->high].neighbours.push_back(edge->low);
    rim[edge->low].triangle = rim[edge->high].triangle = edge->triangle;
  });
  if (rim.empty()) throw InputError(fmt::format("{}: the region '{}' has no rim; it is closed already", mesh.source, surface.name));
  for (const auto& [vertex, at] : rim)
    if (at.neighbours.size() != 2)
      throw InputError(
          fmt::format("{}: a rim of the region '{}' does not close: {} of its edges meet at {}, a corner of triangle {}. Remesh so that rims do not touch",
                      mesh.source, surface.name, at.neighbours.size(), position_text(mesh.vertices[vertex]), at.triangle + 1));
  std::vector<std::array<int, 3>> caps;
  while (!rim.empty()) {
    std::vector<int> loop{rim.begin()->first};
    int next = rim.begin()->second.neighbours[0];
    rim.erase(rim.begin());
    while (next != loop.front()) {
      const std::vector<int> neighbours = rim.at(next).neighbours;
      const int after = neighbours[0] == loop.back() ? neighbours[1] : neighbours[0];
      loop.push_back(next);
      rim.erase(next);
      next = after;
    }
    // Zigzags across the loop, so that no vertex has more than four of the triangles.
    for (std::size_t low = 0, high = loop.size() - 1; low + 1 < high;) {
      const bool from_low = low + high < loop.size();
      caps.push_back({loop[low], loop[high], from_low ? loop[low + 1] : loop[high - 1]});
      if (from_low) ++low;
      else --high;
    }
  }
  return caps;
}

}  // namespace traction
