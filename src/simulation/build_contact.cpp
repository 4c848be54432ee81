#include "simulation/build_contact.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "contact/lagged_friction.h"
#include "contact/pair_force.h"
#include "contact/surface_rim.h"
#include "contact/surface_rings.h"
#include "contact/thick_middle.h"
#include "contact/thick_vertex_obstacle.h"
#include "contact/vertex_obstacle.h"
#include "contact/vertex_surface.h"
#include "errors.h"
#include "mesh/mesh_plan.h"
#include "parallel/collective.h"
#include "simulation/build_edges_and_faces.h"
#include "simulation/contact_approach.h"
#include "simulation/contact_pairs.h"
#include "simulation/contact_scales.h"
#include "simulation/obstacle_mesh.h"
#include "simulation/partly_named_pairs.h"
#include "simulation/region_borders.h"
#include "simulation/rod_contact_check.h"
#include "simulation/scene_mesh.h"
#include "simulation/smooth_surface_check.h"
#include "simulation/thick_vertices.h"
#include "simulation/touch_at_start.h"
#include "simulation/vertex_areas.h"

namespace traction {

namespace {

constexpr double kRimWidth = 1.1;       // the least ratio of a mesh surface's reach to where its rim begins
constexpr double kGuardStiffness = 10;  // relative to the contact's
constexpr double kDeepBetweenVertices =
    0.1;  // depth in radii: round obstacles that could lie deeper touch faces, too; finer meshes wrap around them with their vertices

class ContactBuilder {
 public:
  ContactBuilder(Simulation& simulation, const ContactSettings& settings, const SceneMaterials& materials)
      : simulation_(simulation), system_(*simulation.system), mesh_(*simulation.mesh), settings_(settings), materials_(materials) {}

  std::shared_ptr<ContactGroup> build() {
    if (settings_.potential == ContactPotential::imc) check_rods_of_imc(settings_, simulation_.scene);
    std::shared_ptr<ContactGroup> group = group_of_terms();
    if (const auto& imc = settings_.imc; settings_.potential == ContactPotential::imc && imc.rate > 0)
      group->control_stiffness({*imc.least_gap, *imc.most_gap, imc.rate});
    return group;
  }

  /// The settings of the scene, with the geometry that was chosen.
  const ContactSettings& settings() const { return settings_; }

 private:
  std::shared_ptr<ContactGroup> group_of_terms() {
    if (settings_.all) return everything();
    const auto* other = std::get_if<BodySurface>(&settings_.against);
    if (!other && settings_.geometry == ContactGeometry::automatic && meets_faces(obstacle(std::get<std::string>(settings_.against)), {settings_.vertices}))
      settings_.geometry = ContactGeometry::edges_and_faces;
    if (settings_.geometry == ContactGeometry::edges_and_faces) return between_edges_and_faces();
    if (!other) return against_obstacle();
    // The touched side's areas are noted even where its vertices do not touch, because it has pressures, too.
    const std::vector<int> first = vertices_of(settings_.vertices), second = vertices_of(*other);
    require_something_free(other);
    StiffnessShares shares = shares_of(first, settings_.vertices, other);
    const bool mutual = settings_.both || *other == settings_.vertices;  // both sides touch: the area of contact is their mean
    if (mutual)
      for (PairWeight& weight : shares.weights) halve_area(weight);
    auto group = std::make_shared<ContactGroup>(settings_.name, law(shares.stiffness, offset()));
    if (looks_ahead() && other->body != settings_.vertices.body)
      group->look_ahead(ahead_of_body(system_, settings_.thickness, shares.mean_area, contact_face(system_, materials_, first),
                                      contact_face(system_, materials_, owned(region(*other).vertices)), settings_.both));
    if (!settings_.both) {
      add_pairs(*group, against_mesh(first, *other, shares.weights));
      return group;
    }
    StiffnessShares behind = shares_of(second, *other, &settings_.vertices);
    const double mean = (shares.stiffness / shares.mean_area + behind.stiffness / behind.mean_area) / 2;  // stiffness per area of both sides [N/m^3]
    for (PairWeight& weight : behind.weights) {
      weight.penalty *= behind.stiffness / shares.stiffness;
      halve_area(weight);
    }
    for (std::vector<PairWeight>* weights : {&shares.weights, &behind.weights})
      for (PairWeight& weight : *weights)
        if (weight.area > 0) weight.carried = weight.penalty * shares.stiffness / (2 * weight.area) / mean;
    add_pairs(*group, against_mesh(first, *other, shares.weights));
    add_pairs(*group, against_mesh(second, settings_.vertices, behind.weights), -1);
    return group;
  }

