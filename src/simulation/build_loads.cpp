#include "simulation/build_loads.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "elements/surface_load_elements.h"
#include "errors.h"
#include "forces/dead_load.h"
#include "forces/torque_load.h"
#include "mesh/mesh_plan.h"
#include "parallel/collective.h"
#include "simulation/make_stencil_force.h"
#include "simulation/region_shares.h"
#include "simulation/rigid_bodies.h"
#include "simulation/six_node_faces.h"

namespace traction {

namespace {

TimeTable table_of(const LoadSettings& load) {
  TimeTable table;
  for (const LoadPoint& point : load.over) table.push_back({point.time, point.factor});
  return table;
}

// Surfaces of solids, points, and parts of a rigid body have no mass of their own.
void require_mass(const System& system, const SceneMaterials& materials, const Body& body, const LoadSettings& load, const LocalRegion& region) {
  double total = 0;
  for (const auto& [vertex, mass] : masses_of_region(system, materials, region)) total += mass;
  if (!(sum_over_ranks(system.communicator(), total) > 0))
    throw InputError(
        fmt::format("{}: region '{}' of '{}' has no mass that a body_force, a force per mass, could act on; give 'force' or 'traction', or leave the "
                    "region out",
                    load.source.text, load.region, body.name));
}

std::shared_ptr<Force> dead_load(const System& system, const SceneMaterials& materials, const LoadSettings& load, const LocalRegion& region,
                                 const Field& start) {
  const bool by_area = load.kind == LoadKind::traction || (load.kind == LoadKind::force && region.dimension == 2);
  const std::map<int, double> shares = shares_of_vertices(system, materials, region, by_area);
  double total = 1;  // what the vector counts per
  if (load.kind == LoadKind::force) {
    total = 0;
    for (const auto& [vertex, share] : shares) total += share;
    total = sum_over_ranks(system.communicator(), total);
  }
  std::vector<int> vertices;
  std::vector<Vec3> forces;
  for (const auto& [vertex, share] : shares) {
    vertices.push_back(vertex);
    forces.push_back(share / total * load.vector);
  }
  return std::make_shared<DeadLoad>(std::move(vertices), std::move(forces), table_of(load), start);
}

std::shared_ptr<Force> torque_load(const System& system, const SceneMaterials& materials, const Body& body, const LoadSettings& load, const LocalRegion& region,
                                   const Field& start) {
  std::map<int, double> shares;
  if (body.rigid && load.region.empty())  // a couple is the same wherever forces on a rigid body make it
    for (const int particle : owned_particles(system.mesh(), body.name)) shares[particle] = 1;
  else shares = shares_of_vertices(system, materials, region, region.dimension == 2);
  std::vector<int> vertices;
  std::vector<double> weights;
  double total = 0;
  for (const auto& [vertex, share] : shares) total += share;
  total = sum_over_ranks(system.communicator(), total);
  for (const auto& [vertex, share] : shares) {
    vertices.push_back(vertex);
    weights.push_back(share / total);
  }
  const auto force = std::make_shared<TorqueLoad>(system.communicator(), std::move(vertices), std::move(weights), load.vector, table_of(load));
  if (!force->can_turn(start))
    throw InputError(fmt::format(
        "{}: the vertices of '{}' lie on one line, and forces on them cannot turn about it; {}", load.source.text,
        load.region.empty() ? body.name : load.region,
        body.rod.empty() ? "name a region that is wider" : "attach a rigid body to the rod's end and turn that, or drive a segment with an angular_velocity"));
  return force;
}

// The force of `of_face(vertices, their places at rest)` over the faces of ten-node tetrahedra that a region consists of, or of the same of triangles over
// those of a region with others. Collective.
template <typename OfTriangle, typename OfFace>
std::shared_ptr<Force> following_load(const DistributedMesh& mesh, const LocalRegion& region, const TimeTable& over, OfTriangle of_triangle, OfFace of_face) {
  std::vector<decltype(of_face(std::array<int, 6>(), std::array<Vec3, 6>()))> faces;
  for (const auto& face : six_node_faces(mesh, region)) faces.push_back(of_face(face, places(mesh, face)));
  if (sum_over_ranks(mesh.halo->communicator(), static_cast<double>(faces.size())) > 0) return make_stencil_force<6>(mesh, std::move(faces), "", over);
  std::vector<decltype(of_triangle(mesh.triangles[0], std::array<Vec3, 3>()))> elements;
  for (int t : region.members) elements.push_back(of_triangle(mesh.triangles[t], places(mesh, mesh.triangles[t])));
  return make_stencil_force<3>(mesh, std::move(elements), "", over);
}

// The part of the mesh that a load acts on.
const LocalRegion& loaded_region(const DistributedMesh& mesh, const Body& body, const LoadSettings& load) {
  if (load.region.empty()) return mesh.region(body.name);
  const auto region = [&](const std::string& name) { return mesh.find_region(body.name + "." + name); };
  if (load.kind != LoadKind::pressure) return *region(load.region);
  const LocalRegion* outward = region(outward_region(load.region));
  return outward ? *outward : *region(two_sided_region(load.region));
}

std::shared_ptr<Force> make_load(const System& system, const Body& body, const SceneMaterials& materials, const LoadSettings& load, const Field& start) {
  const DistributedMesh& mesh = system.mesh();
  const LocalRegion& region = loaded_region(mesh, body, load);
  using Triangle = std::array<int, 3>;
  using Face = std::array<int, 6>;
  if (load.kind == LoadKind::pressure)
    return following_load(
        mesh, region, table_of(load),
        [&](const Triangle& vertices, const auto&) {
          return PressureElement{vertices, *load.pressure};
        },
        [&](const Face& vertices, const auto&) {
          return QuadraticPressureElement{vertices, *load.pressure};
        });
  if (load.following)
    return following_load(
        mesh, region, table_of(load), [&](const Triangle& vertices, const auto& rest) { return TurningTractionElement(vertices, rest, load.vector); },
        [&](const Face& vertices, const auto& rest) { return QuadraticTurningTractionElement(vertices, rest, load.vector); });
  if (load.kind == LoadKind::torque) return torque_load(system, materials, body, load, region, start);
  if (load.kind == LoadKind::body_force) require_mass(system, materials, body, load, region);
  return dead_load(system, materials, load, region, start);
}

}  // namespace

std::vector<LoadMonitor> add_loads(System& system, const Body& body, const SceneMaterials& materials, const Field& start) {
  std::vector<LoadMonitor> monitors;
  for (const LoadSettings& load : body.loads) {
    const std::shared_ptr<Force> force = make_load(system, body, materials, load, start);
    system.add(force);
    monitors.push_back({load.name, force, load.kind == LoadKind::torque});
  }
  return monitors;
}

namespace {

// The triangles of a surface under pressure that point to the other side than most of its area, and all of its triangles; none where it has an outside.
// Collective.
std::array<double, 2> turned_triangles(const DistributedMesh& mesh, const Body& body, const LoadSettings& load) {
  std::array<double, 2> counts{};
  const LocalRegion* sides = load.kind == LoadKind::pressure ? mesh.find_region(body.name + "." + two_sided_region(load.region)) : nullptr;
  const LocalRegion* given = mesh.find_region(body.name + "." + load.region);
  if (sides && given) {
    const auto rotated = [&](int t) {  // the lowest vertex comes first
      std::array<int, 3> triangle = mesh.triangles[t];
      std::rotate(triangle.begin(), std::min_element(triangle.begin(), triangle.end()), triangle.end());
      return triangle;
    };
    std::set<std::array<int, 3>> as_loaded;
    for (const int t : sides->members) as_loaded.insert(rotated(t));
    for (const int t : given->members) {
      if (!mesh.owns(mesh.triangles[t])) continue;
      counts[0] += as_loaded.contains(rotated(t)) ? 0 : 1;
      counts[1] += 1;
    }
  }
  sum_over_ranks(mesh.halo->communicator(), counts);
  return counts;
}

}  // namespace

std::vector<std::string> doubts_about_loads(const System& system, const Scene& scene) {
  std::vector<std::string> doubts;
  for (const Body& body : scene.bodies)
    for (const LoadSettings& load : body.loads)
      if (const auto [turned, all] = turned_triangles(system.mesh(), body, load); turned > 0)
        doubts.push_back(
            fmt::format("{}: {:.0f} of the {:.0f} triangles of region '{}' point to the other side than most of its area, against which the pressure pushes "
                        "everywhere; orient all of them alike, so that the side is the one that you mean",
                        load.source.text, turned, all, load.region));
  const std::vector<DrivenGroup>& groups = system.constraints().given;
  for (const Body& body : scene.bodies)
    for (const LoadSettings& load : body.loads) {
      const std::vector<int>& loaded = loaded_region(system.mesh(), body, load).vertices;
      const auto is_loaded = [&](int vertex) { return std::binary_search(loaded.begin(), loaded.end(), vertex); };
      std::vector<double> counts(1 + groups.size(), 0.0);  // the vertices that may move, and for each group whether it holds any of the others
      for (const int vertex : loaded)
        if (vertex < system.halo().owned() && !system.held_for_good()[vertex]) ++counts[0];
      for (std::size_t g = 0; g < groups.size() && counts[0] == 0; ++g)
        if (groups[g].directions.empty() && std::isinf(groups[g].until) && !groups[g].holds_twists)
          counts[1 + g] = std::any_of(groups[g].vertices.begin(), groups[g].vertices.end(), is_loaded) ? 1 : 0;
      sum_over_ranks(system.communicator(), counts);
      if (counts[0] > 0) continue;
      std::set<std::string> holders;
      for (std::size_t g = 0; g < groups.size(); ++g)
        if (counts[1 + g] > 0) holders.insert(fmt::format("'{}'", groups[g].name));
      doubts.push_back(
          fmt::format("{}: everything that the load acts on, {}, is fixed or driven for good{}: it moves nothing, and only adds to reactions; name a "
                      "region that is free, or remove the load",
                      load.source.text, load.region.empty() ? "the whole body" : fmt::format("region '{}'", load.region),
                      holders.empty() ? "" : fmt::format(" by {}", fmt::join(holders, ", "))));
    }
  return doubts;
}

}  // namespace traction
