#include "simulation/build_shell.h"

#include <algorithm>

#include "elements/membrane_element.h"
#include "simulation/bending_builder.h"
#include "simulation/make_stencil_force.h"

namespace traction {

std::shared_ptr<const ShellBending> add_shell(System& system, const Body& body, const SceneMaterials& materials) {
  if (body.shell.empty()) return {};
  const DistributedMesh& mesh = system.mesh();
  const double viscous_time = body.damping.stiffness;
  std::vector<int> triangles;
  std::vector<MembraneElement> membranes;
  for (const auto& [name, material] : body.shell)
    for (int t : mesh.region(body.name + "." + name).members) {
      triangles.push_back(t);
      membranes.emplace_back(mesh.triangles[t], places(mesh, mesh.triangles[t]), MembraneMaterial(material.youngs_modulus, material.poisson_ratio),
                             viscous_time);
    }
  system.add(make_stencil_force<3>(mesh, std::move(membranes), "elastic"));
  if (std::none_of(body.shell.begin(), body.shell.end(), [](const auto& shell) { return shell.second.bending_stiffness > 0; })) return {};
  // In the order of the vertices, so that what is near in space is near in memory.
  const auto lowest = [&](int t) { return *std::min_element(mesh.triangles[t].begin(), mesh.triangles[t].end()); };
  std::stable_sort(triangles.begin(), triangles.end(), [&](int a, int b) { return lowest(a) < lowest(b); });
  const bool yields = std::any_of(body.shell.begin(), body.shell.end(), [](const auto& shell) { return shell.second.yield_curvature > 0; });
  std::vector<char> keeps_flow;  // for all bodies, which share the field
  for (const ShellMaterialSettings* material : materials.shell) keeps_flow.push_back(yields && material && material->yield_curvature > 0);
  const ElementSlots slots(mesh, std::span<const std::array<int, 3>>(mesh.triangles), keeps_flow);
  BendingBuilder builder(system, materials);
  if (!mesh.hinges.empty())
    for (int t : triangles) builder.add(t, slots);
  const auto bending = std::make_shared<ShellBending>(builder.hinges, builder.patches, mesh.halo->owned(), viscous_time, slots.per_vertex);
  system.add(bending);
  return yields ? bending : nullptr;
}

}  // namespace traction
