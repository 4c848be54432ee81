#include "simulation/build_solid.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <type_traits>

#include "elements/materials/solid_materials.h"
#include "errors.h"
#include "forces/elastic_solid.h"
#include "forces/nodal_pressure.h"
#include "forces/quadratic_solid.h"
#include "forces/rayleigh_damping.h"
#include "forces/relaxing_solid.h"
#include "forces/softening_solid.h"
#include "parallel/collective.h"
#include "simulation/material_directions.h"
#include "simulation/region_shares.h"

namespace traction {

namespace {

// `members`: elements in the order of the mesh, which has the interior ones first.
std::shared_ptr<const SolidBatches> batches_of(const System& system, const std::vector<int>& members) {
  const DistributedMesh& mesh = system.mesh();
  std::vector<SolidElement> elements;
  std::vector<char> owned;
  int interior = 0;
  for (int e : members) {
    const auto& t = mesh.tetrahedra[e];
    elements.emplace_back(t, std::array<Vec3, 4>{mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]], mesh.vertices[t[3]]});
    owned.push_back(mesh.owns(t));
    if (e < mesh.interior_tetrahedra) ++interior;
  }
  return std::make_shared<const SolidBatches>(elements, interior, owned, system.pattern());
}

// Whether the tetrahedra of a body have ten nodes: all, or none. Collective.
bool has_quadratics(const DistributedMesh& mesh, const Body& body) {
  double parts = 0;
  for (const auto& [name, region] : body.solid)
    for (const int e : mesh.region(body.name + "." + name).members) parts += mesh.is_part(e);
  return sum_over_ranks(mesh.halo->communicator(), parts) > 0;
}

// The ten-node tetrahedra of which some tetrahedra are parts, ascending.
std::vector<int> quadratics_of(const DistributedMesh& mesh, const std::vector<int>& parts) {
  std::vector<int> quadratics;
  for (const int e : parts) quadratics.push_back(mesh.quadratic_of[e]);
  std::sort(quadratics.begin(), quadratics.end());
  quadratics.erase(std::unique(quadratics.begin(), quadratics.end()), quadratics.end());
  return quadratics;
}

// `members`: numbers of ten-node tetrahedra in the mesh, ascending.
std::shared_ptr<const QuadraticBatches> quadratic_batches_of(const System& system, const std::vector<int>& members) {
  const DistributedMesh& mesh = system.mesh();
  std::vector<std::array<int, 10>> vertices;
  std::vector<char> owned;
  for (const int e : members) {
    vertices.push_back(mesh.quadratics[e].vertices);
    owned.push_back(mesh.owns(mesh.quadratics[e].vertices));
  }
  const int interior = static_cast<int>(std::lower_bound(members.begin(), members.end(), mesh.interior_quadratics) - members.begin());
  return std::make_shared<const QuadraticBatches>(vertices, mesh.vertices, interior, owned, system.pattern());
}

// Batches of elements of either kind, the material of an element, and the places of states of its kind.
template <typename Batches>
inline constexpr bool kHasTenNodes = std::is_same_v<Batches, QuadraticBatches>;
template <typename Batches>
std::shared_ptr<const Batches> batches_of_kind(const System& system, const std::vector<int>& members) {
  if constexpr (kHasTenNodes<Batches>) return quadratic_batches_of(system, members);
  else return batches_of(system, members);
}
template <typename Batches>
const SolidMaterialSettings& material_of(const DistributedMesh& mesh, const SceneMaterials& materials, int element) {
  if constexpr (kHasTenNodes<Batches>) return *materials.solid[mesh.quadratics[element].part];
  else return *materials.solid[element];
}
template <typename Batches>
const ElementSlots& slots_of_kind(const SolidSlots& slots) {
  if constexpr (kHasTenNodes<Batches>) return slots.quadratics;
  else return slots.tetrahedra;
}

