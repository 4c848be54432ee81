#include "simulation/build_meetings.h"

#include <algorithm>
#include <set>

#include "mesh/mesh_plan.h"
#include "mesh_partition/connected_pieces.h"
#include "parallel/collective.h"
#include "simulation/build_edges_and_faces.h"
#include "simulation/contact_pairs.h"
#include "simulation/contact_scales.h"
#include "simulation/obstacle_mesh.h"
#include "simulation/scene_mesh.h"

namespace traction {

namespace {

bool something_moves(const Scene& scene) {
  const auto is_moved = [](const Body& body) {
    return std::any_of(body.driven.begin(), body.driven.end(), [](const DrivenSettings& driven) { return !driven.motion.empty() && !driven.until; });
  };
  return std::any_of(scene.obstacles.begin(), scene.obstacles.end(), [](const Obstacle& obstacle) { return !obstacle.motion.empty(); }) ||
         std::any_of(scene.bodies.begin(), scene.bodies.end(), is_moved);
}

void add_edges(const std::vector<std::array<int, 3>>& triangles, std::set<std::pair<int, int>>& edges) {
  for (const auto& triangle : triangles)
    for (std::size_t i = 0; i < 3; ++i) edges.insert(std::minmax(triangle[i], triangle[(i + 1) % 3]));
}

class MeetingBuilder {
 public:
  MeetingBuilder(Simulation& simulation, const ContactSettings& settings)
      : simulation_(simulation), mesh_(*simulation.mesh), held_(simulation.system->held_for_good()), settings_(settings) {}

  void build() {
    const Scene& scene = simulation_.scene;
    const auto* other = std::get_if<BodySurface>(&settings_.against);
    if (settings_.all) {
      add_held_bodies();
    } else {
      add_body(settings_.vertices);
      if (other && !(*other == settings_.vertices)) add_body(*other);
    }
    if (sum_over_ranks(mesh_.halo->communicator(), held_count_) == 0) return;
    for (const Obstacle& obstacle : scene.obstacles)
      if (settings_.all || (!other && std::get<std::string>(settings_.against) == obstacle.name)) add_obstacle(obstacle);
    finish();
  }

 private:
  bool may_touch(const std::string& first, const std::string& second) const { return !settings_.all || remaining_(first, second); }

  // Bodies of a contact of all surfaces without a held vertex meet nothing.
  void add_held_bodies() {
    const std::vector<Body>& bodies = simulation_.scene.bodies;
    std::vector<double> held(bodies.size(), 0.0);
    for (std::size_t b = 0; b < bodies.size(); ++b)
      for (const int vertex : mesh_.region(bodies[b].name).vertices)
        if (vertex < mesh_.halo->owned() && held_[vertex]) held[b] = 1;
    sum_over_ranks(mesh_.halo->communicator(), held);
    for (std::size_t b = 0; b < bodies.size(); ++b)
      if (held[b] > 0) add_body({bodies[b].name, ""});
  }

  void add_body(const BodySurface& side) {
    const Body& body = simulation_.scene.body(side.body);
    const auto number = static_cast<int>(&body - simulation_.scene.bodies.data());
    if (has_faces(body, side.region)) {
      const LocalRegion& region = mesh_.region(contact_region(side));
      ContactSurface surface;
      surface.offset = half_thickness(mesh_, body, region);
      for (const int vertex : region.vertices)
        if (vertex < mesh_.halo->owned() && held_[vertex]) surface.vertices.push_back({vertex});
      std::vector<std::array<int, 3>> triangles;
      for (const int t : region.members) {
        const std::array<int, 3>& triangle = mesh_.triangles[t];
        triangles.push_back(triangle);
        if (mesh_.owns(triangle) && std::all_of(triangle.begin(), triangle.end(), [&](int vertex) { return held_[vertex] != 0; }))
          surface.triangles.push_back(triangle);
      }
      add_lines(triangles, {}, surface);
      add(std::move(surface), side.body, number);
    }
    if (has_rods(body, side.region)) {
      const std::vector<int> rods = rods_of(mesh_, body, side.region);
      ContactSurface surface;
      surface.offset = rods_of(body, side.region).begin()->second.radius;
      for (const int vertex : owned_ends(mesh_, rods))
        if (held_[vertex]) surface.vertices.push_back({vertex});
      std::vector<std::array<int, 2>> segments;
      for (const int r : rods)
        if (mesh_.owns(mesh_.rods[r].vertices)) segments.push_back({mesh_.rods[r].vertices[0], mesh_.rods[r].vertices[1]});
      add_lines({}, segments, surface);
      add(std::move(surface), side.body, number);
    }
  }

