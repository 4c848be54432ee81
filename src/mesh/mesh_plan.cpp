#include "mesh/mesh_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>
#include <utility>

#include "math/bounding_box.h"
#include "math/box_tree.h"
#include "math/position_text.h"
#include "mesh/body_summary.h"
#include "mesh/connected_vertices.h"
#include "mesh/mesh_builder.h"
#include "mesh/read_mesh.h"
#include "mesh/rigid_frame.h"
#include "mesh/shells.h"

namespace traction {

namespace {

constexpr const char* kWholeBoundary = "<boundary>";

template <std::size_t N>
std::array<int, N> sorted(std::array<int, N> vertices) {
  std::sort(vertices.begin(), vertices.end());
  return vertices;
}

Region& add_region(Mesh& mesh, const std::string& name, const std::vector<std::array<int, 3>>& faces) {
  Region region{name, 2, std::vector<int>(faces.size())};
  std::iota(region.members.begin(), region.members.end(), static_cast<int>(mesh.triangles.size()));
  mesh.triangles.insert(mesh.triangles.end(), faces.begin(), faces.end());
  return mesh.regions.emplace_back(std::move(region));
}

std::vector<std::array<int, 3>> triangles_of(const Mesh& mesh, const Region& region) {
  std::vector<std::array<int, 3>> triangles;
  for (int t : region.members) triangles.push_back(mesh.triangles[t]);
  return triangles;
}

// The outer faces of the solid, oriented outward, by their sorted vertices.
std::map<std::array<int, 3>, std::array<int, 3>> outer_faces(const Mesh& mesh) {
  std::map<std::array<int, 3>, std::array<int, 3>> result;
  for (const auto& face : boundary_faces(mesh)) result.emplace(sorted(face), face);
  return result;
}

// The shells that are not faces of the solid.
std::vector<int> free_shells(const Mesh& mesh) {
  const auto outer = outer_faces(mesh);
  std::vector<int> result = mesh.shells;
  std::erase_if(result, [&](int t) { return outer.count(sorted(mesh.triangles[t])) > 0; });
  return result;
}

void add_touched_region(Mesh& mesh, const std::string& asked_for, const Region& region) {
  std::set<std::array<int, 3>> free;  // sorted, because a region may name a shell's triangles by their other side
  for (const int t : free_shells(mesh)) free.insert(sorted(mesh.triangles[t]));
  if (!std::all_of(region.members.begin(), region.members.end(), [&](int t) { return free.count(sorted(mesh.triangles[t])) > 0; })) {
    add_region(mesh, outward_region(asked_for), outward_faces(mesh, region));
    return;
  }
  Region sides = add_region(mesh, two_sided_region(asked_for), triangles_of(mesh, region));
  sides.name = region.name;  // for messages
  orient_surface(mesh, sides);
}

void add_closed_region(Mesh& mesh, const SurfaceRequest& request) {
  std::vector<std::array<int, 3>> faces;
  if (request.use == SurfaceRequest::Use::bounds) {
    const Region& zone =
        require_region(mesh, request.region, request.source, 3, "is not made of tetrahedra; name one that is, or a closed surface under 'surface'");
    Mesh part;
    part.vertices = mesh.vertices;
    part.source = mesh.source;
    for (int element : zone.members) part.tetrahedra.push_back(mesh.tetrahedra[element]);
    faces = boundary_faces(part);
  } else {
    const Region& surface = require_region(mesh, request.region, request.source, 2, "is not a surface; name a closed surface, or tetrahedra under 'region'");
    faces = triangles_of(mesh, surface);
    if (request.use == SurfaceRequest::Use::encloses_caps) {
      const std::vector<std::array<int, 3>> caps = rim_caps(mesh, surface);
      faces.insert(faces.end(), caps.begin(), caps.end());
    }
  }
  if (mesh.find_region(closed_region(request.region))) return;
  Region region = add_region(mesh, closed_region(request.region), faces);
  region.name = request.region;  // for messages
  // The boundary of a region of tetrahedra is closed already, and may touch itself in an edge.
  if (request.use != SurfaceRequest::Use::bounds) orient_closed_surface(mesh, region);
}

// A surface may have several names.
void refuse_filling_twice(const Mesh& mesh, const std::vector<SurfaceRequest>& requests) {
  using Use = SurfaceRequest::Use;
  std::map<std::vector<std::array<int, 3>>, const SurfaceRequest*> known;
  for (const SurfaceRequest& request : requests) {
    if (request.use != Use::encloses && request.use != Use::encloses_caps) continue;
    std::vector<std::array<int, 3>> faces = triangles_of(mesh, *mesh.find_region(closed_region(request.region)));
    for (auto& face : faces) face = sorted(face);
    std::sort(faces.begin(), faces.end());
    const auto [earlier, is_new] = known.emplace(std::move(faces), &request);
    if (!is_new)
      throw InputError(fmt::format("{}: the regions '{}' and '{}' are the same closed surface, so that the pressure behind it would count twice; remove one",
                                   request.source, earlier->second->region, request.region));
  }
}

void add_contact_region(Mesh& mesh, const SurfaceRequest& request) {
  const std::string& name = request.region;
  if (name.empty() && !mesh.find_region(kWholeBoundary)) {
    const std::vector<int> free = free_shells(mesh);
    Region& whole = add_region(mesh, kWholeBoundary, boundary_faces(mesh));
    whole.members.insert(whole.members.begin(), free.begin(), free.end());  // these have lower numbers
  }
  const Region region = require_region(mesh, listed_region(name), request.source, 2, "is not a surface; contact acts on surfaces");
  if (request.use == SurfaceRequest::Use::is_touched && !mesh.find_region(outward_region(name)) && !mesh.find_region(two_sided_region(name)))
    add_touched_region(mesh, name, region);
}

// A view of a plan in which bodies are found by their names. Refers to the plan.
class IndexedPlan {
 public:
  explicit IndexedPlan(const MeshPlan& plan) : bodies(plan.bodies), obstacles(plan.obstacles) {
    for (const BodyMesh& body : bodies) meshes_.emplace(body.name, &body.mesh);
  }
  const Mesh& mesh_of(const std::string& body) const { return *meshes_.at(body); }

