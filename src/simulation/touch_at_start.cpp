#include "simulation/touch_at_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "contact/features.h"
#include "contact/gap_functions.h"
#include "contact/passage.h"
#include "errors.h"
#include "math/position_text.h"
#include "mesh/body_summary.h"
#include "parallel/collective.h"
#include "simulation/contact_pairs.h"
#include "simulation/contact_scales.h"
#include "simulation/obstacle_mesh.h"
#include "simulation/scene_mesh.h"

namespace traction {

namespace {

// At gaps below this part of the thickness forces are too large for any step.
constexpr double kNothing = 1e-4;

// The place of the smallest gap. Collective.
std::optional<Vec3> place_of_gap(const ContactGroup& contact, double gap, const State& initial, MPI_Comm communicator) {
  std::optional<Vec3> place;
  for (const ContactPoint& point : contact.points(initial))
    if (point.gap <= gap && !place) place = point.position;
  return first_over_ranks(communicator, place);
}

// The distance of a body from a place, to its shells' middle; their surface may be nearer by half of their thickness. Collective.
double distance_to(const Simulation& simulation, const Body& body, const Vec3& place, const State& initial) {
  const DistributedMesh& mesh = *simulation.mesh;
  double least = std::numeric_limits<double>::infinity();
  if (has_faces(body))
    for (const int t : mesh.region(contact_region({body.name, ""})).members) {
      const auto& [a, b, c] = mesh.triangles[t];
      least = std::min(least, closest_on_triangle(place, initial.q[a], initial.q[b], initial.q[c]).distance);
    }
  for (const auto& [name, material] : body.rod)
    for (const int r : rods_of(mesh, body, name))
      least = std::min(least, closest_on_edge(place, initial.q[mesh.rods[r].vertices[0]], initial.q[mesh.rods[r].vertices[1]]).distance - material.radius);
  return minimum_over_ranks(simulation.system->communicator(), least);
}

// The name of the obstacle that is nearest to a place; empty if none is within a distance and the thickness of shells. Collective.
std::string nearest_obstacle(const Simulation& simulation, const Vec3& place, double farthest) {
  double reach = 0;
  for (const Body& body : simulation.scene.bodies) reach = std::max(reach, half_thickness(body));
  double least = 2 * reach + farthest;
  std::string nearest;
  for (const Obstacle& obstacle : simulation.scene.obstacles) {
    double distance = std::numeric_limits<double>::infinity();
    for (const GapFunction& gap : gap_functions(obstacle))
      distance = std::min(distance, std::abs(std::visit([&](const auto& function) { return function.template operator()<double>(place).gap; }, gap)));
    if (const auto* mesh = std::get_if<MeshObstacleSettings>(&obstacle.shape)) {
      const SurfaceMesh surface = obstacle_mesh(simulation.system->communicator(), *mesh);
      for (const auto& [a, b, c] : surface.triangles)
        distance = std::min(distance, closest_on_triangle(place, surface.vertices[a], surface.vertices[b], surface.vertices[c]).distance);
    }
    if (distance < least) least = distance, nearest = obstacle.name;
  }
  return nearest;
}

// What touches at the start.
struct Touch {
  std::string what;    // the two things, as a part of a sentence
  std::string itself;  // the body that touches itself, as far as is known; empty if two things touch
};

// Names the two things that touch at a place, or overlap there by a depth. Collective.
Touch what_touches(const Simulation& simulation, const ContactSettings& settings, const Vec3& place, double depth, const State& initial) {
  if (!settings.all) {
    const auto* other = std::get_if<BodySurface>(&settings.against);
    const std::string second = other ? other->body : std::get<std::string>(settings.against);
    if (second == settings.vertices.body) return {fmt::format("'{}' touches itself", second), second};
    return {fmt::format("'{}' and '{}' touch", settings.vertices.body, second), ""};
  }
  std::vector<std::string> near;
  double largest_radius = 0;  // the place lies on the axis of a rod
  for (const Body& body : simulation.scene.bodies)
    for (const auto& [name, material] : body.rod) largest_radius = std::max(largest_radius, material.radius);
  for (const Body& body : simulation.scene.bodies)
    if (distance_to(simulation, body, place, initial) <= 2 * half_thickness(body) + largest_radius + settings.thickness) near.push_back(body.name);
  if (near.size() < 2) {
    const std::string& body = near.empty() ? simulation.scene.bodies.front().name : near.front();
    const std::string obstacle = nearest_obstacle(simulation, place, settings.thickness + depth);
    if (obstacle.empty() && near.empty()) return {"two bodies, or parts of one, touch", ""};
    const char* other = simulation.scene.obstacles.empty() ? "another body" : "an obstacle";
    if (obstacle.empty()) return {fmt::format("'{}' and {}, or parts of it, touch", body, other), body};
    return {fmt::format("'{}' and '{}' touch", body, obstacle), ""};
  }
  std::string names;
  for (std::size_t i = 0; i < near.size(); ++i) names += fmt::format("{}'{}'", i == 0 ? "" : i + 1 < near.size() ? ", " : " and ", near[i]);
  return {names + " touch", ""};
}

// The share of a body's vertices that lie behind a plane. Collective.
double share_behind(const Simulation& simulation, const std::string& body, const PlaneSettings& plane, const State& initial) {
  double behind = 0, all = 0;
  for (const int vertex : simulation.mesh->region(body).vertices) {
    if (vertex >= simulation.system->halo().owned()) continue;
    ++all;
    if ((initial.q[vertex] - plane.point).dot(plane.normal) < 0) ++behind;
  }
  const MPI_Comm communicator = simulation.system->communicator();
  return sum_over_ranks(communicator, behind) / std::max(1.0, sum_over_ranks(communicator, all));
}

std::string doubt_about_normals(const Simulation& simulation, const ContactSettings& settings, const State& initial) {
  constexpr double kMost = 0.5;
  std::string doubt;
  for_each_obstacle_of(simulation.scene, settings, [&](const Body& body, const Obstacle& obstacle) {
    const auto* plane = std::get_if<PlaneSettings>(&obstacle.shape);
    if (doubt.empty() && plane && share_behind(simulation, body.name, *plane, initial) > kMost)
      doubt = fmt::format(", or turn the normal of plane '{}' around: most of '{}' lies behind it, and a plane's normal must point to the side of the bodies",
                          obstacle.name, body.name);
  });
  return doubt;
}

// Whether an obstacle could contain bodies, and is touched from outside instead.
bool is_touched_from_outside(const Obstacle& obstacle) {
  const auto is_outside = [](const auto& shape) {
    if constexpr (requires { shape.inside; }) return !shape.inside;
    else return false;
  };
  return std::visit(is_outside, obstacle.shape);
}

// Names a body that starts wholly inside of what it should touch from outside. Collective.
std::string doubt_about_insides(const Simulation& simulation, const ContactSettings& settings, const State& initial) {
  std::string doubt;
  for_each_obstacle_of(simulation.scene, settings, [&](const Body& body, const Obstacle& obstacle) {
    if (!doubt.empty() || !is_touched_from_outside(obstacle)) return;
    const std::vector<GapFunction> gaps = gap_functions(obstacle);
    double outside = 0;
    for (const int vertex : simulation.mesh->region(body.name).vertices)
      for (const GapFunction& gap : gaps)
        if (std::visit([&](const auto& function) { return function.template operator()<double>(Vec3(initial.q[vertex])).gap; }, gap) > 0) ++outside;
    if (sum_over_ranks(simulation.system->communicator(), outside) == 0) doubt = remedy_of_inside(body.name, obstacle.name);
  });
  return doubt;
}

// The longest side of a body [m]. Collective.
double size_of(const Simulation& simulation, std::size_t body, const State& initial) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const System& system = *simulation.system;
  Vec3 low = Vec3::Constant(kNone), high = -low;
  for (const int vertex : system.places()[body]) {
    low = low.cwiseMin(Vec3(initial.q[vertex]));
    high = high.cwiseMax(Vec3(initial.q[vertex]));
  }
  double size = 0;
  for (int axis = 0; axis < 3; ++axis)
    size = std::max(size, maximum_over_ranks(system.communicator(), high[axis]) - minimum_over_ranks(system.communicator(), low[axis]));
  return size;
}

std::string doubt_about_units(const Simulation& simulation, const State& initial) {
  for (std::size_t b = 0; b < simulation.scene.bodies.size(); ++b) {
    const Body& body = simulation.scene.bodies[b];
    const double size = size_of(simulation, b, initial);
    if (std::string doubt = body.scale == 1 ? traction::doubt_about_units(body.name, size) : ""; !doubt.empty()) return doubt;
  }
  return {};
}

// Names a shell that is thicker than its body is long.
std::string doubt_about_thickness(const Simulation& simulation, const State& initial) {
  for (std::size_t b = 0; b < simulation.scene.bodies.size(); ++b) {
    const Body& body = simulation.scene.bodies[b];
    const double size = size_of(simulation, b, initial), thickness = 2 * half_thickness(body);
    if (thickness > size)
      return fmt::format("; the shell of '{}' is {:.3g} m thick, and the body {:.3g} m long: thicknesses are in metres", body.name, thickness, size);
  }
  return {};
}

// Refuses a body that touches itself because its mesh has vertices twice near a place. Where rods meet, they rather pass through each other. Collective.
void refuse_doubled_vertices(const Simulation& simulation, const ContactSettings& settings, const std::string& body, const Vec3& place, const State& initial) {
  const System& system = *simulation.system;
  std::vector<double> mine;
  for (std::size_t b = 0; b < simulation.scene.bodies.size(); ++b)
    if (simulation.scene.bodies[b].name == body && simulation.scene.bodies[b].rod.empty())
      for (const int vertex : system.places()[b]) mine.insert(mine.end(), initial.q[vertex].begin(), initial.q[vertex].end());
  const std::vector<double> all = concatenated_over_ranks(system.communicator(), mine);
  std::vector<Vec3> places;
  for (std::size_t i = 0; i < all.size(); i += 3) places.emplace_back(all[i], all[i + 1], all[i + 2]);
  const auto pairs = coinciding_places(places);
  const auto is_near = [&](const auto& pair) { return (places[pair[0]] - place).norm() <= settings.thickness; };
  const auto near = std::find_if(pairs.begin(), pairs.end(), is_near);
  if (near == pairs.end()) return;
  const Vec3 at = without_rounding(places[(*near)[0]]);
  throw InputError(fmt::format(
      "{}: at the start '{}' touches itself, because {} of its vertices coincide, one at ({:.4g}, {:.4g}, {:.4g}): the parts of its mesh that meet there are "
      "not joined. Merge these vertices in the mesh (Gmsh: Coherence for volumes that touch, Coherence Mesh for a mesh), or move the parts at least {:.3g} m "
      "apart, the contact's thickness",
      settings.source.text, body, pairs.size() == 1 ? "a pair" : fmt::format("{} pairs", pairs.size()), at.x(), at.y(), at.z(), settings.thickness));
}

}  // namespace

