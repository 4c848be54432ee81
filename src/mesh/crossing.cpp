#include <algorithm>
#include <set>

#include "math/box_tree.h"
#include "math/piercing.h"
#include "mesh/read_mesh.h"

namespace traction {

namespace {

// `edges`: indices into x. `same`: x is y, so that edges are not tested against triangles at their own ends.
template <typename Edges>
std::optional<Vec3> edge_through_triangle(const std::vector<Vec3>& x, const Edges& edges, const std::vector<Vec3>& y,
                                          const std::vector<std::array<int, 3>>& second, bool same) {
  std::vector<BoundingBox> boxes(second.size());
  for (std::size_t t = 0; t < second.size(); ++t)
    for (int corner : second[t]) boxes[t].include(y[corner]);
  const BoxTree tree(boxes);
  std::optional<Vec3> found;
  for (const auto& ends : edges) {
    const int a = std::get<0>(ends), b = std::get<1>(ends);
    BoundingBox box;
    box.include(x[a]);
    box.include(x[b]);
    tree.for_each_overlap(box, [&](int t) {
      const auto& corners = second[t];
      if (found || (same && (std::count(corners.begin(), corners.end(), a) || std::count(corners.begin(), corners.end(), b)))) return;
      if (const auto piercing = find_piercing(x[a], x[b], {y[corners[0]], y[corners[1]], y[corners[2]]})) found = piercing->place;
    });
    if (found) return found;
  }
  return {};
}

std::set<std::pair<int, int>> edges_of(const std::vector<std::array<int, 3>>& triangles) {
  std::set<std::pair<int, int>> edges;
  for (const auto& triangle : triangles)
    for (int i = 0; i < 3; ++i) edges.insert(std::minmax(triangle[i], triangle[(i + 1) % 3]));
  return edges;
}

}  // namespace

std::optional<Vec3> find_crossing(const std::vector<Vec3>& x, const std::vector<std::array<int, 3>>& first, const std::vector<Vec3>& y,
                                  const std::vector<std::array<int, 3>>& second) {
  if (const auto place = edge_through_triangle(x, edges_of(first), y, second, false)) return place;
  return edge_through_triangle(y, edges_of(second), x, first, false);
}

std::optional<Vec3> find_crossing(const std::vector<Vec3>& x, const std::vector<std::array<int, 3>>& triangles, const std::vector<Vec3>& y,
                                  const std::vector<std::array<int, 2>>& segments) {
  return edge_through_triangle(y, segments, x, triangles, false);
}

std::optional<Vec3> find_crossing(const std::vector<Vec3>& x, const std::vector<std::array<int, 3>>& triangles) {
  return edge_through_triangle(x, edges_of(triangles), x, triangles, true);
}

}  // namespace traction