// Whether the stresses of a body's elements are foretold (docs/theory/newton.md, "Foretold stresses"): without inertia, and if no region of it relaxes or
// softens. Averaged pressures are foretold in any case.
bool foretells(const System& system, const Body& body) {
  const auto remembers = [](const auto& solid) { return !solid.second.prony.empty() || solid.second.mullins; };
  return !system.has_inertia() && std::none_of(body.solid.begin(), body.solid.end(), remembers);
}

// Adds the fibres of a body as one force, in which an element counts once for each family. Collective.
void add_fibres(System& system, const Body& body, const SceneMaterials& materials, bool is_quadratic) {
  if (std::all_of(body.solid.begin(), body.solid.end(), [](const auto& solid) { return solid.second.fibres.empty(); })) return;
  const DistributedMesh& mesh = system.mesh();
  std::vector<int> regions, members;
  for (const auto& [name, region] : body.solid) {
    const std::vector<int>& added = mesh.region(body.name + "." + name).members;
    regions.insert(regions.end(), added.begin(), added.end());
  }
  if (is_quadratic) regions = quadratics_of(mesh, regions);
  std::sort(regions.begin(), regions.end());
  std::vector<FibreFamily<double>> families;
  for (const int e : regions)
    for (const FibreFamily<double>& family : fibres_of(mesh, materials, is_quadratic ? mesh.quadratics[e].part : e)) {
      members.push_back(e);
      families.push_back(family);
    }
  if (is_quadratic) {
    std::vector<QuadraticMaterialOf<FibreFamily, double>> laws;
    laws.reserve(families.size());
    for (const FibreFamily<double>& family : families) laws.push_back({family, {0}});
    system.add(std::make_shared<QuadraticSolid<FibreFamily>>(quadratic_batches_of(system, members), laws, VolumetricLaw::Form{}, foretells(system, body)));
  } else {
    system.add(std::make_shared<ElasticSolid<FibreFamily>>(batches_of(system, members), families, foretells(system, body)));
  }
}

// Adds the elasticity and the viscosity of ten-node tetrahedra of one law. `members`: their numbers in the mesh, ascending. Collective.
template <template <typename> typename Material>
void add_quadratic_solid(System& system, const std::vector<int>& members, const SceneMaterials& scene_materials, double damping, bool has_foretold) {
  const DistributedMesh& mesh = system.mesh();
  std::vector<QuadraticMaterialOf<Material, double>> materials;
  std::vector<LameParameters<double>> moduli;
  VolumetricLaw::Form form{};
  for (const int e : members) {
    const auto [material, form_of_law] = quadratic_material(Material<double>::from(material_of<QuadraticBatches>(mesh, scene_materials, e)));
    form = form_of_law;
    materials.push_back(material);
    moduli.push_back(material.law.linear_moduli());
  }
  const auto batches = quadratic_batches_of(system, members);
  system.add(std::make_shared<QuadraticSolid<Material>>(batches, materials, form, has_foretold));
  if (damping != 0) system.add(std::make_shared<QuadraticViscosity>(batches, moduli, damping));
}

// Adds the pressures of a body's regions that average them over nodes. Collective.
std::vector<AveragedRegion> add_nodal_pressures(System& system, const Body& body) {
  std::vector<AveragedRegion> regions;
  for (const auto& [name, material] : body.solid) {
    if (material.pressure != PressureAverage::nodal_average) continue;
    AveragedRegion region{nullptr, system.mesh().region(body.name + "." + name).members};
    std::sort(region.elements.begin(), region.elements.end());
    const auto pressure = std::make_shared<NodalPressure>(system.mesh().halo, batches_of(system, region.elements), averaged_law(material));
    system.add(pressure);
    region.pressure = pressure;
    regions.push_back(std::move(region));
  }
  return regions;
}