std::string remedy_of_inside(const std::string& body, const std::string& obstacle) {
  return fmt::format("; if '{}' is to be inside of '{}', give the surface inside: true", body, obstacle);
}

std::string doubts_about_start(const Simulation& simulation, const ContactSettings& settings, const State& initial) {
  return doubt_about_normals(simulation, settings, initial) + doubt_about_insides(simulation, settings, initial) + doubt_about_units(simulation, initial) +
         doubt_about_thickness(simulation, initial);
}

bool has_thick_shell(const Simulation& simulation) {
  return std::any_of(simulation.scene.bodies.begin(), simulation.scene.bodies.end(), [](const Body& body) { return half_thickness(body) > 0; });
}

void refuse_touch_at_start(const Simulation& simulation, const ContactSettings& settings, const ContactGroup& contact, double gap, const State& initial) {
  if (settings.geometry != ContactGeometry::edges_and_faces || gap + contact.unweighted_law().largest_overlap() > kNothing * settings.thickness) return;
  const std::optional<Vec3> place = place_of_gap(contact, gap, initial, simulation.system->communicator());
  const Vec3 x = without_rounding(place.value_or(Vec3::Zero()));
  const Touch touch = what_touches(simulation, settings, x, std::max(0.0, -gap), initial);
  if (!touch.itself.empty()) refuse_doubled_vertices(simulation, settings, touch.itself, x, initial);
  throw InputError(fmt::format("{}: at the start {} at ({:.4g}, {:.4g}, {:.4g}){}; start them at least {:.3g} m apart, the contact's thickness{}{}",
                               settings.source.text, touch.what, x.x(), x.y(), x.z(), gap < 0 ? fmt::format(", where they overlap by {:.3g} m", -gap) : "",
                               settings.thickness, has_thick_shell(simulation) ? ", besides half the thickness of each shell" : "",
                               doubts_about_start(simulation, settings, initial)));
}

}  // namespace traction