  static void halve_area(PairWeight& weight) {
    weight.covered *= 0.5;
    weight.area *= 0.5;
  }

  void warn(const std::vector<std::string>& warnings) { simulation_.warnings.insert(simulation_.warnings.end(), warnings.begin(), warnings.end()); }

  // The longest edge of the triangles whose vertices touch [m]. Collective.
  double longest_edge(const BodySurface& surface) const {
    double longest = 0;
    for (int t : region(surface).members)
      for (int i = 0; i < 3; ++i) longest = std::max(longest, (mesh_.vertices[mesh_.triangles[t][i]] - mesh_.vertices[mesh_.triangles[t][(i + 1) % 3]]).norm());
    return maximum_over_ranks(system_.communicator(), longest);
  }

  const LocalRegion& region(const BodySurface& surface) const { return mesh_.region(contact_region(surface)); }

  std::vector<int> owned(std::vector<int> vertices) const {
    std::erase_if(vertices, [&](int vertex) { return vertex >= mesh_.halo->owned(); });
    return vertices;
  }

  // Whether a sphere or cylinder can lie so deep between the vertices of these surfaces that their edges and faces must touch it, too. Collective.
  bool meets_faces(const Obstacle& touched, const std::vector<BodySurface>& surfaces) const {
    if (!touches_by_its_middle(touched)) return false;
    double longest = 0;
    for (const BodySurface& surface : surfaces) {
      const Body& body = simulation_.scene.body(surface.body);
      if (has_rods(body, surface.region)) return false;
      if (has_faces(body, surface.region)) longest = std::max(longest, longest_edge(surface));
    }
    const auto [width, depth] = obstacle_between_vertices(gap_functions(touched), longest);
    return depth > std::max(settings_.thickness, kDeepBetweenVertices * width / 2);
  }

  // Whether the stiffness follows the speed of approach. That of a penalty does, unless the scene gives it.
  bool looks_ahead() const { return !settings_.stiffness && !settings_.pressure && settings_.potential == ContactPotential::cubic_penalty; }

  // The owned vertices of a side; their areas are added to the simulation's.
  std::vector<int> vertices_of(const BodySurface& surface) {
    std::vector<int> vertices = owned(region(surface).vertices);
    areas_.resize(static_cast<std::size_t>(mesh_.halo->owned()));
    measure_vertex_areas(mesh_, region(surface), areas_);
    note_areas(vertices, areas_);
    return vertices;
  }

  void note_areas(const std::vector<int>& vertices, const std::vector<double>& areas) {
    for (int vertex : vertices) simulation_.contact_area[vertex] = std::max(simulation_.contact_area[vertex], areas[vertex]);
  }

  // The owned vertices of all rods, or of the faces, on a side of a contact; their areas go to the simulation.
  void note_side(const BodySurface& side) { note_side(simulation_.scene.body(side.body), side); }
  void note_side(const Body& body, const BodySurface& side) {
    if (has_faces(body, side.region)) vertices_of(side);
    if (!has_rods(body, side.region)) return;
    const std::vector<int> rods = rods_of(mesh_, body, side.region);
    note_areas(owned_ends(mesh_, rods), rod_areas(mesh_, rods, rods_of(body, side.region).begin()->second.radius));
  }

  // `touched`: the body that the vertices touch, or null for an obstacle. Collective.
  StiffnessShares shares_of(const std::vector<int>& vertices, const BodySurface& surface, const BodySurface* touched = nullptr) const {
    const Scene& scene = simulation_.scene;
    return share_stiffness_of_side(mesh_, materials_, settings_, vertices, region(surface), scene.body(surface.body),
                                   touched ? &scene.body(touched->body) : nullptr);
  }

