// Where bodies carry each other.
#pragma once

#include <mpi.h>

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "math/box_tree.h"
#include "math/tensor.h"

namespace traction {

/// Vertices, edges and triangles that other bodies carry, in their places at rest. Every rank knows all of them.
class AttachedPlaces {
 public:
  AttachedPlaces() = default;
  /// `features`: this rank's, each with three corners, of which two may be equal in an edge, or all in a vertex [m]. @collective
  AttachedPlaces(MPI_Comm communicator, std::span<const std::array<Vec3, 3>> features);

  /// Whether any of them is nearer than `distance` [m] to a place at rest.
  bool is_near(const Vec3& place, double distance) const;

 private:
  std::vector<std::array<Vec3, 3>> features_;
  std::shared_ptr<const BoxTree> boxes_;
};

}  // namespace traction
