// Where triangles keep a state: fields have numbers for vertices, and so have checkpoints.
#pragma once

#include <map>
#include <vector>

#include "mesh_partition/distribute.h"

namespace traction {

/// With which of its vertices a triangle keeps its state, and in which of that vertex's slots.
struct TriangleSlot {
  int vertex;  ///< local
  int slot;
};

/// The same at any number of ranks.
struct TriangleSlots {
  int per_vertex = 0;                  ///< slots, as many for every vertex on all ranks
  std::map<int, TriangleSlot> places;  ///< by local triangle

  /// `marked`: for each local triangle, whether it keeps a state. @collective
  TriangleSlots(const DistributedMesh& mesh, const std::vector<char>& marked);
};

}  // namespace traction