  double half_thickness(const BodySurface& surface) const { return traction::half_thickness(mesh_, simulation_.scene.body(surface.body), region(surface)); }
  double offset() const {
    const auto* other = std::get_if<BodySurface>(&settings_.against);
    return half_thickness(settings_.vertices) + (other ? half_thickness(*other) : 0);
  }

  // `offset`: the offset of all pairs, in addition to the pairs' own offsets [m].
  ContactLaw law(double stiffness, double offset) const {
    ContactLaw law;
    law.potential = settings_.potential;
    law.thickness = settings_.thickness;
    law.offset = offset;
    law.stiffness = stiffness;
    law.sharpness = settings_.imc.sharpness;
    law.stiffening = settings_.stiffening;
    law.damping = settings_.damping;
    law.guard_thickness = kGuardThickness * settings_.thickness;
    law.guard_stiffness = kGuardStiffness * stiffness;
    if (const auto& friction = settings_.friction) {
      law.friction = true;
      law.curve = *friction;
      law.anisotropy = friction->anisotropic;
      law.sliding_basis_derivative = friction->sliding_basis_derivative;
      law.lagged = friction->coupling == FrictionCoupling::lagged;
      law.passes = friction->passes;
    }
    return law;
  }

  std::vector<int> vertices_on(const BodySurface& side) const {
    const Body& body = simulation_.scene.body(side.body);
    std::vector<int> vertices = owned_ends(mesh_, rods_of(mesh_, body, side.region));
    if (!has_faces(body, side.region)) return vertices;
    const std::vector<int> more = owned(region(side).vertices);
    vertices.insert(vertices.end(), more.begin(), more.end());
    return vertices;
  }

  void require_something_free(const BodySurface* other) const {
    double free = 0;
    for (const BodySurface* surface : {&settings_.vertices, other})
      if (surface)
        for (int vertex : vertices_on(*surface))
          if (!system_.held_for_good()[vertex]) ++free;
    if (sum_over_ranks(system_.communicator(), free) == 0)
      throw InputError(settings_.source.text + ": every vertex of the surface is fixed or driven; contact cannot move it, leave it out");
  }

  // Adds the forces of a family of pairs. `side`: see ContactGroup::add.
  template <typename Family>
  static void add_pairs(ContactGroup& group, std::shared_ptr<Family> family, double side = 1) {
    group.add(std::make_shared<PairForce<Family>>(family, group.law()), side);
    if (group.has_lagged_friction()) group.add(std::make_shared<LaggedFriction<Family>>(family, group.law()), side);
  }

  const Obstacle& obstacle(const std::string& name) const {
    const auto& obstacles = simulation_.scene.obstacles;
    return *std::find_if(obstacles.begin(), obstacles.end(), [&](const Obstacle& candidate) { return candidate.name == name; });
  }

  // Vertices of a body that may touch an obstacle. Those that are always driven are left out, because no stiffness would keep them away from it.
  std::vector<int> free_vertices_of(const BodySurface& surface) {
    std::vector<int> vertices = vertices_of(surface);
    std::erase_if(vertices, [&](int vertex) { return system_.held_for_good()[vertex]; });
    return vertices;
  }

