#include "simulation/build_contact.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "contact/lagged_friction.h"
#include "contact/pair_force.h"
#include "contact/surface_rings.h"
#include "contact/vertex_obstacle.h"
#include "contact/vertex_surface.h"
#include "errors.h"
#include "mesh/mesh_plan.h"
#include "mesh/read_mesh.h"
#include "parallel/collective.h"
#include "simulation/scene_mesh.h"

namespace traction {

namespace {

constexpr double kRimWidth = 1.1;           // the least ratio of a mesh surface's reach to where its rim begins
constexpr double kPressureAtZeroGap = 0.1;  // as a fraction of Young's modulus, for the default stiffness

class ContactBuilder {
 public:
  ContactBuilder(Simulation& simulation, const ContactSettings& settings, const SceneMaterials& materials)
      : simulation_(simulation), system_(*simulation.system), mesh_(*simulation.mesh), settings_(settings), materials_(materials) {}

  std::shared_ptr<ContactGroup> build() {
    const auto* other = std::get_if<BodySurface>(&settings_.against);
    if (!other) return against_obstacle();
    const std::vector<int> first = vertices_of(settings_.vertices), second = settings_.both ? vertices_of(*other) : std::vector<int>{};
    require_something_free(other);
    const double stiffness = stiffness_for(first, settings_.vertices);
    auto group = std::make_shared<ContactGroup>(settings_.name, law(stiffness));
    add_pairs(*group, against_mesh(first, *other));
    if (settings_.both) add_pairs(*group, against_mesh(second, settings_.vertices), -1);
    return group;
  }

 private:
  const LocalRegion& region(const BodySurface& surface) const { return mesh_.region(contact_region(surface)); }

  // Owned; their areas go to the simulation.
  std::vector<int> vertices_of(const BodySurface& surface) {
    std::vector<int> vertices = region(surface).vertices;
    std::erase_if(vertices, [&](int vertex) { return vertex >= mesh_.halo->owned(); });
    const std::vector<double> areas = vertex_areas(region(surface));
    for (int vertex : vertices) simulation_.contact_area[vertex] = std::max(simulation_.contact_area[vertex], areas[vertex]);
    return vertices;
  }

  // Area of the region's triangles around each owned vertex, a third from each [m^2].
  std::vector<double> vertex_areas(const LocalRegion& region) const {
    std::vector<double> area(mesh_.halo->owned(), 0.0);
    for (int t : region.members) {
      const auto& triangle = mesh_.triangles[t];
      const Vec3 &a = mesh_.vertices[triangle[0]], &b = mesh_.vertices[triangle[1]], &c = mesh_.vertices[triangle[2]];
      for (int vertex : triangle)
        if (vertex < mesh_.halo->owned()) area[vertex] += (b - a).cross(c - a).norm() / 6;
    }
    return area;
  }

  // The scene's stiffness, or kappa for which the penalty of a surface that touches with all of a mean vertex's area A at zero gap makes the scene's pressure
  // p, or else a tenth of the Young's modulus of the material beneath: 3 kappa delta = p A.
  double stiffness_for(const std::vector<int>& vertices, const BodySurface& surface) const {
    if (settings_.stiffness) return *settings_.stiffness;
    const std::vector<double> areas = vertex_areas(region(surface));
    std::vector<double> pressure(mesh_.vertices.size(), settings_.pressure.value_or(0));
    if (!settings_.pressure) {  // of the stiffest material at each vertex
      const auto& shells = body_of(surface).shell;
      if (std::any_of(shells.begin(), shells.end(), [](const auto& shell) { return shell.second.thickness == 0; }))
        throw InputError(settings_.source.text +
                         ": the shell has no thickness, which would tell how hard its material is; give the contact a pressure or a stiffness, or the shell "
                         "a thickness");
      const auto raise = [&](int vertex, double modulus) { pressure[vertex] = std::max(pressure[vertex], kPressureAtZeroGap * modulus); };
      for (std::size_t e = 0; e < mesh_.tetrahedra.size(); ++e)
        for (int vertex : mesh_.tetrahedra[e]) raise(vertex, materials_.solid[e]->youngs_modulus);
      for (int t : mesh_.shells)
        for (int vertex : mesh_.triangles[t]) raise(vertex, materials_.shell[t]->youngs_modulus / materials_.shell[t]->thickness);
    }
    std::array<double, 2> sums{0, static_cast<double>(vertices.size())};
    for (int vertex : vertices) sums[0] += pressure[vertex] * areas[vertex];
    sum_over_ranks(system_.communicator(), sums);
    return sums[0] / sums[1] / (3 * settings_.thickness);
  }

