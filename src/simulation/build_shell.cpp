#include "simulation/build_shell.h"

#include <algorithm>
#include <type_traits>

#include "simulation/bending_builder.h"
#include "simulation/make_stencil_force.h"
#include "simulation/shell_sheets.h"

namespace traction {

namespace {

// Adds the membranes of a body that have one law. Collective.
template <typename Sheet>
void add_membranes(System& system, const Body& body, const SceneMaterials& materials, ShellMaterial law) {
  const DistributedMesh& mesh = system.mesh();
  std::vector<MembraneElementOf<Sheet>> membranes;
  bool is_used = false;
  for (const auto& [name, material] : body.shell) {
    if (material.material != law) continue;
    is_used = true;
    for (const int t : mesh.region(body.name + "." + name).members) {
      const std::array<Vec3, 3> rest = places(mesh, mesh.triangles[t]);
      with_sheet(material, materials.placement_of(material), rest, [&](const auto& sheet) {
        if constexpr (std::is_same_v<std::decay_t<decltype(sheet)>, Sheet>) membranes.emplace_back(mesh.triangles[t], rest, sheet, body.damping.stiffness);
      });
    }
  }
  if (is_used) system.add(make_stencil_force<3>(mesh, std::move(membranes), "elastic"));
}

// Adds the layers of cords in a body. Collective.
void add_cords(System& system, const Body& body, const SceneMaterials& materials) {
  const DistributedMesh& mesh = system.mesh();
  std::vector<MembraneElementOf<CordLayer>> layers;
  bool is_used = false;
  for (const auto& [name, material] : body.shell) {
    is_used = is_used || !material.cords.empty();
    for (const int t : mesh.region(body.name + "." + name).members) {
      const std::array<Vec3, 3> rest = places(mesh, mesh.triangles[t]);
      for (const CordLayer& layer : cords_in(material, materials.placement_of(material), rest)) layers.emplace_back(mesh.triangles[t], rest, layer, 0);
    }
  }
  if (is_used) system.add(make_stencil_force<3>(mesh, std::move(layers), "elastic"));
}

// Adds the strain limits of a body. Collective.
void add_strain_limits(System& system, const Body& body) {
  const DistributedMesh& mesh = system.mesh();
  std::vector<MembraneElementOf<StrainLimit>> limits;
  bool is_used = false;
  for (const auto& [name, material] : body.shell) {
    if (!material.strain_limit) continue;
    is_used = true;
    for (const int t : mesh.region(body.name + "." + name).members)
      limits.emplace_back(mesh.triangles[t], places(mesh, mesh.triangles[t]), *strain_limit_of(material), 0);
  }
  if (is_used) system.add(make_stencil_force<3>(mesh, std::move(limits), "elastic"));
}

}  // namespace

std::shared_ptr<const ShellBending> add_shell(System& system, const Body& body, const SceneMaterials& materials) {
  if (body.shell.empty()) return {};
  const DistributedMesh& mesh = system.mesh();
  const double viscous_time = body.damping.stiffness;
  for (const auto& choice : choices_of(ShellMaterial{}))
    with_sheet_class(choice.value, [&]<typename Sheet>() { add_membranes<Sheet>(system, body, materials, choice.value); });
  add_cords(system, body, materials);
  add_strain_limits(system, body);
  std::vector<int> triangles;
  for (const auto& [name, material] : body.shell) {
    const std::vector<int>& members = mesh.region(body.name + "." + name).members;
    triangles.insert(triangles.end(), members.begin(), members.end());
  }
  if (std::none_of(body.shell.begin(), body.shell.end(), [](const auto& shell) { return shell.second.bending_stiffness > 0; })) return {};
  // In the order of the vertices, so that elements that are near in space are near in memory.
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
