#include "simulation/scene_materials.h"

namespace traction {

SceneMaterials materials_of(const Scene& scene, const DistributedMesh& mesh) {
  SceneMaterials materials{std::vector<const SolidMaterialSettings*>(mesh.tetrahedra.size(), nullptr),
                           std::vector<const ShellMaterialSettings*>(mesh.triangles.size(), nullptr)};
  for (const Body& body : scene.bodies) {
    for (const auto& [name, material] : body.solid)
      for (int element : mesh.region(body.name + "." + name).members) materials.solid[element] = &material;
    for (const auto& [name, material] : body.shell)
      for (int triangle : mesh.region(body.name + "." + name).members) materials.shell[triangle] = &material;
  }
  return materials;
}

std::vector<double> lumped_mass(const DistributedMesh& mesh, const SceneMaterials& materials) {
  std::vector<double> mass(mesh.vertices.size(), 0.0);
  const auto edge = [&](int a, int b) -> Vec3 { return mesh.vertices[b] - mesh.vertices[a]; };
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    const auto& t = mesh.tetrahedra[e];
    const double volume = edge(t[0], t[1]).cross(edge(t[0], t[2])).dot(edge(t[0], t[3])) / 6;
    for (int vertex : t) mass[vertex] += materials.solid[e]->density * volume / 4;
  }
  for (int e : mesh.shells) {
    const auto& t = mesh.triangles[e];
    const double area = edge(t[0], t[1]).cross(edge(t[0], t[2])).norm() / 2;
    for (int vertex : t) mass[vertex] += materials.shell[e]->density * area / 3;
  }
  return mass;
}

}  // namespace traction
