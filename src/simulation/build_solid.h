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

/// Where the elements of a scene keep stress that relaxes.
struct RelaxationPlaces {
  int branches = 0;                   ///< the most that an element has; 0 if nothing relaxes
  std::optional<ElementSlots> slots;  ///< there if something relaxes
};
/// The same for all bodies, which share the field. Throws InputError on all ranks where results are to be reproducible on several ranks. @collective
RelaxationPlaces relaxation_places(const DistributedMesh& mesh, const Scene& scene, const SceneMaterials& materials);

/// A region whose pressure is averaged over nodes.
struct AveragedRegion {
  std::shared_ptr<const NodalPressure> pressure;
  std::vector<int> elements;  ///< of this rank, in the order of the force's
};

/// Adds the elasticity of a body's solids, one force for each material, the pressures that regions average over nodes, the stress that relaxes, the viscosity,
/// and the drag on the mass of the whole body. @collective
std::vector<AveragedRegion> add_solid(System& system, const Body& body, const SceneMaterials& materials, const RelaxationPlaces& places);

}  // namespace traction