  // Adds the pairs of rods and an obstacle that has gap functions.
  void add_rods(ContactGroup& group, const Body& body, const BodySurface& side, const Obstacle& touched) {
    const std::vector<int> rods = rods_of(mesh_, body, side.region);
    const RodMaterialSettings material = rods_of(body, side.region).begin()->second;
    const std::vector<double> pressures = pressures_at_zero_gap(mesh_, materials_, settings_, {&body}, TouchedSide::rigid);
    const double mean_pressure_area = settings_.stiffness ? mean_area_ : 3 * settings_.thickness * group.base_stiffness();
    const auto weight_of = [&](int vertex, double area) {
      return PairWeight{pressures[vertex] * area / mean_pressure_area, 0, 1, area, area, material.radius - group.law()->offset, area};
    };
    double longest = 0;  // segment [m]
    for (const int r : rods) longest = std::max(longest, (mesh_.vertices[mesh_.rods[r].vertices[0]] - mesh_.vertices[mesh_.rods[r].vertices[1]]).norm());
    longest = maximum_over_ranks(system_.communicator(), longest);
    warn(doubts_about(settings_.source.text, body.name, true, touched.name, gap_functions(touched), longest, settings_.thickness));
    warn(doubts_about_clearance(settings_.source.text, body.name, touched.name, gap_functions(touched), material.radius, settings_.thickness));
    std::vector<int> vertices = owned_ends(mesh_, rods);
    std::erase_if(vertices, [&](int vertex) { return system_.held_for_good()[vertex]; });
    std::vector<PairWeight> weights(vertices.size());
    std::transform(vertices.begin(), vertices.end(), weights.begin(), [&](int vertex) { return weight_of(vertex, 0); });
    add_pairs(group,
              std::make_shared<ThickVertexObstacle>(
                  mesh_.halo, thick_vertices_of_rods(mesh_, rods, material.radius, material.twist_radius(), system_.held_for_good(), weight_of),
                  std::move(vertices), std::move(weights), gap_functions(touched), touched.motion, settings_.thickness + material.radius, HeldSpins(system_)));
  }

  std::shared_ptr<ContactGroup> rods_against_obstacle() {
    const Body& body = simulation_.scene.body(settings_.vertices.body);
    const std::vector<int> rods = rods_of(mesh_, body, settings_.vertices.region), vertices = owned_ends(mesh_, rods);
    note_side(settings_.vertices);
    const StiffnessShares shares =
        share_stiffness(system_.communicator(), settings_, vertices, rod_areas(mesh_, rods, rods_of(body, settings_.vertices.region).begin()->second.radius),
                        pressures_at_zero_gap(mesh_, materials_, settings_, {&body}, TouchedSide::rigid));
    mean_area_ = shares.mean_area;
    auto group = std::make_shared<ContactGroup>(settings_.name, law(shares.stiffness, 0));
    add_rods(*group, body, settings_.vertices, obstacle(std::get<std::string>(settings_.against)));
    return group;
  }

  std::shared_ptr<ContactGroup> against_obstacle() {
    require_something_free(nullptr);
    const Body& body = simulation_.scene.body(settings_.vertices.body);
    if (!has_faces(body, settings_.vertices.region)) return rods_against_obstacle();
    std::vector<int> vertices = free_vertices_of(settings_.vertices);
    const Obstacle& touched = obstacle(std::get<std::string>(settings_.against));
    std::vector<GapFunction> gaps = gap_functions(touched);
    if (const auto* mesh = std::get_if<MeshObstacleSettings>(&touched.shape)) gaps = {MeshGap{static_surface(*mesh, touched.name)}};
    else warn(doubts_about(settings_.source.text, body.name, false, touched.name, gaps, longest_edge(settings_.vertices), settings_.thickness));
    StiffnessShares shares = shares_of(vertices, settings_.vertices);
    auto group = std::make_shared<ContactGroup>(settings_.name, law(shares.stiffness, offset()));
    if (looks_ahead())
      group->look_ahead(ahead_of_obstacle(system_, settings_.thickness, shares.mean_area, contact_face(system_, materials_, vertices), gaps, touched.motion));
    ShellVertices shells;
    if (rubs_beside_middle(body, settings_) && !std::holds_alternative<MeshGap>(gaps.front()))
      add_shell_vertices(mesh_, region(settings_.vertices), half_thickness(settings_.vertices), shells);
    add_vertices(*group, vertices, shares.weights, gaps, touched.motion, shells);
    mean_area_ = shares.mean_area;
    if (has_rods(body, settings_.vertices.region)) add_rods(*group, body, settings_.vertices, touched);
    return group;
  }