  double offset() const {
    const auto* other = std::get_if<BodySurface>(&settings_.against);
    return half_thickness(settings_.vertices) + (other ? half_thickness(*other) : 0);
  }

  ContactLaw law(double stiffness) const {
    ContactLaw law;
    law.potential = settings_.potential;
    law.thickness = settings_.thickness;
    law.offset = offset();
    law.stiffness = stiffness;
    if (const auto& friction = settings_.friction) {
      law.friction = true;
      law.curve = *friction;
      law.sliding_basis_derivative = friction->sliding_basis_derivative;
      law.lagged = friction->coupling == FrictionCoupling::lagged;
      law.passes = friction->passes;
    }
    return law;
  }

  const Body& body_of(const BodySurface& surface) const {
    const auto& bodies = simulation_.scene.bodies;
    return *std::find_if(bodies.begin(), bodies.end(), [&](const Body& body) { return body.name == surface.body; });
  }

  // How far the surface of a body's shells is from their triangles: half their thickness, the largest of the body's [m].
  double half_thickness(const BodySurface& surface) const {
    double largest = 0;
    for (const auto& [name, material] : body_of(surface).shell) largest = std::max(largest, material.thickness);
    return largest / 2;
  }

  void require_something_free(const BodySurface* other) const {
    double free = 0;
    for (const BodySurface* surface : {&settings_.vertices, other})
      if (surface)
        for (int vertex : region(*surface).vertices)
          if (vertex < mesh_.halo->owned() && !system_.is_driven()[vertex]) ++free;
    if (sum_over_ranks(system_.communicator(), free) == 0)
      throw InputError(settings_.source.text + ": every vertex of the surface is fixed or driven; contact cannot move it, leave it out");
  }

  // Adds the forces of a family of pairs. `side`: as ContactGroup has it.
  template <typename Family>
  static void add_pairs(ContactGroup& group, std::shared_ptr<Family> family, double side = 1) {
    group.add(std::make_shared<PairForce<Family>>(family, group.law()), side);
    if (group.has_lagged_friction()) group.add(std::make_shared<LaggedFriction<Family>>(family, group.law()), side);
  }

  std::shared_ptr<ContactGroup> against_obstacle() {
    require_something_free(nullptr);
    std::vector<int> vertices = vertices_of(settings_.vertices);
    // Driven vertices go where they are driven, whatever stands there; no stiffness would keep them out.
    std::erase_if(vertices, [&](int vertex) { return system_.is_driven()[vertex]; });
    const auto surface = std::find_if(simulation_.scene.obstacles.begin(), simulation_.scene.obstacles.end(),
                                      [&](const Obstacle& candidate) { return candidate.name == std::get<std::string>(settings_.against); });
    std::vector<GapFunction> gaps = gap_functions(*surface);
    if (const auto* mesh = std::get_if<MeshObstacleSettings>(&surface->shape)) gaps = {MeshGap{static_surface(*mesh)}};
    auto group = std::make_shared<ContactGroup>(settings_.name, law(stiffness_for(vertices, settings_.vertices)));
    add_pairs(*group, std::make_shared<VertexObstacle>(system_.communicator(), std::move(vertices), std::move(gaps), surface->motion));
    return group;
  }

  // Read on rank 0, which every other has it from.
  std::shared_ptr<const StaticSurface> static_surface(const MeshObstacleSettings& settings) const {
    std::vector<double> coordinates;  // of all corners
    on_first_rank(system_.communicator(), [&] {
      const SurfaceMesh mesh = read_surface(settings.file);
      for (const auto& triangle : mesh.triangles)
        for (int vertex : triangle)
          for (int i = 0; i < 3; ++i) coordinates.push_back(settings.scale * mesh.vertices[vertex][i]);
    });
    broadcast(system_.communicator(), coordinates);
    std::vector<Corners<double>> triangles(coordinates.size() / 9);
    for (std::size_t t = 0; t < triangles.size(); ++t)
      for (int a = 0; a < 3; ++a) triangles[t][a] = Eigen::Map<const Vec3>(coordinates.data() + 9 * t + 3 * a);
    double largest = 0;
    for (const Corners<double>& corners : triangles) largest = std::max(largest, farthest_corner(corners));
    return std::make_shared<StaticSurface>(std::move(triangles), implicit_surface(settings, largest, "radius_multiplier"));
  }

