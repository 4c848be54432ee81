// Builds the forces of a body's solids from the scene.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "simulation/element_slots.h"
#include "simulation/scene_materials.h"
#include "system/system.h"

namespace traction {

class NodalPressure;
class Softening;

/// The places at which four-node and ten-node tetrahedra keep states of one kind.
struct SolidSlots {
  ElementSlots tetrahedra, quadratics;
};

/// The places at which the elements of a scene keep their states.
struct MemoryPlaces {
  int branches = 0;                     ///< the largest number of relaxing stresses at a point of an element; 0 if nothing relaxes
  std::optional<SolidSlots> relaxing;   ///< given if something relaxes
  std::optional<SolidSlots> softening;  ///< given if something softens
};
/// The same for all bodies, which share the fields. Throws InputError on all ranks where results are to be reproducible on several ranks. @collective
MemoryPlaces memory_places(const DistributedMesh& mesh, const Scene& scene, const SceneMaterials& materials);

/// A region whose pressure is averaged over nodes.
struct AveragedRegion {
  std::shared_ptr<const NodalPressure> pressure;
  std::vector<int> elements;  ///< of this rank, in the order of the force's
};

/// The elements of a law that softens.
struct SoftenedElements {
  std::shared_ptr<const Softening> force;
  std::vector<int> elements;   ///< of this rank, in the order of the force's
  bool has_ten_nodes = false;  ///< whether these are numbers of ten-node tetrahedra
};

/// The data of a body's solids that frames need beside their state.
struct SolidMonitor {
  std::vector<AveragedRegion> averaged;
  std::vector<SoftenedElements> softened;
};

/// Adds the elasticity of a body's solids, one force for each material, the pressures that regions average over nodes, the fibres, the stress that relaxes and
/// what softening takes of it, the viscosity, and the drag on the mass of the whole body. @collective
SolidMonitor add_solid(System& system, const Body& body, const SceneMaterials& materials, const MemoryPlaces& places);

}  // namespace traction
