#include "simulation/scene_materials.h"

#include "mesh/rigid_frame.h"
#include "simulation/rigid_bodies.h"

namespace traction {

namespace {

// The part of the modulus of a rigid body's tetrahedron by which its contact is made hard. Loads that strain the tetrahedron by its bound then press at about a
// hundredth of the pressure at zero gap.
constexpr double kContactHardness = 1e-2;

}  // namespace

SceneMaterials materials_of(const Scene& scene, const DistributedMesh& mesh) {
  SceneMaterials materials{std::vector<const SolidMaterialSettings*>(mesh.tetrahedra.size(), nullptr),
                           std::vector<const ShellMaterialSettings*>(mesh.triangles.size(), nullptr),
                           std::vector<const RodMaterialSettings*>(mesh.rods.size(), nullptr), std::vector<double>(mesh.vertices.size(), 0.0),
                           std::make_shared<const std::vector<SolidMaterialSettings>>(frame_materials(scene, mesh))};
  auto frame = materials.frames->begin();
  for (const Body& body : scene.bodies) {
    if (body.rigid) {
      for (int element : mesh.region(body.name + "." + kFrameRegion).members) materials.solid[element] = &*frame;
      for (int vertex : mesh.region(body.name).vertices) materials.hardness[vertex] = kContactHardness * frame->youngs_modulus;
      ++frame;
    }
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
