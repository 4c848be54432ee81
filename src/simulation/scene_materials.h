// The materials of a scene's elements.
#pragma once

#include <memory>
#include <vector>

#include "mesh_partition/distribute.h"
#include "scene/scene.h"

namespace traction {

/// Pointers into the scene and to the materials of rigid bodies, one for each of this rank's elements.
struct SceneMaterials {
  std::vector<const SolidMaterialSettings*> solid;  ///< one for each tetrahedron
  std::vector<const ShellMaterialSettings*> shell;  ///< one for each triangle; null for triangles that are not elements
  std::vector<const RodMaterialSettings*> rod;      ///< one for each segment of rods
  std::vector<double> hardness;                     ///< for each local vertex of a rigid body, a modulus by which contact is made hard, else 0 [Pa]
  std::shared_ptr<const std::vector<SolidMaterialSettings>> frames;  ///< one for each rigid body
};
/// @collective
SceneMaterials materials_of(const Scene& scene, const DistributedMesh& mesh);

}  // namespace traction
