// The graph of vertices that elements couple, as one rank sees it.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "mesh/mesh.h"
#include "mesh_partition/distribute.h"
#include "parallel/halo.h"

namespace traction {

/// Edges join local vertices i < j of which i is owned; they are numbered by i, then by j. In a row of edges those between owned vertices come first.
class BlockPattern {
 public:
  /// Couples all vertices of each tetrahedron, of four and of ten nodes, of each triangle, of the patch of hinges around each triangle (ShellPatches), of each
  /// rod and of each joint with each other.
  BlockPattern(std::shared_ptr<const Halo> halo, const std::vector<std::array<int, 4>>& tetrahedra, const std::vector<std::array<int, 3>>& triangles = {},
               const std::vector<Hinge>& hinges = {}, const std::vector<Rod>& rods = {}, const std::vector<Joint>& joints = {},
               const std::vector<LocalQuadratic>& quadratics = {});

  /// An edge in the list of the vertex that is its j.
  struct Incidence {
    int edge, vertex;  ///< the edge's number and its i
  };

  const Halo& halo() const { return *halo_; }
  int edges() const { return static_cast<int>(upper_vertices_.size()); }
  /// The edges from i to a higher j are those from first_edge(i) to first_edge(i + 1), exclusive.
  int first_edge(int i) const { return first_edge_[i]; }
  int first_ghost_edge(int i) const { return first_ghost_edge_[i]; }  ///< first of these edges that leads to a ghost
  int upper_vertex(int edge) const { return upper_vertices_[edge]; }
  std::span<const Incidence> lower_edges(int j) const {
    return std::span(lower_).subspan(first_lower_[j], first_lower_[j + 1] - first_lower_[j]);
  }                                                                              // edges of an owned vertex
  std::span<const int> boundary_vertices() const { return boundary_vertices_; }  ///< owned vertices next to ghosts

  /// The edge between two local vertices in either order; -1 if no element couples them or neither is owned.
  int find(int i, int j) const;

 private:
  std::shared_ptr<const Halo> halo_;
  std::vector<int> first_edge_, first_ghost_edge_, upper_vertices_, first_lower_, boundary_vertices_;
  std::vector<Incidence> lower_;
};

}  // namespace traction
