// Ten-node tetrahedra: vertices in the middle of edges, and the cut of every element in elements of first order.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

#include "mesh/mesh.h"

namespace traction {

/// The number of tetrahedra in which a ten-node one is cut.
inline constexpr int kQuadraticParts = 8;

/// The vertices in the middle of edges.
class EdgeMidpoints {
 public:
  /// The vertex of an edge, given by its ends in either order.
  std::optional<int> find(int a, int b) const {
    const auto found = vertices_.find(key(a, b));
    return found == vertices_.end() ? std::nullopt : std::optional(found->second);
  }
  /// Returns whether the edge had no other vertex before.
  bool add(int a, int b, int vertex) { return vertices_.try_emplace(key(a, b), vertex).first->second == vertex; }
  bool empty() const { return vertices_.empty(); }
  /// Returns the midpoints with every vertex i renumbered to `numbers[i]`. An edge is left out if the new number of an end or of its midpoint is negative.
  EdgeMidpoints renumbered(const std::vector<int>& numbers) const;

 private:
  static std::uint64_t key(int a, int b) {
    const auto [low, high] = std::minmax(a, b);
    return static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint32_t>(high);
  }
  std::unordered_map<std::uint64_t, int> vertices_;
};

/// Makes ten-node tetrahedra of all tetrahedra, which become eight each, and cuts triangles in four and the segments along their edges in two. Members of
/// regions become their parts, and regions of curves get the vertices in the middle of their segments. Edges without a midpoint get one on a straight line.
/// Regions of points get such new vertices where they hold all corners of a face, triangle or segment with that edge, so that a face's points make all of it.
void make_quadratic(Mesh& mesh, EdgeMidpoints midpoints);

/// The shares of a ten-node tetrahedron's volume by which its mass is concentrated at its vertices, from their positions at rest [m^3]: the diagonal of the
/// consistent mass matrix, scaled so that the sum is exact (Hinton, Rock, Zienkiewicz 1976). All are positive; with straight sides corners have 1/36 of the
/// volume, and the other vertices 4/27.
std::array<double, 10> lumped_volumes(const std::array<Vec3, 10>& rest);
/// The same for a ten-node tetrahedron of a mesh.
template <typename Places>
std::array<double, 10> lumped_volumes(const Places& vertices, const std::array<int, 10>& quadratic) {
  std::array<Vec3, 10> rest;
  for (std::size_t a = 0; a < 10; ++a) rest[a] = vertices[static_cast<std::size_t>(quadratic[a])];
  return lumped_volumes(rest);
}

/// Throws InputError that names the file and a ten-node tetrahedron whose volume ratio is not positive at its vertices and its quadrature points.
void check_quadratics(const Mesh& mesh);

}  // namespace traction