// `members`: the elements of one material.
template <template <typename> typename Material>
ViscousSolid add_elastic_solid(System& system, const std::vector<int>& members, const SceneMaterials& scene_materials, bool has_foretold) {
  std::vector<Material<double>> materials;
  std::vector<LameParameters<double>> moduli;
  for (int e : members) {
    materials.push_back(element_law<Material>(*scene_materials.solid[e]));
    moduli.push_back(materials.back().linear_moduli());
  }
  const auto batches = batches_of(system, members);
  system.add(std::make_shared<ElasticSolid<Material>>(batches, materials, has_foretold));
  return {batches, batches->packed(moduli)};
}

// Adds the stress that relaxes in elements of one material, of which some may have none. Collective.
template <template <typename> typename Material, typename Batches>
void add_relaxing_solid(System& system, std::vector<int> members, const SceneMaterials& scene_materials, const MemoryPlaces& places) {
  const auto settings_of = [&](int e) -> const SolidMaterialSettings& { return material_of<Batches>(system.mesh(), scene_materials, e); };
  std::erase_if(members, [&](int e) { return settings_of(e).prony.empty(); });
  const ElementSlots& slots = slots_of_kind<Batches>(*places.relaxing);
  std::vector<Material<double>> shapes;
  std::vector<RelaxingElement> elements;
  for (int e : members) {
    const SolidMaterialSettings& material = settings_of(e);
    shapes.push_back(shape_law<Material>(material));
    RelaxingElement& element = elements.emplace_back();
    for (const PronySettings& branch : material.prony) element.branches.push_back({branch.ratio, branch.time});
    element.home = slots.places.at(e).vertex;
    element.slot = slots.places.at(e).slot;
  }
  system.add(
      std::make_shared<RelaxingSolid<Material, Batches>>(batches_of_kind<Batches>(system, members), shapes, elements, places.branches, slots.per_vertex));
}

// Adds the part of the stress that softening takes away in elements of one material, of which some may not soften. Collective.
template <template <typename> typename Material, typename Batches>
SoftenedElements add_softening_solid(System& system, std::vector<int> members, const SceneMaterials& scene_materials, const MemoryPlaces& places) {
  const auto settings_of = [&](int e) -> const SolidMaterialSettings& { return material_of<Batches>(system.mesh(), scene_materials, e); };
  std::erase_if(members, [&](int e) { return !settings_of(e).mullins; });
  const ElementSlots& slots = slots_of_kind<Batches>(*places.softening);
  std::vector<Material<double>> shapes;
  std::vector<SofteningElement> elements;
  for (int e : members) {
    const SolidMaterialSettings& material = settings_of(e);
    shapes.push_back(shape_law<Material>(material));
    const ElementSlot& place = slots.places.at(e);
    elements.push_back({{material.mullins->r, material.mullins->m, material.mullins->beta}, place.vertex, place.slot});
  }
  const auto force =
      std::make_shared<SofteningSolid<Material, Batches>>(batches_of_kind<Batches>(system, members), shapes, std::move(elements), slots.per_vertex);
  system.add(force);
  return {force, std::move(members), kHasTenNodes<Batches>};
}

}  // namespace

