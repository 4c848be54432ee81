#include "simulation/touch_at_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "contact/features.h"
#include "contact/passage.h"
#include "errors.h"
#include "parallel/collective.h"
#include "simulation/contact_pairs.h"
#include "simulation/contact_scales.h"
#include "simulation/scene_mesh.h"

namespace traction {

namespace {

// Nearer than this part of the thickness, forces are so large that no step is short enough for them.
constexpr double kNothing = 1e-4;

// Where the gap is the least. Collective.
std::optional<Vec3> place_of_gap(const ContactGroup& contact, double gap, const State& initial, MPI_Comm communicator) {
  std::optional<Vec3> place;
  for (const ContactPoint& point : contact.points(initial))
    if (point.gap <= gap && !place) place = point.position;
  return first_over_ranks(communicator, place);
}

// How far the surface of a body is from a place, at most half the thickness of its shells more. Collective.
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

// The two that meet there. Collective.
std::string what_touches(const Simulation& simulation, const ContactSettings& settings, const Vec3& place, const State& initial) {
  if (!settings.all) {
    const auto* other = std::get_if<BodySurface>(&settings.against);
    const std::string second = other ? other->body : std::get<std::string>(settings.against);
    if (second == settings.vertices.body) return fmt::format("'{}' touches itself", second);
    return fmt::format("'{}' and '{}' touch", settings.vertices.body, second);
  }
  std::vector<std::string> near;
  double largest_radius = 0;  // the place lies on the axis of a rod
  for (const Body& body : simulation.scene.bodies)
    for (const auto& [name, material] : body.rod) largest_radius = std::max(largest_radius, material.radius);
  for (const Body& body : simulation.scene.bodies)
    if (distance_to(simulation, body, place, initial) <= 2 * half_thickness(body) + largest_radius + settings.thickness) near.push_back(body.name);
  if (near.size() < 2) return fmt::format("'{}' and an obstacle, or parts of it, touch", near.empty() ? simulation.scene.bodies.front().name : near.front());
  std::string names;
  for (std::size_t i = 0; i < near.size(); ++i) names += fmt::format("{}'{}'", i == 0 ? "" : i + 1 < near.size() ? ", " : " and ", near[i]);
  return names + " touch";
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
  const auto* named = settings.all ? nullptr : std::get_if<std::string>(&settings.against);
  const RemainingPairs remaining(simulation.scene);
  for (const Body& body : simulation.scene.bodies)
    for (const Obstacle& obstacle : simulation.scene.obstacles) {
      const auto* plane = std::get_if<PlaneSettings>(&obstacle.shape);
      const bool meet = settings.all ? remaining(body.name, obstacle.name) : named && body.name == settings.vertices.body && obstacle.name == *named;
      if (plane && meet && share_behind(simulation, body.name, *plane, initial) > kMost)
        return fmt::format(", or turn the normal of plane '{}' around: most of '{}' lies behind it, and a plane's normal must point to the side of the bodies",
                           obstacle.name, body.name);
    }
  return {};
}

std::string doubt_about_units(const Simulation& simulation, const State& initial) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const System& system = *simulation.system;
  for (std::size_t b = 0; b < simulation.scene.bodies.size(); ++b) {
    const Body& body = simulation.scene.bodies[b];
    Vec3 low = Vec3::Constant(kNone), high = -low;
    for (const int vertex : system.places()[b]) {
      low = low.cwiseMin(Vec3(initial.q[vertex]));
      high = high.cwiseMax(Vec3(initial.q[vertex]));
    }
    double size = 0;
    for (int axis = 0; axis < 3; ++axis)
      size = std::max(size, maximum_over_ranks(system.communicator(), high[axis]) - minimum_over_ranks(system.communicator(), low[axis]));
    if (std::string doubt = body.scale == 1 ? traction::doubt_about_units(body.name, size) : ""; !doubt.empty()) return doubt;
  }
  return {};
}

}  // namespace

std::string doubts_about_start(const Simulation& simulation, const ContactSettings& settings, const State& initial) {
  return doubt_about_normals(simulation, settings, initial) + doubt_about_units(simulation, initial);
}

bool has_thick_shell(const Simulation& simulation) {
  return std::any_of(simulation.scene.bodies.begin(), simulation.scene.bodies.end(), [](const Body& body) { return half_thickness(body) > 0; });
}

void refuse_touch_at_start(const Simulation& simulation, const ContactSettings& settings, const ContactGroup& contact, double gap, const State& initial) {
  if (settings.geometry != ContactGeometry::edges_and_faces || gap + contact.unweighted_law().largest_overlap() > kNothing * settings.thickness) return;
  const std::optional<Vec3> place = place_of_gap(contact, gap, initial, simulation.system->communicator());
  const Vec3 x = place.value_or(Vec3::Zero());
  const std::string what = what_touches(simulation, settings, x, initial);
  throw InputError(fmt::format("{}: at the start {} at ({:.4g}, {:.4g}, {:.4g}){}; start them at least {:.3g} m apart, the contact's thickness{}{}",
                               settings.source.text, what, x.x(), x.y(), x.z(), gap < 0 ? fmt::format(", where they overlap by {:.3g} m", -gap) : "",
                               settings.thickness, has_thick_shell(simulation) ? ", besides half the thickness of each shell" : "",
                               doubts_about_start(simulation, settings, initial)));
}

}  // namespace traction
