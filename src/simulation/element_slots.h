// Where elements keep a state: fields have numbers for vertices, and so have checkpoints.
#pragma once

#include <array>
#include <map>
#include <span>
#include <vector>

#include "mesh_partition/distribute.h"

namespace traction {

/// Where an element keeps its state: at one of its vertices, in one of that vertex's slots.
struct ElementSlot {
  int vertex = -1;  ///< local
  int slot = 0;
};

/// The same at any number of ranks.
struct ElementSlots {
  int per_vertex = 0;                 ///< slots, as many for every vertex on all ranks
  std::map<int, ElementSlot> places;  ///< by the local number of an element

  /// `elements`: local vertices of each triangle or tetrahedron of the mesh. `marked`: for each of them, whether it keeps a state. @collective
  template <std::size_t N>
  ElementSlots(const DistributedMesh& mesh, std::span<const std::array<int, N>> elements, const std::vector<char>& marked);
};

extern template ElementSlots::ElementSlots(const DistributedMesh&, std::span<const std::array<int, 3>>, const std::vector<char>&);
extern template ElementSlots::ElementSlots(const DistributedMesh&, std::span<const std::array<int, 4>>, const std::vector<char>&);

}  // namespace traction
