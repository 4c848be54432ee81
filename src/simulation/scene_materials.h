// What the elements of a scene are made of.
#pragma once

#include <vector>

#include "mesh_partition/distribute.h"
#include "scene/scene.h"

namespace traction {

// Into the scene, of this rank's elements.
struct SceneMaterials {
  std::vector<const SolidMaterialSettings*> solid;  // of each tetrahedron
  std::vector<const ShellMaterialSettings*> shell;  // of each triangle; null for those that are not elements
  std::vector<const RodMaterialSettings*> rod;      // of each segment of rods
};
SceneMaterials materials_of(const Scene& scene, const DistributedMesh& mesh);

}  // namespace traction