  std::shared_ptr<ContactGroup> between_edges_and_faces() {
    const auto* other = std::get_if<BodySurface>(&settings_.against);
    require_something_free(other);
    std::vector<BodySurface> bodies{settings_.vertices};
    const bool with_itself = other && *other == settings_.vertices;
    if (other && !with_itself) bodies.push_back(*other);
    for (const BodySurface& body : bodies) note_side(body);
    std::vector<const Obstacle*> obstacles;
    if (!other) obstacles.push_back(&obstacle(std::get<std::string>(settings_.against)));
    ContactSurfaces surfaces = contact_surfaces(simulation_, settings_, materials_, bodies, obstacles);
    auto group = std::make_shared<ContactGroup>(settings_.name, law(surfaces.stiffness, 0));
    if (looks_ahead()) look_ahead_of_wires(*group, system_, materials_, surfaces.mean_area, surfaces.surfaces);
    const std::size_t count = surfaces.surfaces.size();
    for (std::size_t s = 0; s < count; ++s) {
      surfaces.pairs.families.push_back(with_itself ? -1 : static_cast<int>(surfaces.sides[s]));
      surfaces.pairs.sides.push_back(with_itself ? 0 : static_cast<double>(surfaces.sides[s]));
    }
    auto family = edges_and_faces(simulation_, settings_, std::move(surfaces));
    for (const std::string& name : contacts_that_continue(simulation_.scene, settings_))
      if (const auto found = simulation_.edges_and_faces.find(name); found != simulation_.edges_and_faces.end()) {
        family->share_areas_with(*found->second);
        found->second->share_areas_with(*family);
      }
    simulation_.edges_and_faces[settings_.name] = family;
    add_pairs(*group, std::move(family));
    return group;
  }

  // All surfaces against all and themselves, except for pairs that have a contact of their own.
  std::shared_ptr<ContactGroup> everything() {
    const Scene& scene = simulation_.scene;
    std::vector<BodySurface> bodies;
    for (const Body& body : scene.bodies) {
      bodies.push_back({body.name, ""});
      note_side(body, bodies.back());
    }
    std::vector<const Obstacle*> obstacles;
    for (const Obstacle& each : scene.obstacles)
      if (has_faces(each) || meets_faces(each, bodies)) obstacles.push_back(&each);
    ContactSurfaces surfaces = contact_surfaces(simulation_, settings_, materials_, bodies, obstacles);
    warn(doubts_about_named_pairs(mesh_, scene));
    std::vector<std::string> names;
    for (const std::size_t side : surfaces.sides) names.push_back(side < bodies.size() ? bodies[side].body : obstacles[side - bodies.size()]->name);
    surfaces.pairs = pairs_of_all(scene, surfaces.surfaces, names);
    mean_area_ = surfaces.mean_area;
    auto group = std::make_shared<ContactGroup>(settings_.name, law(surfaces.stiffness, 0));
    if (looks_ahead()) look_ahead_of_wires(*group, system_, materials_, surfaces.mean_area, surfaces.surfaces);
    add_pairs(*group, edges_and_faces(simulation_, settings_, std::move(surfaces)));
    for (const Obstacle& each : scene.obstacles)
      if (std::find(obstacles.begin(), obstacles.end(), &each) == obstacles.end()) add_all_against(*group, each);
    return group;
  }

