#include "simulation/build_solid.h"

#include <algorithm>

#include "elements/materials/solid_materials.h"
#include "forces/elastic_solid.h"
#include "forces/rayleigh_damping.h"

namespace traction {

namespace {

// `members`: the elements of one material, in the order of the mesh, which has the interior ones first.
template <template <typename> typename Material>
ViscousSolid add_elastic_solid(System& system, const std::vector<int>& members, const SceneMaterials& scene_materials) {
  const DistributedMesh& mesh = system.mesh();
  std::vector<SolidElement> elements;
  std::vector<Material<double>> materials;
  std::vector<LameParameters<double>> moduli;
  std::vector<char> owned;
  int interior = 0;
  for (int e : members) {
    const auto& t = mesh.tetrahedra[e];
    const SolidMaterialSettings& material = *scene_materials.solid[e];
    elements.emplace_back(t, std::array<Vec3, 4>{mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]], mesh.vertices[t[3]]});
    materials.push_back(Material<double>::from(material));
    moduli.push_back(materials.back().linear_moduli());
    owned.push_back(mesh.owns(t));
    if (e < mesh.interior_tetrahedra) ++interior;
  }
  const auto batches = std::make_shared<const SolidBatches>(elements, interior, owned, system.pattern());
  system.add(std::make_shared<ElasticSolid<Material>>(batches, materials));
  return {batches, batches->packed(moduli)};
}

}  // namespace

void add_solid(System& system, const Body& body, const SceneMaterials& materials) {
  const DistributedMesh& mesh = system.mesh();
  std::vector<ViscousSolid> viscous;
  SolidMaterials::for_each([&]<template <typename> typename Material>() {
    std::vector<int> members;
    bool is_used = false;  // on any rank
    for (const auto& [name, region] : body.solid) {
      if (word_of(region.material) != Material<double>::name) continue;
      is_used = true;
      const std::vector<int>& added = mesh.region(body.name + "." + name).members;
      members.insert(members.end(), added.begin(), added.end());
    }
    if (!is_used) return;
    std::sort(members.begin(), members.end());
    const ViscousSolid solid = add_elastic_solid<Material>(system, members, materials);
    if (body.damping.stiffness != 0) viscous.push_back(solid);
  });
  if (body.damping.mass == 0 && viscous.empty()) return;
  std::vector<double> mass_damping(mesh.vertices.size(), 0.0);
  const auto damp = [&](int vertex) { mass_damping[vertex] = body.damping.mass * system.mass()[vertex]; };
  for (int vertex : mesh.region(body.name).vertices) damp(vertex);
  for (const auto& [name, material] : body.rod)
    for (int rod : mesh.region(body.name + "." + name).rods) damp(mesh.rods[rod].vertices[2]);
  system.add(std::make_shared<RayleighDamping>(std::move(mass_damping), std::move(viscous), body.damping.stiffness, mesh.halo->owned()));
}

}  // namespace traction
