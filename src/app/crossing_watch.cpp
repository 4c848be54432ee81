#include "app/crossing_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "app/repeated_warnings.h"
#include "mesh/tetrahedron_faces.h"
#include "simulation/obstacle_mesh.h"
#include "simulation/rigid_bodies.h"

namespace traction {

namespace {

constexpr double kShallow = 0.01;  // share of the edge that pierces; bodies without contact that cross by less only touch

// The faces that bound the tetrahedra, each on the rank that owns it.
std::vector<std::array<int, 3>> outer_faces(const DistributedMesh& mesh, const std::vector<char>& is_frame) {
  std::vector<std::array<int, 3>> outer;
  for_each_face(mesh.tetrahedra, [&](std::span<const TetrahedronFace> faces) {
    if (faces.size() == 1 && !is_frame[faces[0].tetrahedron()] && mesh.owns(faces[0].sorted)) outer.push_back(faces[0].sorted);
  });
  return outer;
}

SurfaceCrossings::Bodies surfaces_of_bodies(const Simulation& simulation, const std::vector<int>& body_of) {
  const DistributedMesh& mesh = *simulation.mesh;
  SurfaceCrossings::Bodies bodies;
  bodies.count = static_cast<int>(simulation.scene.bodies.size());
  bodies.triangles = outer_faces(mesh, frame_marks(mesh, simulation.scene));
  for (const int t : shown_triangles(mesh, simulation.scene))
    if (mesh.owns(mesh.triangles[t])) bodies.triangles.push_back(mesh.triangles[t]);
  for (const auto& triangle : bodies.triangles) bodies.body_of_triangle.push_back(body_of[triangle[0]]);
  for (const Rod& rod : mesh.rods) {
    if (!mesh.owns(rod.vertices)) continue;
    bodies.rods.push_back({rod.vertices[0], rod.vertices[1]});
    bodies.body_of_rod.push_back(body_of[rod.vertices[0]]);
  }
  return bodies;
}

std::vector<SurfaceCrossings::Obstacle> surfaces_of_obstacles(const Simulation& simulation, std::vector<std::string>& names) {
  std::vector<SurfaceCrossings::Obstacle> surfaces;
  for (const Obstacle& obstacle : simulation.scene.obstacles) {
    names.push_back(obstacle.name);
    if (!has_faces(obstacle)) {
      surfaces.push_back({{}, {}, {}, gap_functions(obstacle), obstacle.motion});
      continue;
    }
    const auto* box = std::get_if<BoxSettings>(&obstacle.shape);
    SurfaceMesh mesh = box ? box_mesh(*box) : obstacle_mesh(simulation.mesh->halo->communicator(), std::get<MeshObstacleSettings>(obstacle.shape));
    surfaces.push_back({std::move(mesh.vertices), std::move(mesh.triangles), std::move(mesh.segments), {}, obstacle.motion});
  }
  return surfaces;
}

// Whether a contact is for a region of a body, not for the whole of both sides.
bool names_parts(const ContactSettings& contact) {
  const auto* other = std::get_if<BodySurface>(&contact.against);
  return !contact.all && (!contact.vertices.region.empty() || (other && !other->region.empty()));
}

}  // namespace

CrossingWatch::CrossingWatch(const Simulation& simulation)
    : simulation_(simulation),
      joined_(*simulation.system),
      remaining_(simulation.scene),
      crossings_(simulation.mesh->halo, surfaces_of_bodies(simulation, joined_.body_of()), surfaces_of_obstacles(simulation, obstacles_)) {
  at_start_ = find();
  for (const SurfaceCrossings::Crossing& crossing : at_start_) known_.insert({crossing.first, crossing.second});
}

std::vector<std::string> CrossingWatch::warnings_at_start() const {
  const auto bodies = static_cast<int>(simulation_.scene.bodies.size());
  RepeatedWarnings warnings;
  for (const auto& [first, second, depth, edge, place] : at_start_) {
    if (first == second || second >= bodies || contact_between({first, second}) || may_cross({first, second})) continue;
    const std::string a = name_of(first), b = name_of(second);
    warnings.add("overlap", a,
                 fmt::format("'{}' and '{}' overlap at the start near ({:.4g}, {:.4g}, {:.4g}), and no contact is between them: they stay in each other, and "
                             "the space that they share has the mass and the stiffness of both. Move them apart and name them in a contact (vertices: {}, "
                             "against: {}), or join them by an attachment",
                             a, b, place.x(), place.y(), place.z(), a, b));
  }
  return warnings.messages();
}

std::vector<SurfaceCrossings::Crossing> CrossingWatch::find() const {
  State state = simulation_.loop->state();
  simulation_.mesh->halo->exchange(state.q.values());
  std::vector<SurfaceCrossings::Crossing> found = crossings_.find(state);
  std::erase_if(found, [&](const SurfaceCrossings::Crossing& crossing) {
    const ContactSettings* contact = contact_between({crossing.first, crossing.second});
    return crossing.depth <= (contact ? contact->thickness : kShallow * crossing.edge);
  });
  return found;
}

std::string CrossingWatch::name_of(int surface) const {
  const auto bodies = static_cast<int>(simulation_.scene.bodies.size());
  return surface < bodies ? simulation_.scene.bodies[surface].name : obstacles_[surface - bodies];
}

bool CrossingWatch::may_cross(const Pair& pair) const {
  const Scene& scene = simulation_.scene;
  const auto [first, second] = pair;
  if (scene.has_pressure_contact(name_of(first), name_of(second))) return true;
  return first != second && second < static_cast<int>(scene.bodies.size()) && joined_.are_joined(first, second);
}

const ContactSettings* CrossingWatch::contact_between(const Pair& pair) const {
  const std::string first = name_of(pair.first), second = name_of(pair.second);
  for (const ContactSettings& contact : simulation_.scene.contacts) {
    if (contact.all) {
      if (remaining_(first, second)) return &contact;
      continue;
    }
    const auto* body = std::get_if<BodySurface>(&contact.against);
    const std::string& other = body ? body->body : std::get<std::string>(contact.against);
    if (std::minmax(contact.vertices.body, other) == std::minmax(first, second)) return &contact;
  }
  return nullptr;
}

std::string CrossingWatch::warning(const SurfaceCrossings::Crossing& crossing) const {
  const std::string first = name_of(crossing.first), second = name_of(crossing.second);
  const bool is_alone = crossing.first == crossing.second;
  const std::string what = is_alone ? fmt::format("'{}' passes into itself", first) : fmt::format("'{}' and '{}' pass into each other", first, second);
  const std::string where =
      fmt::format("{} near ({:.4g}, {:.4g}, {:.4g}), by {:.3g} m", what, crossing.place.x(), crossing.place.y(), crossing.place.z(), crossing.depth);
  const ContactSettings* contact = contact_between({crossing.first, crossing.second});
  if (!contact)
    return fmt::format("{}: no contact is between {}. Name {} in a contact (vertices: {}, against: {}), or all surfaces (all: true)", where,
                       is_alone ? "its parts" : "them", is_alone ? "it" : "them", first, second);
  if (names_parts(*contact))
    return fmt::format(
        "{}, although the contact '{}' is between them: it names regions, and the rest of the bodies passes through. Name whole bodies, or, if the regions "
        "are "
        "their whole surfaces, take shorter steps",
        where, contact->name);
  return fmt::format(
      "{}, although the contact '{}' is between them. Nothing passes through meshes and boxes with geometry: edges_and_faces; elsewhere take smaller "
      "triangles, a greater thickness or pressure, or shorter steps",
      where, contact->name);
}

std::vector<std::string> CrossingWatch::look() {
  std::vector<std::string> warnings;
  for (const SurfaceCrossings::Crossing& crossing : find()) {
    const Pair pair{crossing.first, crossing.second};
    if (known_.insert(pair).second && !may_cross(pair)) warnings.push_back(warning(crossing));
  }
  return warnings;
}

}  // namespace traction
