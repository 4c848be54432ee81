// Finds the triangles that the curvature of a shell's triangle depends on: its neighbours, and theirs.
#pragma once

#include <array>
#include <vector>

#include "mesh/mesh.h"

namespace traction {

/// The patches of a list of triangles with hinges between them, which must outlive this. A triangle without hinges has an empty patch.
class ShellPatches {
 public:
  ShellPatches(const std::vector<std::array<int, 3>>& triangles, const std::vector<Hinge>& hinges);

  int size() const { return static_cast<int>(at_edges_.size()); }  ///< number of triangles; 0 if the mesh has no hinges
  /// The hinges at the edges of a triangle, from its vertex i to the next; -1 where it has none.
  const std::array<int, 3>& at_edges(int triangle) const { return at_edges_[triangle]; }
  /// The triangle beyond one of a triangle's hinges.
  int beyond(int triangle, int hinge) const;
  /// A patch has at most 9 hinges and 12 vertices. Both lists are sorted and name nothing twice.
  std::vector<int> hinges(int triangle) const;
  std::vector<int> vertices(int triangle) const;

 private:
  const std::vector<Hinge>& hinges_;
  std::vector<std::array<int, 3>> at_edges_;
};

}  // namespace traction