  const std::vector<BodyMesh>& bodies;
  const std::vector<ObstacleMesh>& obstacles;

 private:
  std::unordered_map<std::string, const Mesh*> meshes_;
};

// The diagonal of the box around some places [m].
double extent(const std::vector<Vec3>& places) {
  BoundingBox box;
  for (const Vec3& x : places) box.include(x);
  return (box.upper - box.lower).norm();
}

// A point of each connected piece of a surface.
std::vector<Vec3> points_of_pieces(const std::vector<Vec3>& vertices, const std::vector<std::array<int, 3>>& triangles) {
  ConnectedVertices connected(vertices.size());
  for (const auto& [a, b, c] : triangles) connected.connect(a, b), connected.connect(a, c);
  std::vector<int> roots;
  for (const auto& triangle : triangles) roots.push_back(connected.root(triangle[0]));
  std::sort(roots.begin(), roots.end());
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
  std::vector<Vec3> points;
  for (const int root : roots) points.push_back(vertices[root]);
  return points;
}

double enclosed_volume(const SurfaceMesh& mesh) {
  double volume = 0;
  for (const auto& [a, b, c] : mesh.triangles) volume += mesh.vertices[a].dot(mesh.vertices[b].cross(mesh.vertices[c])) / 6;
  return volume;
}

// Ends the refusal of a body that lies behind a closed obstacle: its normals may point to the wrong side. `body_name`, `name`: of the body and the obstacle.
std::string doubt_about_normals(const IndexedPlan& plan, const SurfaceMesh& obstacle, const std::string& body_name, const std::string& name,
                                const std::vector<Vec3>& body) {
  BoundingBox around, within;
  for (const Vec3& x : obstacle.vertices) around.include(x);
  for (const Vec3& x : body) within.include(x);
  const bool holds = (around.lower.array() <= within.lower.array()).all() && (within.upper.array() <= around.upper.array()).all();
  const double volume = enclosed_volume(obstacle);
  if (volume < 0 && !holds)
    return fmt::format(
        ", or turn the triangles of {} around: their normals point into it, as for bodies inside, so that all outside counts as behind its surface", name);
  const bool is_box = std::ranges::any_of(plan.obstacles, [&](const ObstacleMesh& each) { return each.name == name && each.shape; });
  if (volume > 0 && holds && is_box) return fmt::format("; if '{}' is to be inside of '{}', give the surface inside: true", body_name, name);
  if (volume > 0 && holds) return fmt::format(", or turn the triangles of {} around if it is to hold the body inside: their normals point out of it", name);
  return {};
}

double longest_side(const std::vector<Vec3>& points) {
  BoundingBox box;
  for (const Vec3& x : points) box.include(x);
  return points.empty() ? 0 : (box.upper - box.lower).maxCoeff();
}

// The vertices of a body do not notice an obstacle that lies between them. Whether surfaces may cross is decided by the contact's thickness.
void require_obstacle_outside(const IndexedPlan& plan, const Separation& wanted, const SurfaceMesh& obstacle) {
  const Mesh& mesh = plan.mesh_of(wanted.body);
  const std::vector<std::array<int, 3>> surface = boundary_faces(mesh);
  if (obstacle.triangles.empty() || find_crossing(mesh.start(), surface, obstacle.vertices, obstacle.triangles)) return;
  const Overlap overlap = deepest_overlap(mesh.start(), surface, points_of_pieces(obstacle.vertices, obstacle.triangles));
  if (overlap.depth <= wanted.depth) return;
  throw InputError(fmt::format("{}: at the start {} lies in {} at {}; move them apart{}", wanted.source, wanted.other, wanted.body, position_text(overlap.at),
                               doubt_about_units(wanted.body, longest_side(mesh.start()), wanted.other, longest_side(obstacle.vertices), true)));
}

// Marks the vertices of a body that another one carries.
std::vector<char> joined_vertices(const IndexedPlan& plan, const std::vector<JoinedRegion>& joined, const std::string& body) {
  const Mesh& mesh = plan.mesh_of(body);
  std::vector<char> marks(mesh.vertices.size(), 0);
  for (const auto& [owner, region] : joined) {
    if (owner != body) continue;
    if (region.empty()) std::fill(marks.begin(), marks.end(), 1);
    else
      for (const int vertex : region_vertices(mesh, *mesh.find_region(region))) marks[vertex] = 1;
  }
  return marks;
}

// The triangles without a marked vertex.
std::vector<std::array<int, 3>> without(std::vector<std::array<int, 3>> triangles, const std::vector<char>& marks) {
  std::erase_if(triangles, [&](const std::array<int, 3>& t) { return marks[t[0]] || marks[t[1]] || marks[t[2]]; });
  return triangles;
}

// `outside`: the triangles of a closed surface whose inside is tested, if one is given. `obstacle`: the other thing if it is an obstacle.
void require_separation(const IndexedPlan& plan, const Separation& wanted, const std::vector<Vec3>& corners, const std::vector<std::array<int, 3>>& outside,
                        const SurfaceMesh* obstacle = nullptr) {
  const Mesh& mesh = plan.mesh_of(wanted.body);
  std::vector<Vec3> points;
  const std::vector<char> is_joined = joined_vertices(plan, wanted.joined, wanted.body);
  for (int vertex : region_vertices(mesh, *mesh.find_region(listed_region(wanted.region))))
    if (!is_joined[vertex]) points.push_back(mesh.start()[vertex]);
  const Overlap overlap = deepest_overlap(corners, outside, points);
  if (overlap.depth <= wanted.depth) return;
  throw InputError(fmt::format("{}: at the start {} reaches {:.3g} m into {} at {}, more than the contact's thickness; move {} apart{}", wanted.source,
                               wanted.body, overlap.depth, wanted.other, position_text(overlap.at), wanted.is_obstacle ? "them" : "the bodies",
                               (obstacle ? doubt_about_normals(plan, *obstacle, wanted.body, wanted.other, points) : "") +
                                   doubt_about_units(wanted.body, longest_side(mesh.start()), wanted.other, longest_side(corners), wanted.is_obstacle)));
}

// The triangles of a surface of a body.
std::vector<std::array<int, 3>> triangles_of(const Mesh& mesh, const std::string& region) {
  std::vector<std::array<int, 3>> triangles;
  for (int t : mesh.find_region(listed_region(region))->members) triangles.push_back(mesh.triangles[t]);
  return triangles;
}

// The triangles of two surfaces of one body, those of both only once.
std::vector<std::array<int, 3>> united(std::vector<std::array<int, 3>> triangles, const std::vector<std::array<int, 3>>& more) {
  std::set<std::array<int, 3>> known;
  for (const auto& triangle : triangles) known.insert(sorted(triangle));
  for (const auto& triangle : more)
    if (known.insert(sorted(triangle)).second) triangles.push_back(triangle);
  return triangles;
}

// A point of a piece of a body, connected by elements, that lies in a solid piece of the same body: their surfaces need not cross. Only pieces with some of the
// given triangles count.
std::optional<Vec3> piece_inside_another(const Mesh& mesh, const std::vector<std::array<int, 3>>& triangles) {
  ConnectedVertices connected(mesh.vertices.size());
  for (const auto& t : mesh.tetrahedra)
    for (int i = 1; i < 4; ++i) connected.connect(t[0], t[i]);
  for (const int shell : mesh.shells)
    for (int i = 1; i < 3; ++i) connected.connect(mesh.triangles[shell][0], mesh.triangles[shell][i]);
  std::map<int, Vec3> points;  // one of each piece
  for (const auto& triangle : triangles) points.try_emplace(connected.root(triangle[0]), mesh.start()[triangle[0]]);
  if (points.size() < 2) return {};
  std::map<int, std::vector<std::array<int, 3>>> solids;  // boundaries of the pieces, by their roots
  for (const auto& triangle : boundary_faces(mesh))
    if (const int root = connected.root(triangle[0]); points.contains(root)) solids[root].push_back(triangle);
  std::vector<BoundingBox> boxes;
  std::vector<std::pair<int, Vec3>> places(points.begin(), points.end());
  for (const auto& [root, point] : places) boxes.emplace_back().include(point);
  const BoxTree tree(boxes);
  for (const auto& [root, boundary] : solids) {
    BoundingBox box;
    for (const auto& triangle : boundary)
      for (const int vertex : triangle) box.include(mesh.start()[vertex]);
    std::vector<Vec3> others;
    tree.for_each_overlap(box, [&, own = root](int number) {
      if (places[number].first != own) others.push_back(places[number].second);
    });
    if (others.empty()) continue;
    if (const Overlap overlap = deepest_overlap(mesh.start(), boundary, others); overlap.depth > 0) return overlap.at;
  }
  return {};
}

// Calls refuse(place) if a segment or point of an obstacle crosses a body's surface or lies in the body.
template <typename Refuse>
void require_wires_outside(const Mesh& body, const std::vector<std::array<int, 3>>& surface, const SurfaceMesh& obstacle, Refuse refuse) {
  if (obstacle.segments.empty() && obstacle.points.empty()) return;
  if (const auto at = find_crossing(body.start(), surface, obstacle.vertices, obstacle.segments)) refuse(*at);
  std::vector<Vec3> points;
  for (const auto& segment : obstacle.segments) points.push_back(obstacle.vertices[segment[0]]);
  for (int point : obstacle.points) points.push_back(obstacle.vertices[point]);
  if (const Overlap overlap = deepest_overlap(body.start(), boundary_faces(body), points); overlap.depth > 0) refuse(overlap.at);
}

// `obstacles`: of the plan, in its order.
void require_disjunction(const IndexedPlan& plan, const std::vector<SurfaceMesh>& obstacles, const Disjunction& wanted) {
  const Mesh& mesh = plan.mesh_of(wanted.body);
  auto triangles = triangles_of(mesh, wanted.region);
  std::string units;
  const auto refuse = [&](const std::string& what, const Vec3& at, const std::string& doubt = {}) {
    throw InputError(fmt::format("{}: at the start {} at {}; move {} apart, by the contact's thickness at least{}{}", wanted.source, what, position_text(at),
                                 wanted.body == wanted.other ? "its parts" : "them", doubt, units));
  };
  if (wanted.body == wanted.other) {
    if (wanted.region != wanted.other_region) triangles = united(std::move(triangles), triangles_of(mesh, wanted.other_region));
    if (const auto at = find_crossing(mesh.start(), triangles)) refuse("the surface of " + wanted.body + " crosses itself", *at);
    if (const auto at = piece_inside_another(mesh, triangles)) refuse("a piece of " + wanted.body + " lies in another one", *at);
    return;
  }
  const auto obstacle =
      std::find_if(plan.obstacles.begin(), plan.obstacles.end(), [&](const ObstacleMesh& candidate) { return candidate.name == wanted.other; });
  const bool is_obstacle = obstacle != plan.obstacles.end();
  const SurfaceMesh* shape = is_obstacle ? &obstacles[obstacle - plan.obstacles.begin()] : nullptr;
  const Mesh* body = is_obstacle ? nullptr : &plan.mesh_of(wanted.other);
  const std::vector<Vec3>& other = shape ? shape->vertices : body->start();
  auto second = shape ? shape->triangles : triangles_of(*body, wanted.other_region);
  units = doubt_about_units(wanted.body, longest_side(mesh.start()), wanted.other, longest_side(other), is_obstacle);
  if (!wanted.joined.empty()) {
    triangles = without(std::move(triangles), joined_vertices(plan, wanted.joined, wanted.body));
    second = without(std::move(second), joined_vertices(plan, wanted.joined, wanted.other));
  }
  if (const auto at = find_crossing(mesh.start(), triangles, other, second)) refuse(fmt::format("{} crosses {}", wanted.body, wanted.other), *at);
  if (shape) require_wires_outside(mesh, triangles, *shape, [&](const Vec3& at) { refuse(fmt::format("{} crosses {}", wanted.body, wanted.other), at); });
  if (second.empty()) return;
  // A piece of one surface may lie entirely inside the other. All of its vertices lie inside then.
  const auto outside = shape ? (shape->closed ? shape->triangles : std::vector<std::array<int, 3>>{}) : boundary_faces(*body);
  constexpr double kRounding = 1e-6;  // error of places at which another body carries this one, relative to the body's size
  const double allowed = wanted.joined.empty() ? 0 : kRounding * extent(mesh.start());
  if (const Overlap overlap = deepest_overlap(other, outside, points_of_pieces(mesh.start(), triangles)); overlap.depth > allowed)
    refuse(fmt::format("{} lies in {}", wanted.body, wanted.other), overlap.at,
           shape ? doubt_about_normals(plan, *shape, wanted.body, wanted.other, mesh.start()) : "");
  if (const Overlap overlap = deepest_overlap(mesh.start(), boundary_faces(mesh), points_of_pieces(other, second)); overlap.depth > allowed)
    refuse(fmt::format("{} lies in {}", wanted.other, wanted.body), overlap.at);
}

// The boxes around the bodies at the start, and around the obstacles, by name.
std::map<std::string, BoundingBox> boxes_of(const IndexedPlan& plan, const std::vector<SurfaceMesh>& obstacles) {
  std::map<std::string, BoundingBox> boxes;
  for (const BodyMesh& body : plan.bodies)
    for (const Vec3& x : body.mesh.start()) boxes[body.name].include(x);
  for (std::size_t i = 0; i < obstacles.size(); ++i)
    for (const Vec3& x : obstacles[i].vertices) boxes[plan.obstacles[i].name].include(x);
  return boxes;
}

// `obstacles`: of the plan, in its order.
void require_rods_outside(const IndexedPlan& plan, const std::vector<SurfaceMesh>& obstacles, const RodsOutside& wanted) {
  const Mesh& mesh = plan.mesh_of(wanted.body);
  std::vector<std::array<int, 2>> axes;
  std::vector<Vec3> points;
  for (const std::string& name : wanted.regions)
    for (const int rod : mesh.find_region(name)->rods) {
      axes.push_back({mesh.rods[rod].vertices[0], mesh.rods[rod].vertices[1]});
      points.push_back(mesh.start()[axes.back()[0]]);
    }
  const auto obstacle =
      std::find_if(plan.obstacles.begin(), plan.obstacles.end(), [&](const ObstacleMesh& candidate) { return candidate.name == wanted.other; });
  const SurfaceMesh* shape = obstacle == plan.obstacles.end() ? nullptr : &obstacles[static_cast<std::size_t>(obstacle - plan.obstacles.begin())];
  const Mesh* body = shape ? nullptr : &plan.mesh_of(wanted.other);
  const std::vector<Vec3>& corners = shape ? shape->vertices : body->start();
  const auto surface = shape ? shape->triangles : triangles_of(*body, wanted.other_region);
  const auto outside = !shape ? boundary_faces(*body) : shape->closed ? shape->triangles : std::vector<std::array<int, 3>>{};
  const auto refuse = [&](const char* what, const Vec3& at) {
    throw InputError(
        fmt::format("{}: at the start a rod of {} {} {} at {}; move them apart", wanted.source, wanted.body, what, wanted.other, position_text(at)));
  };
  if (const auto at = find_crossing(corners, surface, mesh.start(), axes)) refuse("passes through", *at);
  if (const Overlap overlap = deepest_overlap(corners, outside, points); overlap.depth > 0) refuse("lies in", overlap.at);
}

void append(Mesh& all, const Mesh& mesh, const std::string& body) {
  const int vertices = static_cast<int>(all.vertices.size()), tetrahedra = static_cast<int>(all.tetrahedra.size());
  const int triangles = static_cast<int>(all.triangles.size()), rods = static_cast<int>(all.rods.size());
  all.vertices.insert(all.vertices.end(), mesh.vertices.begin(), mesh.vertices.end());
  Region whole{body, 0, std::vector<int>(mesh.vertices.size() - mesh.rods.size())};  // twists are at the end
  std::iota(whole.members.begin(), whole.members.end(), vertices);
  const auto shifted = [](auto numbers, int by) {
    for (int& number : numbers) number += by;
    return numbers;
  };
  for (const auto& tetrahedron : mesh.tetrahedra) all.tetrahedra.push_back(shifted(tetrahedron, vertices));
  for (const QuadraticTetrahedron& quadratic : mesh.quadratics) all.quadratics.push_back({shifted(quadratic.vertices, vertices), quadratic.first + tetrahedra});
  for (const auto& triangle : mesh.triangles) all.triangles.push_back(shifted(triangle, vertices));
  for (int shell : mesh.shells) all.shells.push_back(shell + triangles);
  for (const Hinge& hinge : mesh.hinges) all.hinges.push_back({shifted(hinge.vertices, vertices), shifted(hinge.triangles, triangles)});
  for (const Rod& rod : mesh.rods) all.rods.push_back({shifted(rod.vertices, vertices)});
  for (const Joint& joint : mesh.joints) all.joints.push_back({shifted(joint.vertices, vertices), shifted(joint.rods, rods)});
  for (DependentVertex dependent : mesh.dependents)
    all.dependents.push_back({dependent.vertex + vertices, shifted(dependent.masters, vertices), dependent.weights});
  for (RigidFrame frame : mesh.frames) {
    frame.particles = shifted(frame.particles, vertices);
    all.frames.push_back(frame);
  }
  all.insides.insert(all.insides.end(), mesh.insides.begin(), mesh.insides.end());
  all.regions.push_back(std::move(whole));
  for (const Region& region : mesh.regions) {
    if (is_empty_region(region)) continue;
    const int offset = region.dimension == 3 ? tetrahedra : region.dimension == 2 ? triangles : vertices;
    all.regions.push_back({body + "." + region.name, region.dimension, shifted(region.members, offset), {}, shifted(region.rods, rods)});
  }
  all.source += (all.source.empty() ? "" : " + ") + mesh.source;
}

void add_start(Mesh& all, const Mesh& mesh) {
  all.start_positions.insert(all.start_positions.end(), mesh.start().begin(), mesh.start().end());
  all.start_velocities.insert(all.start_velocities.end(), mesh.start_velocities.begin(), mesh.start_velocities.end());
  all.start_velocities.resize(all.start_positions.size(), Vec3::Zero());
}

}  // namespace

std::string listed_region(const std::string& region) { return region.empty() ? kWholeBoundary : region; }
std::string outward_region(const std::string& region) { return "<outward>" + listed_region(region); }
std::string two_sided_region(const std::string& region) { return "<two-sided>" + listed_region(region); }
std::string closed_region(const std::string& region) { return "<closed>" + region; }

std::vector<std::array<int, 3>> outward_faces(const Mesh& mesh, const Region& region) {
  const auto outer = outer_faces(mesh);
  std::vector<std::array<int, 3>> faces;
  std::map<std::array<int, 2>, int> triangles_of_edge;
  for (int member : region.members) {
    const std::array<int, 3>& triangle = mesh.triangles[member];
    const auto found = outer.find(sorted(triangle));
    if (found == outer.end())
      throw InputError(fmt::format("{}: the triangle at {} of region '{}' is not an outer face of the solid and so has no outside; name an outer surface",
                                   mesh.source, position_text(mesh.vertices[triangle[0]]), region.name));
    faces.push_back(found->second);
    for (int i = 0; i < 3; ++i)
      if (++triangles_of_edge[sorted(std::array{triangle[i], triangle[(i + 1) % 3]})] > 2)
        throw InputError(
            fmt::format("{}: the region '{}' is non-manifold: more than two of its triangles meet in the edge from {} to {}; remesh so that parts of the "
                        "solid do not touch in a single edge",
                        mesh.source, region.name, position_text(mesh.vertices[triangle[i]]), position_text(mesh.vertices[triangle[(i + 1) % 3]])));
  }
  return faces;
}

Mesh assemble(MeshPlan plan) {
  for (BodyMesh& body : plan.bodies)
    for (const SurfaceRequest& request : body.surfaces)
      with_source(request.source, [&] {
        const bool is_contact = request.use == SurfaceRequest::Use::touches || request.use == SurfaceRequest::Use::is_touched;
        is_contact ? add_contact_region(body.mesh, request) : add_closed_region(body.mesh, request);
      });
  for (const BodyMesh& body : plan.bodies) refuse_filling_twice(body.mesh, body.surfaces);
  const IndexedPlan indexed(plan);
  for (const Separation& wanted : plan.separations)
    if (!wanted.is_obstacle) require_separation(indexed, wanted, indexed.mesh_of(wanted.other).start(), boundary_faces(indexed.mesh_of(wanted.other)));
  std::vector<SurfaceMesh> obstacles;
  for (const ObstacleMesh& obstacle : plan.obstacles) {  // every obstacle is read, so that mistakes in the files are found before anything is computed
    SurfaceMesh& mesh = obstacles.emplace_back(obstacle.shape ? *obstacle.shape : with_source(obstacle.source, [&] { return read_surface(obstacle.file); }));
    for (Vec3& x : mesh.vertices) x *= obstacle.scale;
    for (const Separation& wanted : plan.separations) {
      if (!wanted.is_obstacle || wanted.other != obstacle.name) continue;
      if (mesh.closed) require_separation(indexed, wanted, mesh.vertices, mesh.triangles, &mesh);
      require_obstacle_outside(indexed, wanted, mesh);
    }
  }
  const std::map<std::string, BoundingBox> boxes = boxes_of(indexed, obstacles);
  for (const Disjunction& wanted : plan.disjunctions)
    if (boxes.at(wanted.body).intersects(boxes.at(wanted.other))) require_disjunction(indexed, obstacles, wanted);
  for (const RodsOutside& wanted : plan.rods_outside) require_rods_outside(indexed, obstacles, wanted);
  const bool start_is_given = std::any_of(plan.bodies.begin(), plan.bodies.end(), [](const BodyMesh& body) { return !body.mesh.start_positions.empty(); });
  Mesh all;
  for (BodyMesh& body : plan.bodies) {
    if (!body.mesh.frames.empty()) make_rigid(body.mesh);
    if (start_is_given) add_start(all, body.mesh);
    append(all, std::exchange(body.mesh, {}), body.name);
  }
  return all;
}

}  // namespace traction
