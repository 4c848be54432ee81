#include "simulation/scene_materials.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "math/triangle_area.h"
#include "mesh/rigid_frame.h"
#include "parallel/collective.h"
#include "simulation/rigid_bodies.h"

namespace traction {

namespace {

// The centre of mass of a body whose mesh is placed, where the mesh was turned about it [m]. Collective.
Vec3 centre_of(const Body& body, const DistributedMesh& mesh) {
  std::array<double, 4> sums{};  // mass, first moments
  const auto add = [&](std::span<const int> corners, double mass) {
    sums[0] += mass;
    for (const int vertex : corners)
      for (int i = 0; i < 3; ++i) sums[1 + i] += mass * mesh.vertices[vertex][i] / static_cast<double>(corners.size());
  };
  const auto edge = [&](int a, int b) -> Vec3 { return mesh.vertices[b] - mesh.vertices[a]; };
  for (const auto& [name, material] : body.solid)
    for (const int e : mesh.region(body.name + "." + name).members)
      if (const auto& t = mesh.tetrahedra[e]; mesh.owns(t))
        add(t, material.density * std::abs(edge(t[0], t[1]).cross(edge(t[0], t[2])).dot(edge(t[0], t[3]))) / 6);
  for (const auto& [name, material] : body.shell)
    for (const int e : mesh.region(body.name + "." + name).members)
      if (const auto& t = mesh.triangles[e]; mesh.owns(t)) add(t, material.density * triangle_area(mesh.vertices, t));
  for (const auto& [name, material] : body.rod)
    for (const int r : mesh.region(body.name + "." + name).rods)
      if (const auto& t = mesh.rods[r].vertices; mesh.owns(t)) add(std::span(t).first(2), material.density * material.area() * edge(t[0], t[1]).norm());
  sum_over_ranks(mesh.halo->communicator(), sums);
  return Vec3(sums[1], sums[2], sums[3]) / sums[0];
}

// Collective.
Placement placement_of(const Body& body, const DistributedMesh& mesh) {
  const InitialSettings& initial = body.initial;
  Placement placement;
  placement.translation = initial.translate;
  if (initial.rotate.angle == 0) return placement;
  placement.rotation = Eigen::AngleAxisd(initial.rotate.angle * EIGEN_PI / 180, initial.rotate.axis).toRotationMatrix();
  placement.about = initial.rotate.about ? *initial.rotate.about : Vec3(centre_of(body, mesh) - initial.translate);
  return placement;
}

}  // namespace

SceneMaterials materials_of(const Scene& scene, const DistributedMesh& mesh) {
  SceneMaterials materials{std::vector<const SolidMaterialSettings*>(mesh.tetrahedra.size(), nullptr),
                           std::vector<const ShellMaterialSettings*>(mesh.triangles.size(), nullptr),
                           std::vector<const RodMaterialSettings*>(mesh.rods.size(), nullptr),
                           std::make_shared<const std::map<std::string, RigidMaterial>>(rigid_materials(scene, mesh)),
                           {}};
  for (const Body& body : scene.bodies) {
    if (body.rigid)
      for (int element : mesh.region(body.name + "." + kFrameRegion).members) materials.solid[element] = &materials.rigid->at(body.name).tetrahedron;
    for (const auto& [name, material] : body.solid)
      for (int element : mesh.region(body.name + "." + name).members) materials.solid[element] = &material;
    for (const auto& [name, material] : body.rod)
      for (int rod : mesh.region(body.name + "." + name).rods) materials.rod[rod] = &material;
    for (const auto& [name, material] : body.shell)
      for (int triangle : mesh.region(body.name + "." + name).members) materials.shell[triangle] = &material;
  }
  for (const Body& body : scene.bodies) {
    const auto has_fibres = [](const auto& solid) { return !solid.second.fibres.empty(); };
    const auto has_directions = [](const auto& shell) { return shell.second.warp || !shell.second.cords.empty(); };
    if (std::none_of(body.solid.begin(), body.solid.end(), has_fibres) && std::none_of(body.shell.begin(), body.shell.end(), has_directions)) continue;
    const Placement placement = placement_of(body, mesh);
    for (const auto& [name, material] : body.solid) materials.placements[&material] = placement;
    for (const auto& [name, material] : body.shell) materials.placements[&material] = placement;
  }
  return materials;
}

}  // namespace traction