  // Adds the pairs of all bodies and an obstacle that has gap functions: one family for the vertices of all of them, because each family costs a step as much
  // as the mesh is large.
  void add_all_against(ContactGroup& group, const Obstacle& touched) {
    const RemainingPairs remaining(simulation_.scene);
    std::vector<std::vector<int>> vertices;  // by body
    std::vector<double> areas(static_cast<std::size_t>(mesh_.halo->owned()), 0.0), offsets;
    ShellVertices shells;
    double count = 0, longest = 0;
    std::string coarsest;  // the body with the longest edge
    for (const Body& body : simulation_.scene.bodies) {
      const BodySurface whole{body.name, ""};
      if (!remaining(body.name, touched.name)) continue;
      if (has_rods(body)) add_rods(group, body, whole, touched);
      if (!has_faces(body)) continue;
      if (const double edge = longest_edge(whole); edge > longest) longest = edge, coarsest = body.name;
      count += static_cast<double>(vertices.emplace_back(free_vertices_of(whole)).size());
      measure_vertex_areas(mesh_, region(whole), areas);
      offsets.push_back(traction::half_thickness(body));
      if (rubs_beside_middle(body, settings_)) add_shell_vertices(mesh_, region(whole), offsets.back(), shells);
    }
    if (sum_over_ranks(system_.communicator(), count) == 0) return;
    warn(doubts_about(settings_.source.text, coarsest, false, touched.name, gap_functions(touched), longest, settings_.thickness));
    std::vector<const Body*> bodies;
    for (const Body& body : simulation_.scene.bodies) bodies.push_back(&body);
    const std::vector<StiffnessShares> shares = share_stiffness_by_body(system_.communicator(), settings_, vertices, areas,
                                                                        pressures_at_zero_gap(mesh_, materials_, settings_, bodies, TouchedSide::rigid));
    std::vector<int> all;
    std::vector<PairWeight> weights;
    for (std::size_t b = 0; b < vertices.size(); ++b)
      for (std::size_t i = 0; i < vertices[b].size(); ++i) {
        all.push_back(vertices[b][i]);
        PairWeight& weight = weights.emplace_back(shares[b].weights[i]);
        weight.penalty *= shares[b].stiffness / group.base_stiffness();
        weight.offset = offsets[b];
      }
    add_vertices(group, all, weights, gap_functions(touched), touched.motion, shells, true);
  }

  // Adds the pairs of vertices and an obstacle. `weights`: one for each vertex. `shells`: those of the vertices beside which friction acts. Collective.
  void add_vertices(ContactGroup& group, const std::vector<int>& vertices, const std::vector<PairWeight>& weights, const std::vector<GapFunction>& gaps,
                    const Motion& motion, const ShellVertices& shells, bool leaves_out_far_ones = false) {
    std::array<std::vector<int>, 2> own;  // first vertices beside which nothing turns, then those of shells
    std::array<std::vector<PairWeight>, 2> own_weights;
    std::vector<ThickVertexObstacle::ThickVertex> thick;
    double largest_offset = 0;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      const auto shell = shells.find(vertices[i]);
      const std::size_t kind = shell == shells.end() ? 0 : 1;
      own[kind].push_back(vertices[i]);
      own_weights[kind].push_back(weights[i]);
      largest_offset = std::max(largest_offset, weights[i].offset);
      if (kind == 1) thick.push_back(thick_vertex(vertices[i], shell->second, weights[i]));
    }
    std::array<double, 2> counts{static_cast<double>(own[0].size()), static_cast<double>(own[1].size())};
    sum_over_ranks(system_.communicator(), counts);
    const double reach = settings_.thickness + group.law()->offset + maximum_over_ranks(system_.communicator(), largest_offset);
    if (counts[1] > 0)
      add_pairs(group, std::make_shared<ThickVertexObstacle>(mesh_.halo, std::move(thick), std::move(own[1]), std::move(own_weights[1]), gaps, motion, reach,
                                                             HeldSpins(system_)));
    if (counts[0] == 0 && counts[1] > 0) return;
    auto family = std::make_shared<VertexObstacle>(system_.communicator(), std::move(own[0]), std::move(own_weights[0]), gaps, motion);
    if (leaves_out_far_ones) family->leave_out_beyond(reach);
    add_pairs(group, std::move(family));
  }

  std::shared_ptr<const StaticSurface> static_surface(const MeshObstacleSettings& settings, const std::string& name) {
    SurfaceMesh mesh = obstacle_mesh(system_.communicator(), settings);
    if (!mesh.segments.empty() || !mesh.points.empty())
      throw InputError(
          fmt::format("{}: the mesh of {} has {} segments and {} points beside its {} triangles, and a smooth surface is made of triangles alone; "
                      "write geometry: edges_and_faces, or leave them out of the mesh",
                      settings_.source.text, name, mesh.segments.size(), mesh.points.size(), mesh.triangles.size()));
    double largest = 0;
    for (const auto& [a, b, c] : mesh.triangles) largest = std::max(largest, farthest_corner({mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]}));
    auto surface = std::make_shared<StaticSurface>(mesh.vertices, std::move(mesh.triangles), implicit_surface(settings, largest, "radius_multiplier"));
    warn(doubts_about({settings_.source.text, name, surface->surface().reach}, mesh.vertices, *surface));
    return surface;
  }