  // Distance from the centroid [m].
  static double farthest_corner(const Corners<double>& corners) {
    const Vec3 centroid = (corners[0] + corners[1] + corners[2]) / 3;
    return std::max({(corners[0] - centroid).norm(), (corners[1] - centroid).norm(), (corners[2] - centroid).norm()});
  }

  // For triangles whose corners are at most `largest` from their centroids. `key`: what a user can raise.
  ImplicitSurface implicit_surface(const ImplicitSurfaceSettings& surface, double largest, const std::string& key) const {
    const double depth = settings_.thickness + offset(), reach = surface.radius_multiplier * largest, needed = std::hypot(depth, largest);
    if (needed * kRimWidth > reach)
      throw InputError(
          fmt::format("{}: the thickness, with that of shells, of {:.3g} m is beyond the reach of the surface's triangles, of {:.3g} m, or leaves too little "
                      "of it for contact to end at the "
                      "surface's rim; raise {} to {:.4g} or make the contact thinner",
                      settings_.source.text, depth, reach, key, std::ceil(100 * kRimWidth * needed / largest) / 100));
    return {reach, surface.interpolation, needed, depth};
  }

  std::shared_ptr<VertexSurface> against_mesh(const std::vector<int>& vertices, const BodySurface& touched) {
    std::vector<std::array<int, 3>> triangles;       // each on one rank
    std::vector<std::array<int, 3>> touching_owned;  // all triangles at owned vertices, for the exclusion rings
    double largest = 0;                              // distance from a centroid to a corner [m]
    const LocalRegion* sides = mesh_.find_region(touched.body + "." + two_sided_region(touched.region));
    for (int t : (sides ? *sides : mesh_.region(touched.body + "." + outward_region(touched.region))).members) {
      const auto& triangle = mesh_.triangles[t];
      touching_owned.push_back(triangle);
      largest = std::max(largest, farthest_corner({mesh_.vertices[triangle[0]], mesh_.vertices[triangle[1]], mesh_.vertices[triangle[2]]}));
      if (mesh_.owns(triangle)) triangles.push_back(triangle);
    }
    largest = maximum_over_ranks(system_.communicator(), largest);
    const ImplicitSurface implicit = implicit_surface(settings_.surface, largest, "surface.radius_multiplier");
    std::vector<std::vector<PetscInt>> excluded;
    if (settings_.exclusion_ring) excluded = surface_rings(*mesh_.halo, touching_owned, vertices, *settings_.exclusion_ring);
    std::vector<VertexSurface::Search::Query> queries;
    for (int vertex : vertices) queries.push_back({vertex});
    return std::make_shared<VertexSurface>(mesh_.halo, implicit, sides != nullptr,
                                           VertexSurface::Search(mesh_.halo, std::move(queries), std::move(triangles), implicit.reach, std::move(excluded)));
  }

  Simulation& simulation_;
  const System& system_;
  const DistributedMesh& mesh_;
  const ContactSettings& settings_;
  const SceneMaterials& materials_;
};

}  // namespace

std::shared_ptr<ContactGroup> build_contact(Simulation& simulation, const ContactSettings& settings, const SceneMaterials& materials, const State& initial) {
  std::shared_ptr<ContactGroup> contact = ContactBuilder(simulation, settings, materials).build();
  // Stiffening mends a vertex that is a little too deep, not bodies that lie in each other.
  contact->begin_step(initial);
  const double gap = contact->summarize(initial).minimum_gap;
  if (settings.potential == ContactPotential::log_barrier && gap <= 0)
    throw InputError(
        fmt::format("{}: a vertex lies {:.3g} m behind the surface at the start; a log barrier needs a start free of penetration, move the bodies apart",
                    settings.source.text, -gap));
  if (gap < -settings.thickness)
    throw InputError(fmt::format("{}: a vertex lies {:.3g} m behind the surface at the start, more than the contact's thickness; move the bodies apart",
                                 settings.source.text, -gap));
  return contact;
}

}  // namespace traction
