// The materials of a scene's elements.
#pragma once

#include <vector>

#include "mesh_partition/distribute.h"
#include "scene/scene.h"

namespace traction {

// Pointers into the scene, one for each of this rank's elements.
struct SceneMaterials {
  std::vector<const SolidMaterialSettings*> solid;  // one for each tetrahedron
  std::vector<const ShellMaterialSettings*> shell;  // one for each triangle; null for triangles that are not elements
  std::vector<const RodMaterialSettings*> rod;      // one for each segment of rods
};
SceneMaterials materials_of(const Scene& scene, const DistributedMesh& mesh);

}  // namespace traction
