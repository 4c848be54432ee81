#include "simulation/scene_materials.h"

namespace traction {

SceneMaterials materials_of(const Scene& scene, const DistributedMesh& mesh) {
  SceneMaterials materials{std::vector<const SolidMaterialSettings*>(mesh.tetrahedra.size(), nullptr),
                           std::vector<const ShellMaterialSettings*>(mesh.triangles.size(), nullptr),
                           std::vector<const RodMaterialSettings*>(mesh.rods.size(), nullptr)};
  for (const Body& body : scene.bodies) {
    for (const auto& [name, material] : body.solid)
      for (int element : mesh.region(body.name + "." + name).members) materials.solid[element] = &material;
    for (const auto& [name, material] : body.rod)
      for (int rod : mesh.region(body.name + "." + name).rods) materials.rod[rod] = &material;
    for (const auto& [name, material] : body.shell)
      for (int triangle : mesh.region(body.name + "." + name).members) materials.shell[triangle] = &material;
  }
  return materials;
}

}  // namespace traction
