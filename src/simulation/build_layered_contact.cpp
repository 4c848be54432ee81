#include "simulation/build_layered_contact.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "errors.h"
#include "simulation/build_edges_and_faces.h"
#include "simulation/contact_pairs.h"
#include "simulation/contact_scales.h"
#include "simulation/scene_mesh.h"
#include "simulation/smooth_surface_check.h"

namespace traction {

namespace {

class LayeredContactBuilder {
 public:
  LayeredContactBuilder(Simulation& simulation, const SceneMaterials& materials, std::span<const double> steps)
      : simulation_(simulation), scene_(simulation.scene), mesh_(*simulation.mesh), materials_(materials) {
    for (const double step : steps) shortest_ = std::min(shortest_, step);
  }

  ContactSetup build() {
    for (const ContactSettings& contact : scene_.contacts) add(contact);
    const std::size_t count = setup_.surfaces.size();
    setup_.laws_of_surfaces.assign(count * count, -1);
    setup_.sides_of_surfaces.assign(count * count, 0);
    for (const Meeting& meeting : meetings_) {
      const auto set = [&](std::size_t first, std::size_t second, double side) {
        setup_.laws_of_surfaces[first * count + second] = meeting.law;
        setup_.sides_of_surfaces[first * count + second] = side;
      };
      set(meeting.first, meeting.second, meeting.side);
      set(meeting.second, meeting.first, -meeting.side);
    }
    return std::move(setup_);
  }

 private:
  struct Meeting {
    std::size_t first, second;  // surfaces
    int law;
    double side;
  };

  const Obstacle& obstacle(const std::string& name) const {
    return *std::find_if(scene_.obstacles.begin(), scene_.obstacles.end(), [&](const Obstacle& candidate) { return candidate.name == name; });
  }

  void add(const ContactSettings& settings) {
    const int law = add_law(settings);
    const auto* other = std::get_if<BodySurface>(&settings.against);
    std::vector<BodySurface> bodies;
    std::vector<const Obstacle*> obstacles, walls;
    const auto add_obstacle = [&](const Obstacle& added) { (has_faces(added) ? obstacles : walls).push_back(&added); };
    if (settings.all) {
      for (const Body& body : scene_.bodies) bodies.push_back({body.name, ""});
      for (const Obstacle& each : scene_.obstacles) add_obstacle(each);
    } else {
      bodies.push_back(settings.vertices);
      if (!other) add_obstacle(obstacle(std::get<std::string>(settings.against)));
      else if (!(*other == settings.vertices)) bodies.push_back(*other);
    }
    const RemainingPairs named(scene_);
    for (const Obstacle* wall : walls) {
      double longest = 0;  // edge or segment [m]
      const BodySurface* coarsest = nullptr;
      for (const BodySurface& body : bodies)
        if (const double edge = !settings.all || named(body.body, wall->name) ? add_walls(*wall, body, law) : 0; edge > longest)
          longest = edge, coarsest = &body;
      if (!coarsest) continue;
      const bool is_rod = !has_faces(scene_.body(coarsest->body), coarsest->region);
      for (const std::string& doubt : doubts_about(settings.source.text, coarsest->body, is_rod, wall->name, gap_functions(*wall), longest, settings.thickness))
        simulation_.warnings.push_back(doubt);
    }
    if (walls.size() > 0 && obstacles.empty() && !settings.all) return;

    ContactSettings of_any_stiffness = settings;
    of_any_stiffness.stiffness = 1;
    of_any_stiffness.pressure.reset();
    const ContactSurfaces found = contact_surfaces(simulation_, of_any_stiffness, materials_, bodies, obstacles);
    setup_.rest = mesh_.vertices;
    setup_.pieces.assign(found.rest.pieces.begin(), found.rest.pieces.end());
    const std::size_t base = setup_.surfaces.size();
    const auto name_of = [&](std::size_t surface) {
      const std::size_t side = found.sides[surface];
      return side < bodies.size() ? bodies[side].body : obstacles[side - bodies.size()]->name;
    };
    for (std::size_t s = 0; s < found.surfaces.size(); ++s) add_surface(found.surfaces[s], name_of(s));
    const bool with_itself = other && *other == settings.vertices;
    for (std::size_t first = 0; first < found.surfaces.size(); ++first)
      for (std::size_t second = first; second < found.surfaces.size(); ++second) {
        const bool meet = settings.all ? !found.surfaces[first].is_obstacle && named(name_of(first), name_of(second))
                                       : with_itself || found.sides[first] != found.sides[second];
        if (!meet) continue;
        // With `all`, forces between bodies have no direction that is not the order of the scene's bodies, and cancel.
        const bool counts = settings.all ? found.surfaces[second].is_obstacle : found.sides[first] != found.sides[second];
        meetings_.push_back({base + first, base + second, law, counts ? 1.0 : 0.0});
      }
  }

  // Chosen so that a layer's first clock is as fast as the fastest of the elements.
  double stiffness_of(const ContactSettings& settings) const {
    if (settings.stiffness) return *settings.stiffness;
    double lightest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < mesh_.halo->owned(); ++i)
      if (simulation_.system->mass()[static_cast<std::size_t>(i)] > 0) lightest = std::min(lightest, simulation_.system->mass()[static_cast<std::size_t>(i)]);
    const double rate = 2 * scene_.time.asynchronous.contact_safety / shortest_;
    return lightest * rate * rate;
  }