MemoryPlaces memory_places(const DistributedMesh& mesh, const Scene& scene, const SceneMaterials& materials) {
  MemoryPlaces places;
  bool softens = false;
  const SolidMaterialSettings* remembering = nullptr;
  for (const Body& body : scene.bodies)
    for (const auto& [region, material] : body.solid) {
      places.branches = std::max(places.branches, static_cast<int>(material.prony.size()));
      softens = softens || material.mullins;
      if (!remembering && (material.mullins || !material.prony.empty())) remembering = &material;
    }
  if (!remembering) return places;
  int ranks = 1;
  MPI_Comm_size(mesh.halo->communicator(), &ranks);
  // Ranks that hold an element between them number its vertices in other orders, so their sums over these differ in the last bits.
  if (scene.solver.reproducible && ranks > 1)
    throw InputError(
        fmt::format("{}: {} is not the same to the last bit on several ranks, as solver.reproducible demands; take one rank, or leave "
                    "solver.reproducible out",
                    remembering->source.text, remembering->mullins ? "softening (mullins)" : "stress that relaxes (prony)"));
  std::vector<std::array<int, 10>> quadratics;
  for (const LocalQuadratic& quadratic : mesh.quadratics) quadratics.push_back(quadratic.vertices);
  const auto slots_where = [&](auto remembers) {
    std::vector<char> marks, quadratic_marks;
    for (int e = 0; e < static_cast<int>(mesh.tetrahedra.size()); ++e) marks.push_back(!mesh.is_part(e) && remembers(*materials.solid[e]));
    for (const LocalQuadratic& quadratic : mesh.quadratics) quadratic_marks.push_back(remembers(*materials.solid[quadratic.part]));
    return SolidSlots{ElementSlots(mesh, std::span<const std::array<int, 4>>(mesh.tetrahedra), marks),
                      ElementSlots(mesh, std::span<const std::array<int, 10>>(quadratics), quadratic_marks)};
  };
  if (places.branches > 0) places.relaxing = slots_where([](const SolidMaterialSettings& material) { return !material.prony.empty(); });
  if (softens) places.softening = slots_where([](const SolidMaterialSettings& material) { return material.mullins.has_value(); });
  return places;
}

SolidMonitor add_solid(System& system, const Body& body, const SceneMaterials& materials, const MemoryPlaces& places) {
  const DistributedMesh& mesh = system.mesh();
  SolidMonitor monitor;
  std::vector<ViscousSolid> viscous;
  const bool is_quadratic = has_quadratics(mesh, body);
  SolidMaterials::for_each([&]<template <typename> typename Material>() {
    std::vector<int> members;
    bool is_used = false, relaxes = false, softens = false;  // on any rank
    for (const auto& [name, region] : body.solid) {
      if (word_of(region.material) != Material<double>::name) continue;
      is_used = true;
      relaxes = relaxes || !region.prony.empty();
      softens = softens || region.mullins;
      const std::vector<int>& added = mesh.region(body.name + "." + name).members;
      members.insert(members.end(), added.begin(), added.end());
    }
    if (!is_used) return;
    if (is_quadratic) {
      members = quadratics_of(mesh, members);
      add_quadratic_solid<Material>(system, members, materials, body.damping.stiffness, foretells(system, body));
      if constexpr (requires { Material<double>::bulk; }) {
        if (relaxes) add_relaxing_solid<Material, QuadraticBatches>(system, members, materials, places);
        if (softens) monitor.softened.push_back(add_softening_solid<Material, QuadraticBatches>(system, members, materials, places));
      }
      return;
    }
    std::sort(members.begin(), members.end());
    const ViscousSolid solid = add_elastic_solid<Material>(system, members, materials, foretells(system, body));
    if (body.damping.stiffness != 0) viscous.push_back(solid);
    if constexpr (requires { Material<double>::bulk; }) {
      if (relaxes) add_relaxing_solid<Material, SolidBatches>(system, members, materials, places);
      if (softens) monitor.softened.push_back(add_softening_solid<Material, SolidBatches>(system, members, materials, places));
    }
  });
  add_fibres(system, body, materials, is_quadratic);
  monitor.averaged = add_nodal_pressures(system, body);
  if (body.damping.mass == 0 && viscous.empty()) return monitor;
  std::vector<double> mass_damping(mesh.vertices.size(), 0.0);
  for (const auto& [vertex, mass] : masses_of_body(system, mesh.region(body.name))) mass_damping[vertex] = body.damping.mass * mass;
  for (const auto& [name, material] : body.rod)
    for (int rod : mesh.region(body.name + "." + name).rods) {
      const int twist = mesh.rods[rod].vertices[2];
      mass_damping[twist] = body.damping.mass * system.own_mass()[twist];
    }
  system.add(std::make_shared<RayleighDamping>(std::move(mass_damping), std::move(viscous), body.damping.stiffness, mesh.halo->owned()));
  return monitor;
}

}  // namespace traction
