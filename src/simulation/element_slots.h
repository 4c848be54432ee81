// The places at which elements keep a state. Fields and checkpoints have numbers for vertices only, so a state is kept at one of the element's vertices.
#pragma once

#include <array>
#include <map>
#include <span>
#include <vector>

#include "mesh_partition/distribute.h"

namespace traction {

/// The place at which an element keeps its state: one of its vertices, and one of that vertex's slots.
struct ElementSlot {
  int vertex = -1;  ///< local
  int slot = 0;
};

/// The same at any number of ranks.
struct ElementSlots {
  int per_vertex = 0;                 ///< number of slots, the same for every vertex on all ranks
  std::map<int, ElementSlot> places;  ///< by the local number of an element

  /// `elements`: local vertices of each triangle, four-node or ten-node tetrahedron of the mesh. `marked`: for each of them, whether it keeps a state.
  /// @collective
  template <std::size_t N>
  ElementSlots(const DistributedMesh& mesh, std::span<const std::array<int, N>> elements, const std::vector<char>& marked);
};

extern template ElementSlots::ElementSlots(const DistributedMesh&, std::span<const std::array<int, 3>>, const std::vector<char>&);
extern template ElementSlots::ElementSlots(const DistributedMesh&, std::span<const std::array<int, 4>>, const std::vector<char>&);
extern template ElementSlots::ElementSlots(const DistributedMesh&, std::span<const std::array<int, 10>>, const std::vector<char>&);

}  // namespace traction