  int add_law(const ContactSettings& settings) {
    LayeredLaw& law = setup_.laws.emplace_back();
    law.name = settings.name;
    law.thickness = settings.thickness;
    law.stiffness = stiffness_of(settings);
    law.restitution = settings.restitution.value_or(1);
    law.friction = settings.friction ? settings.friction->dynamic : 0;
    law.safety = scene_.time.asynchronous.contact_safety;
    ContactLaw known;
    known.thickness = law.thickness;
    known.stiffness = law.stiffness;
    known.friction = settings.friction.has_value();
    if (settings.friction) known.curve = *settings.friction;
    simulation_.contacts.push_back(std::make_shared<ContactGroup>(settings.name, known));
    return static_cast<int>(setup_.laws.size()) - 1;
  }

  // Returns the longest edge or segment whose ends touch [m].
  double add_walls(const Obstacle& obstacle, const BodySurface& side, int law) {
    const Body& body = scene_.body(side.body);
    const auto add = [&](std::vector<int> vertices, double offset) {
      for (const GapFunction& gap : gap_functions(obstacle)) setup_.walls.push_back({obstacle.name, body.name, gap, law, offset, 1, vertices});
    };
    double longest = 0;
    const auto include = [&](int a, int b) { longest = std::max(longest, (mesh_.vertices[a] - mesh_.vertices[b]).norm()); };
    if (has_faces(body, side.region)) {
      const LocalRegion& region = mesh_.region(contact_region(side));
      add(region.vertices, half_thickness(mesh_, body, region));
      for (const int t : region.members)
        for (int i = 0; i < 3; ++i) include(mesh_.triangles[t][i], mesh_.triangles[t][(i + 1) % 3]);
    }
    if (has_rods(body, side.region)) {
      const std::vector<int> rods = rods_of(mesh_, body, side.region);
      add(owned_ends(mesh_, rods), rods_of(body, side.region).begin()->second.radius);
      for (const int r : rods) include(mesh_.rods[r].vertices[0], mesh_.rods[r].vertices[1]);
    }
    return longest;
  }

  // Gives points that belong to no edge one of their own, which rods can meet: a rod has no triangles.
  static void add_nails(ContactSetup::Surface& surface) {
    std::set<int> ends;
    for (const auto& edge : surface.edges) ends.insert(edge.begin(), edge.end());
    for (const int vertex : surface.vertices)
      if (!ends.contains(vertex)) surface.edges.push_back({vertex, vertex});
  }

  void add_surface(const ContactSurface& found, const std::string& name) {
    ContactSetup::Surface& surface = setup_.surfaces.emplace_back();
    surface.name = name;
    surface.offset = found.offset;
    int first = 0;  // number of an obstacle's points
    if (found.is_obstacle) {
      first = mesh_.halo->local() + static_cast<int>(setup_.obstacle_points.size());
      for (const Vec3& place : found.points) setup_.obstacle_points.push_back({place, static_cast<int>(setup_.motions.size())});
      setup_.motions.push_back(found.motion);
    }
    for (const SurfaceVertex& vertex : found.vertices) surface.vertices.push_back(first + vertex.vertex);
    for (const SurfaceEdge& edge : found.edges) surface.edges.push_back({first + edge.ends[0], first + edge.ends[1]});
    for (const auto& [a, b, c] : found.triangles) surface.triangles.push_back({first + a, first + b, first + c});
    if (found.is_obstacle) add_nails(surface);
  }

  Simulation& simulation_;
  const Scene& scene_;
  const DistributedMesh& mesh_;
  const SceneMaterials& materials_;
  double shortest_ = std::numeric_limits<double>::infinity();  // step [s]
  ContactSetup setup_;
  std::vector<Meeting> meetings_;
};

}  // namespace

void refuse_contact_settings(const Scene& scene) {
  for (const ContactSettings& contact : scene.contacts) {
    const auto refuse = [&](const char* what, const char* instead) {
      throw InputError(fmt::format("{}: {} is not supported with integrator: asynchronous; {}", contact.source.text, what, instead));
    };
    const auto* obstacle = contact.all ? nullptr : std::get_if<std::string>(&contact.against);
    const bool is_wall = obstacle && std::any_of(scene.obstacles.begin(), scene.obstacles.end(),
                                                 [&](const Obstacle& each) { return each.name == *obstacle && !has_faces(each); });
    for (const Obstacle& each : scene.obstacles)
      if (contact.names(each.name) && !has_faces(each) && !each.motion.empty())
        throw InputError(
            fmt::format("{}: '{}' moves, but with integrator: asynchronous only boxes and meshes may move; give the surface as a mesh or the outside of a box",
                        contact.source.text, each.name));
    if (contact.potential != ContactPotential::cubic_penalty) refuse("its potential", "leave it out: its layers are quadratic and let nothing through");
    if (contact.geometry == ContactGeometry::smooth_surface && !is_wall) refuse("geometry: smooth_surface", "leave it out: vertices, edges and triangles meet");
    if (contact.damping != 0) refuse("its damping", "give `restitution`");
    if (contact.pressure) refuse("its pressure", "give `stiffness`, or neither");
    if (contact.subdivision.value_or(1) != 1) refuse("its subdivision", "leave it out");
    if (!contact.friction) continue;
    if (contact.friction->table) refuse("friction from a table", "give `dynamic` alone: it has kinetic friction only");
    if (contact.friction->anisotropic) refuse("anisotropic friction", "leave it out");
    if (contact.friction->static_ != contact.friction->dynamic) refuse("static friction", "give `dynamic` alone: it has kinetic friction only");
    if (contact.friction->viscous != 0) refuse("viscous friction", "leave it out");
    if (contact.friction->coupling == FrictionCoupling::lagged) refuse("lagged friction", "leave `coupling` out");
  }
}

std::optional<ContactSetup> layered_contact(Simulation& simulation, const SceneMaterials& materials, std::span<const double> steps) {
  if (simulation.scene.contacts.empty()) return {};
  return LayeredContactBuilder(simulation, materials, steps).build();
}

}  // namespace traction