  // Distance from the centroid [m].
  static double farthest_corner(const Corners<double>& corners) {
    const Vec3 centroid = (corners[0] + corners[1] + corners[2]) / 3;
    return std::max({(corners[0] - centroid).norm(), (corners[1] - centroid).norm(), (corners[2] - centroid).norm()});
  }

  // For triangles whose corners are at most `largest` from their centroids. `key`: the setting that a user can raise.
  ImplicitSurface implicit_surface(const ImplicitSurfaceSettings& surface, double largest, const std::string& key) const {
    const double depth = settings_.thickness + offset(), reach = surface.radius_multiplier * largest, needed = std::hypot(depth, largest);
    if (needed * kRimWidth > reach)
      throw InputError(
          fmt::format("{}: the thickness of {:.3g} m, with that of shells, is too large for the reach of the surface's triangles, {:.3g} m: contact must fit "
                      "into this reach, and have room in it to fade out at the surface's rim; raise {} to {:.4g} or make the contact thinner",
                      settings_.source.text, depth, reach, key, std::ceil(100 * kRimWidth * needed / largest) / 100));
    return {reach, surface.interpolation, needed, depth};
  }

  std::shared_ptr<VertexSurface> against_mesh(const std::vector<int>& vertices, const BodySurface& touched, const std::vector<PairWeight>& weights) {
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
    warn(doubts_about({settings_.source.text, to_text(touched), implicit.reach}, mesh_, touching_owned, sides == nullptr));
    std::vector<std::vector<PetscInt>> excluded;
    if (settings_.exclusion_ring) excluded = surface_rings(*mesh_.halo, touching_owned, vertices, *settings_.exclusion_ring);
    std::vector<VertexSurface::Search::Query> queries;
    queries.reserve(vertices.size());
    for (int vertex : vertices) queries.push_back({vertex});
    return std::make_shared<VertexSurface>(mesh_.halo, implicit, sides != nullptr,
                                           VertexSurface::Search(mesh_.halo, std::move(queries), std::move(triangles), implicit.reach, std::move(excluded)),
                                           weights, system_.held_for_good(), rim_vertices(touching_owned, mesh_.halo->local()));
  }

  Simulation& simulation_;
  const System& system_;
  const DistributedMesh& mesh_;
  ContactSettings settings_;  // without `automatic` once the contact is built
  const SceneMaterials& materials_;
  std::vector<double> areas_;  // areas around the vertices of the region that vertices_of() had last [m^2]
  double mean_area_ = 0;       // mean area of the vertices to which the group's stiffness refers [m^2]
};

}  // namespace

std::shared_ptr<ContactGroup> build_contact(Simulation& simulation, const ContactSettings& given, const SceneMaterials& materials, const State& initial) {
  ContactBuilder builder(simulation, given, materials);
  std::shared_ptr<ContactGroup> contact = builder.build();
  const ContactSettings& settings = builder.settings();
  if (!std::isfinite(contact->base_stiffness()))
    throw InputError(fmt::format("{}: its stiffness, from a thickness of {:.3g} m, is not a finite number; choose another thickness or pressure",
                                 settings.source.text, settings.thickness));
  contact->begin_step(initial);
  const double gap = contact->summarize(initial).minimum_gap;
  refuse_touch_at_start(simulation, settings, *contact, gap, initial);
  // Stiffening corrects a vertex that is a little too deep, not bodies that lie in each other.
  const bool is_outside_barrier = settings.potential == ContactPotential::log_barrier && gap <= 0;
  if (is_outside_barrier || gap < -settings.thickness)
    throw InputError(fmt::format("{}: a vertex lies {:.3g} m behind the surface at the start, {}{}; move the bodies apart{}", settings.source.text, -gap,
                                 is_outside_barrier ? "and a log barrier needs a start free of penetration" : "more than the contact's thickness",
                                 has_thick_shell(simulation) ? " (half the thickness of shells counts)" : "",
                                 doubts_about_start(simulation, settings, initial)));
  return contact;
}

}  // namespace traction