  // Adds the edges of triangles, each of them on one rank, and segments, as far as both ends are held.
  void add_lines(const std::vector<std::array<int, 3>>& triangles, const std::vector<std::array<int, 2>>& segments, ContactSurface& surface) const {
    std::set<std::pair<int, int>> edges;
    add_edges(triangles, edges);
    std::erase_if(edges, [&](const auto& ends) { return !mesh_.owns(std::array<int, 2>{ends.first, ends.second}); });
    const auto add = [&](int a, int b, bool is_lone) {
      if (!held_[a] || !held_[b]) return;
      SurfaceEdge& edge = surface.edges.emplace_back();
      edge.ends = {a, b};
      edge.length = (mesh_.vertices[a] - mesh_.vertices[b]).norm();
      edge.is_lone = is_lone;
    };
    for (const auto& [a, b] : edges) add(a, b, false);
    for (const auto& [a, b] : segments) add(a, b, true);
  }

  void add(ContactSurface surface, const std::string& name, int body) {
    surface.body = body;
    held_count_ += static_cast<double>(surface.vertices.size());
    surfaces_.push_back(std::move(surface));
    names_.push_back(name);
  }

  void add_obstacle(const Obstacle& obstacle) {
    if (!has_faces(obstacle)) {
      for (std::size_t s = 0; s < surfaces_.size(); ++s) {
        if (surfaces_[s].is_obstacle || !may_touch(names_[s], obstacle.name)) continue;
        std::vector<int> vertices;
        for (const SurfaceVertex& vertex : surfaces_[s].vertices) vertices.push_back(vertex.vertex);
        vertices_.push_back({names_[s], obstacle.name, std::move(vertices), surfaces_[s].offset, gap_functions(obstacle), obstacle.motion});
      }
      return;
    }
    const auto* box = std::get_if<BoxSettings>(&obstacle.shape);
    const SurfaceMesh mesh = box ? box_mesh(*box) : obstacle_mesh(mesh_.halo->communicator(), std::get<MeshObstacleSettings>(obstacle.shape));
    ContactSurface surface;
    surface.is_obstacle = true;
    surface.points = mesh.vertices;
    surface.motion = obstacle.motion;
    surface.triangles = mesh.triangles;
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) surface.vertices.push_back({static_cast<int>(i)});
    std::set<std::pair<int, int>> edges;
    add_edges(mesh.triangles, edges);
    for (const auto& [a, b] : edges) surface.edges.push_back({{a, b}});
    for (const auto& ends : mesh.segments) {
      surface.edges.push_back({ends});
      surface.edges.back().is_lone = true;
    }
    surfaces_.push_back(std::move(surface));
    names_.push_back(obstacle.name);
  }

  // Surfaces touch those of the other side, or all if a body touches itself.
  SurfacePairs pairs_of_named() const {
    const auto* other = std::get_if<BodySurface>(&settings_.against);
    const bool with_itself = other && *other == settings_.vertices;
    SurfacePairs pairs;
    for (std::size_t s = 0; s < surfaces_.size(); ++s)
      pairs.families.push_back(surfaces_[s].is_obstacle ? 0 : with_itself ? -1 : names_[s] == settings_.vertices.body ? 1 : 2);
    return pairs;
  }

  void finish() {
    SurfacePairs pairs = settings_.all ? pairs_of_all(simulation_.scene, surfaces_, names_) : pairs_of_named();
    pairs.sides.assign(surfaces_.size(), 0);
    RestShape rest;
    rest.positions = rest.normals = Field(mesh_.halo->local());
    for (int i = 0; i < mesh_.halo->local(); ++i) rest.positions[i] = mesh_.vertices[i];
    rest.pieces = connected_pieces(mesh_);
    rest.attached = attached_places(simulation_, surfaces_);
    FeatureSearch search(mesh_.halo, std::move(surfaces_), std::move(pairs), std::move(rest), {simulation_.system->is_driven(), held_, true},
                         settings_.thickness);
    simulation_.meetings.push_back(
        std::make_shared<PrescribedMeetings>(settings_.name, settings_.thickness, std::move(search), std::move(names_), std::move(vertices_)));
  }

  Simulation& simulation_;
  const DistributedMesh& mesh_;
  const std::vector<char>& held_;
  const ContactSettings& settings_;
  const RemainingPairs remaining_{simulation_.scene};
  std::vector<ContactSurface> surfaces_;
  std::vector<std::string> names_;
  std::vector<PrescribedMeetings::Vertices> vertices_;
  double held_count_ = 0;  // owned vertices
};

}  // namespace

void add_meetings(Simulation& simulation, const ContactSettings& settings) {
  if (something_moves(simulation.scene)) MeetingBuilder(simulation, settings).build();
}

}  // namespace traction
