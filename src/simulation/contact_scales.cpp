#include "simulation/contact_scales.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "errors.h"
#include "parallel/collective.h"
#include "simulation/contact_pairs.h"
#include "simulation/scene_mesh.h"
#include "simulation/vertex_areas.h"

namespace traction {

namespace {

constexpr double kPressureAtZeroGap = 0.1;  // as a fraction of Young's modulus, for the default stiffness

}  // namespace

HalfThicknesses half_thicknesses(const DistributedMesh& mesh, const Body& body, const LocalRegion& region) {
  const auto corners = [&](int t) {
    std::array<int, 3> sorted = mesh.triangles[t];
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  };
  double any = 0;
  std::map<std::array<int, 3>, double> thickness;
  for (const int t : region.members) thickness[corners(t)] = 0;
  for (const auto& [name, material] : body.shell)
    for (const int t : mesh.region(body.name + "." + name).members)
      if (const auto found = thickness.find(corners(t)); found != thickness.end()) {
        found->second = std::max(found->second, material.thickness);
        any = 1;
      }
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  for (const auto& [triangle, value] : thickness) {
    smallest = std::min(smallest, value);
    largest = std::max(largest, value);
  }
  const MPI_Comm communicator = mesh.halo->communicator();
  largest = maximum_over_ranks(communicator, largest);
  return {std::min(minimum_over_ranks(communicator, smallest), largest) / 2, largest / 2, maximum_over_ranks(communicator, any) > 0};
}

std::vector<int> rods_of(const DistributedMesh& mesh, const Body& body, const std::string& region) {
  std::vector<int> rods;
  for (const auto& [name, material] : rods_of(body, region)) {
    const std::vector<int>& more = mesh.region(body.name + "." + name).rods;
    rods.insert(rods.end(), more.begin(), more.end());
  }
  return rods;
}

std::vector<int> owned_ends(const DistributedMesh& mesh, const std::vector<int>& rods) {
  std::vector<int> ends;
  for (const int r : rods)
    for (int i = 0; i < 2; ++i)
      if (const int end = mesh.rods[r].vertices[i]; end < mesh.halo->owned()) ends.push_back(end);
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

std::vector<double> rod_areas(const DistributedMesh& mesh, const std::vector<int>& rods, double radius) {
  std::vector<double> area(static_cast<std::size_t>(mesh.halo->owned()), 0.0);
  for (const int r : rods) {
    const auto& [a, b, twist] = mesh.rods[r].vertices;
    for (const int vertex : {a, b})
      if (vertex < mesh.halo->owned()) area[vertex] += (mesh.vertices[a] - mesh.vertices[b]).norm() * radius;
  }
  return area;
}

double half_thickness(const Body& body) {
  double largest = 0;
  for (const auto& [name, material] : body.shell) largest = std::max(largest, material.thickness);
  return largest / 2;
}

double half_thickness(const DistributedMesh& mesh, const Body& body, const LocalRegion& region) { return half_thicknesses(mesh, body, region).largest; }

bool rubs_beside_middle(const Body& body, const ContactSettings& settings) {
  return settings.friction && (settings.friction->largest_coefficient() > 0 || settings.friction->viscous > 0) && !body.shell.empty() &&
         std::all_of(body.shell.begin(), body.shell.end(), [](const auto& shell) { return shell.second.bends_as_plate(); });
}

std::vector<std::string> doubts_about_thicknesses(const DistributedMesh& mesh, const Scene& scene) {
  constexpr double kNotable = 0.1;  // relative to the contact's thickness
  std::vector<std::string> doubts;
  const auto check = [&](const ContactSettings& contact, const BodySurface& side) {
    const Body& body = scene.body(side.body);
    if (body.shell.empty() || !has_faces(body, side.region)) return;
    const auto [smallest, largest, of_shells] = half_thicknesses(mesh, body, mesh.region(contact_region(side)));
    if (!(largest - smallest > kNotable * contact.thickness)) return;
    doubts.push_back(fmt::format(
        "{}: '{}' is {:.3g} to {:.3g} m thick, and contact takes it for {:.3g} m thick everywhere, so that it touches up to {:.3g} m too early; name its "
        "regions of different thickness in contacts of their own",
        contact.source.text, to_text(side), 2 * smallest, 2 * largest, 2 * largest, largest - smallest));
  };
  for (const ContactSettings& contact : scene.contacts) {
    if (contact.all)
      for (const Body& body : scene.bodies) check(contact, {body.name, ""});
    else check(contact, contact.vertices);
    const auto* other = std::get_if<BodySurface>(&contact.against);
    if (!contact.all && other && !(*other == contact.vertices)) check(contact, *other);
  }
  return doubts;
}

std::vector<double> pressures_at_zero_gap(const DistributedMesh& mesh, const SceneMaterials& materials, const ContactSettings& settings,
                                          const std::vector<const Body*>& bodies, TouchedSide touched) {
  std::vector<double> pressure(mesh.vertices.size(), settings.stiffness ? 1 : settings.pressure.value_or(0));
  if (settings.stiffness || settings.pressure) return pressure;
  for (const Body* body : bodies)
    if (std::any_of(body->shell.begin(), body->shell.end(), [](const auto& shell) { return shell.second.thickness == 0; }))
      throw InputError(
          settings.source.text +
          ": the shell has no thickness, without which the hardness of its material is unknown; give the contact a pressure or a stiffness, or the shell "
          "a thickness");
  const auto raise = [&](int vertex, double modulus) { pressure[vertex] = std::max(pressure[vertex], kPressureAtZeroGap * modulus); };
  for (const auto& [name, material] : *materials.rigid) {
    const double modulus = touched == TouchedSide::rigid ? material.hardness.modulus(settings.thickness) : material.hardness.most;
    for (const int vertex : mesh.region(name).vertices) raise(vertex, modulus);
  }
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e)
    for (int vertex : mesh.tetrahedra[e]) raise(vertex, materials.solid[e]->youngs_modulus);
  for (int t : mesh.shells)
    if (materials.shell[t]->thickness > 0)
      for (int vertex : mesh.triangles[t]) raise(vertex, materials.shell[t]->youngs_modulus / materials.shell[t]->thickness);
  for (std::size_t r = 0; r < mesh.rods.size(); ++r)
    for (const int end : {mesh.rods[r].vertices[0], mesh.rods[r].vertices[1]}) raise(end, materials.rod[r]->youngs_modulus);
  return pressure;
}

double rigid_pressure(const SceneMaterials& materials, const ContactSettings& settings, const Body& body) {
  if (settings.stiffness || settings.pressure || !body.rigid) return std::numeric_limits<double>::infinity();
  const RigidHardness& hardness = materials.rigid->at(body.name).hardness;
  const double modulus = hardness.modulus(settings.thickness);
  return modulus < hardness.most ? kPressureAtZeroGap * modulus : std::numeric_limits<double>::infinity();
}

std::vector<double> largest_pressures(const DistributedMesh& mesh, const std::vector<const Body*>& touching, const std::vector<double>& pressures) {
  std::vector<double> largest(touching.size(), 0.0);
  for (std::size_t b = 0; b < touching.size(); ++b) {
    for (const int vertex : mesh.region(touching[b]->name).vertices) largest[b] = std::max(largest[b], pressures[vertex]);
    if (touching[b]->rigid) largest[b] = std::numeric_limits<double>::infinity();
  }
  MPI_Allreduce(MPI_IN_PLACE, largest.data(), static_cast<int>(largest.size()), MPI_DOUBLE, MPI_MAX, mesh.halo->communicator());
  return largest;
}

StiffnessShares share_stiffness(MPI_Comm communicator, const ContactSettings& settings, const std::vector<int>& vertices, const std::vector<double>& areas,
                                const std::vector<double>& pressures) {
  return share_stiffness_by_body(communicator, settings, {vertices}, areas, pressures).front();
}

StiffnessShares share_stiffness_of_side(const DistributedMesh& mesh, const SceneMaterials& materials, const ContactSettings& settings,
                                        const std::vector<int>& vertices, const LocalRegion& region, const Body& body, const Body* touched) {
  const bool on_rigid = !touched || touched->rigid;
  std::vector<double> pressures = pressures_at_zero_gap(mesh, materials, settings, {&body}, on_rigid ? TouchedSide::rigid : TouchedSide::deformable);
  if (!on_rigid && body.rigid)
    if (const double most = largest_pressures(mesh, {touched}, pressures).front(); most > 0)  // a membrane without a thickness has no such pressure
      for (double& pressure : pressures) pressure = std::min(pressure, most);
  return share_stiffness(mesh.halo->communicator(), settings, vertices, vertex_areas(mesh, region), pressures);
}

std::vector<StiffnessShares> share_stiffness_by_body(MPI_Comm communicator, const ContactSettings& settings, const std::vector<std::vector<int>>& bodies,
                                                     const std::vector<double>& areas, const std::vector<double>& pressures) {
  constexpr std::size_t kSums = 3;  // for each body: force, area, vertices
  std::vector<double> sums(kSums * bodies.size(), 0.0);
  for (std::size_t b = 0; b < bodies.size(); ++b)
    for (const int vertex : bodies[b]) {
      sums[kSums * b] += pressures[vertex] * areas[vertex];
      sums[kSums * b + 1] += areas[vertex];
      sums[kSums * b + 2] += 1;
    }
  sum_over_ranks(communicator, sums);
  std::vector<StiffnessShares> result;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const double *sum = sums.data() + kSums * b, mean_force = sum[0] / sum[2];
    StiffnessShares& shares = result.emplace_back(StiffnessShares{settings.stiffness.value_or(mean_force / (3 * settings.thickness)), sum[1] / sum[2], {}});
    for (const int vertex : bodies[b])
      shares.weights.push_back({pressures[vertex] * areas[vertex] / mean_force, 0, 1, areas[vertex], areas[vertex], 0, areas[vertex]});
  }
  return result;
}

}  // namespace traction
