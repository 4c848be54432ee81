#include "simulation/build_edges_and_faces.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string>

#include "contact/thick_middle.h"
#include "math/triangle_area.h"
#include "mesh/mesh_plan.h"
#include "mesh_partition/connected_pieces.h"
#include "parallel/collective.h"
#include "simulation/contact_pairs.h"
#include "simulation/edge_turn.h"
#include "simulation/flush_boxes.h"
#include "simulation/obstacle_mesh.h"
#include "simulation/region_borders.h"
#include "simulation/scene_mesh.h"
#include "simulation/surface_scales.h"
#include "simulation/vertex_areas.h"

namespace traction {

namespace {

constexpr double kSharp = EIGEN_PI / 4;  // where faces meet at this angle or a larger one, their edge has the whole penalty
constexpr double kEndless = 1e4;         // half the length of a cylinder's axis, in multiples of the bodies' extent and their distance from the axis' point

struct EdgeSide {
  bool in_order;  // whether the triangle has the edge's ends in their order
  Vec3 normal;    // normal with the length of twice the area
};

// Gives the corners of triangles unit normals, weighted by area.
void add_normals(const std::vector<std::array<int, 3>>& triangles, const std::vector<Vec3>& x, Field& normals) {
  std::map<int, Vec3> sums;
  for (const auto& [a, b, c] : triangles)
    for (const int corner : {a, b, c}) sums.try_emplace(corner, Vec3::Zero()).first->second += (x[b] - x[a]).cross(x[c] - x[a]);
  for (const auto& [corner, sum] : sums)
    if (sum.norm() > 0) normals[corner] = sum.normalized();
}

// Adds, at the ends of edges that have one triangle alone, a vector out of the surface in its plane, of the edge's length.
void add_rims(const std::vector<std::array<int, 3>>& triangles, const std::vector<Vec3>& x, Field& rims) {
  std::map<std::pair<int, int>, std::pair<int, Vec3>> out;  // number of triangles at each edge, and the vector out of the last of them
  for (const std::array<int, 3>& triangle : triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      const int a = triangle[i], b = triangle[(i + 1) % 3], c = triangle[(i + 2) % 3];
      const Vec3 edge = x[b] - x[a], inward = x[c] - x[a];
      auto& [count, last] = out.try_emplace(std::minmax(a, b), 0, Vec3::Zero()).first->second;
      ++count;
      last = (edge * (edge.dot(inward) / edge.squaredNorm()) - inward).normalized() * edge.norm();
    }
  for (const auto& [ends, each] : out)
    if (each.first == 1)
      for (const int end : {ends.first, ends.second}) rims[end] += each.second;
}

// The edges of triangles whose corners are at x. `is_ours(ends)`: which to list. In their order by their ends.
template <typename IsOurs>
std::vector<SurfaceEdge> edges_of(const std::vector<std::array<int, 3>>& triangles, const std::vector<Vec3>& x, IsOurs is_ours) {
  std::map<std::pair<int, int>, std::vector<EdgeSide>> sides;
  for (const auto& triangle : triangles) {
    const Vec3 normal = (x[triangle[1]] - x[triangle[0]]).cross(x[triangle[2]] - x[triangle[0]]);
    for (int i = 0; i < 3; ++i) {
      const int a = triangle[i], b = triangle[(i + 1) % 3];
      if (is_ours(a, b)) sides[std::minmax(a, b)].push_back({a < b, normal});
    }
  }
  std::vector<SurfaceEdge> edges;
  for (const auto& [ends, at] : sides) {
    SurfaceEdge& edge = edges.emplace_back();
    edge.ends = {ends.first, ends.second};
    edge.length = (x[ends.first] - x[ends.second]).norm();
    std::vector<double> areas;
    for (const EdgeSide& side : at) areas.push_back(side.normal.norm() / 6);
    edge.area = mean_of_sides(areas);
    if (at.size() != 2) continue;  // a rim, or a place where surfaces branch, is sharp
    const Vec3 second = at[0].in_order == at[1].in_order ? Vec3(-at[1].normal) : at[1].normal;
    const double angle = std::atan2(at[0].normal.cross(second).norm(), at[0].normal.dot(second));
    edge.sharpness = std::min(1.0, angle / kSharp);
    if (std::cos(angle) > kCosineOfSharpTurn) edge.area = areas[0] + areas[1];
  }
  return edges;
}

// Makes friction act on the surface of a shell, half its thickness from its triangles. `around`: all triangles at the vertices of this rank.
void turn_by_faces(const std::vector<std::array<int, 3>>& around, const std::vector<Vec3>& x, ContactSurface& surface) {
  surface.turns_by_faces = true;
  std::map<int, TurnsAt> at_vertices;
  std::map<std::pair<int, int>, TurnsAt> at_edges;
  for (const std::array<int, 3>& triangle : around) {
    const double area = triangle_area(x, triangle);
    for (std::size_t i = 0; i < 3; ++i) {
      at_vertices[triangle[i]].push_back({triangle, area});
      at_edges[std::minmax(triangle[i], triangle[(i + 1) % 3])].push_back({triangle, area});
    }
  }
  for (SurfaceVertex& vertex : surface.vertices) vertex.turns = at_vertices[vertex.vertex];
  for (SurfaceEdge& edge : surface.edges) edge.turns = at_edges[std::minmax(edge.ends[0], edge.ends[1])];
}

// Where edges and triangles that are divided into n parts press beside their vertices: at the corners of n^2 small triangles, each with a third of the areas
// of those around it. `stiffness_at(vertex)`: per area.
template <typename StiffnessAt>
std::vector<SurfacePlace> places_of(const ContactSurface& surface, int n, const std::vector<Vec3>& x, StiffnessAt stiffness_at) {
  std::vector<SurfacePlace> places;
  const auto add = [&](const std::array<int, 3>& points, const Place& place, double area, const TurnsAt& turns) {
    double stiffness = 0;
    for (int i = 0; i < place.corners; ++i) stiffness += place.shares[i] * stiffness_at(points[i]);
    places.push_back({points, place, area * stiffness, area, turns});
  };
  const double step = 1.0 / n;
  for (const SurfaceEdge& edge : surface.edges)
    for (int i = 1; i < n; ++i) add({edge.ends[0], edge.ends[1], -1}, {2, {1 - i * step, i * step, 0}}, 3 * edge.area * step * step, edge.turns);
  for (const auto& triangle : surface.triangles) {
    const double area = triangle_area(x, triangle);
    const TurnsAt turns(surface.turns_by_faces ? 1 : 0, TurnAt{triangle, 1});
    for (int i = 1; i < n; ++i)
      for (int j = 1; i + j < n; ++j) add(triangle, {3, {1 - (i + j) * step, i * step, j * step}}, 2 * area * step * step, turns);
  }
  return places;
}

// A wire has no area of its own: it presses like a strip that is as wide as the faces which touch it are from vertex to vertex, and a nail like one vertex of
// these. So a wire has a stiffness per length, and neither depends on how it is divided.
void add_wires(const SurfaceMesh& mesh, double mean_area, ContactSurface& surface, std::vector<double>& areas, std::vector<double>& sharpness) {
  for (const auto& ends : mesh.segments) {
    SurfaceEdge& edge = surface.edges.emplace_back();
    edge.ends = ends;
    edge.length = (mesh.vertices[ends[0]] - mesh.vertices[ends[1]]).norm();
    edge.area = edge.length * std::sqrt(mean_area);
    edge.is_lone = true;
    for (int end : ends) areas[end] += edge.area / 2;
    for (int end : ends) sharpness[end] = 1;
  }
  for (int point : mesh.points) {
    areas[point] = mean_area;
    sharpness[point] = 1;
  }
}

// The middle of a round obstacle: a sphere's center, as a wire without length, or a part of a cylinder's axis that is longer than bodies go.
ContactSurface thick_point_or_line(const DistributedMesh& bodies, const Obstacle& obstacle, double mean_area) {
  ContactSurface surface;
  surface.is_obstacle = true;
  surface.motion = obstacle.motion;
  SurfaceEdge& middle = surface.edges.emplace_back();
  middle.is_lone = true;
  middle.area = mean_area;
  if (const auto* sphere = std::get_if<SphereSettings>(&obstacle.shape)) {
    surface.offset = sphere->radius;
    surface.points = {sphere->center};
    middle.ends = {0, 0};
    surface.vertices.push_back({0, 1, mean_area, 1});
    return surface;
  }
  const auto& cylinder = std::get<CylinderSettings>(obstacle.shape);
  surface.offset = cylinder.radius;
  double extent = cylinder.radius;
  for (const Vec3& x : bodies.vertices) extent = std::max(extent, (x - cylinder.point).norm());
  const Vec3 half = kEndless * maximum_over_ranks(bodies.halo->communicator(), extent) * cylinder.axis.normalized();
  surface.points = {cylinder.point - half, cylinder.point + half};
  middle.ends = {0, 1};
  middle.length = 2 * half.norm();
  return surface;
}

ContactSurface obstacle_surface(const DistributedMesh& bodies, const Obstacle& obstacle, const FlushBoxes& boxes, double mean_area) {
  if (touches_by_its_middle(obstacle)) return thick_point_or_line(bodies, obstacle, mean_area);
  const MPI_Comm communicator = bodies.halo->communicator();
  const auto* box = std::get_if<BoxSettings>(&obstacle.shape);
  const BoxFaces faces = box ? boxes.faces_of(obstacle) : BoxFaces{obstacle_mesh(communicator, std::get<MeshObstacleSettings>(obstacle.shape)), {}, {}};
  const SurfaceMesh& mesh = faces.mesh;
  ContactSurface surface;
  surface.is_obstacle = true;
  surface.borders = faces.borders;
  surface.points = mesh.vertices;
  surface.motion = obstacle.motion;
  surface.triangles = mesh.triangles;
  std::vector<double> areas(mesh.vertices.size(), 0.0);
  for (const auto& triangle : mesh.triangles)
    for (int vertex : triangle) areas[vertex] += triangle_area(mesh.vertices, triangle) / 3;
  surface.edges = edges_of(mesh.triangles, mesh.vertices, [](int, int) { return true; });
  std::vector<double> sharpness(mesh.vertices.size(), 0.0);  // where the obstacle is flat its vertices are no corners
  add_wires(mesh, mean_area, surface, areas, sharpness);
  // An obstacle's corners and edges touch faces, which have vertices of their own. A corner or edge carries no more than one of these.
  for (SurfaceEdge& edge : surface.edges) {
    if (std::binary_search(faces.flat_edges.begin(), faces.flat_edges.end(), edge.ends)) edge.sharpness = 0;
    for (int end : edge.ends) sharpness[end] = std::max(sharpness[end], edge.sharpness);
    edge.area = std::min(edge.area, mean_area);
    edge.weight = edge.area / mean_area;
  }
  for (std::size_t vertex = 0; vertex < mesh.vertices.size(); ++vertex)
    if (areas[vertex] > 0) {
      const double area = std::min(areas[vertex], mean_area);
      surface.vertices.push_back({static_cast<int>(vertex), area / mean_area, area, sharpness[vertex]});
    }
  return surface;
}

// The axes of rods. `weight_of(area, vertex)`: factor on the penalty.
template <typename WeightOf>
ContactSurface rod_surface(const DistributedMesh& mesh, const std::vector<int>& rods, const RodMaterialSettings& material, WeightOf weight_of) {
  ContactSurface surface;
  surface.offset = material.radius;
  surface.twist_radius = material.twist_radius();
  std::map<int, SurfaceVertex> vertices;
  const std::vector<double> areas = rod_areas(mesh, rods, material.radius);
  for (const int r : rods) {
    const int a = mesh.rods[r].vertices[0], b = mesh.rods[r].vertices[1], twist = mesh.rods[r].vertices[2];
    for (const int end : {a, b}) {
      if (end >= mesh.halo->owned()) continue;
      SurfaceVertex& vertex = vertices[end];
      vertex.vertex = end;
      vertex.turns.push_back({{a, b, twist}, 1});
    }
    if (!mesh.owns(mesh.rods[r].vertices)) continue;
    SurfaceEdge& edge = surface.edges.emplace_back();
    edge.ends = {a, b};
    edge.length = (mesh.vertices[a] - mesh.vertices[b]).norm();
    edge.area = 2 * material.radius * edge.length;
    edge.weight = weight_of(edge.area, mesh.halo->to_global(a) < mesh.halo->to_global(b) ? a : b);
    edge.is_lone = true;
    edge.turns = {{{a, b, twist}, 1}};
  }
  for (auto& [number, vertex] : vertices) {
    vertex.area = areas[static_cast<std::size_t>(number)];
    vertex.weight = weight_of(vertex.area, number);
    surface.vertices.push_back(vertex);
  }
  return surface;
}

// For each surface, whether its vertices are on several pieces of a body that no element connects. Collective.
std::vector<char> have_pieces(MPI_Comm communicator, const ContactSurfaces& contact) {
  std::vector<double> ends;  // for each surface: the last number of a piece, and minus the first one
  for (const ContactSurface& surface : contact.surfaces) {
    double last = -std::numeric_limits<double>::infinity(), first = last;
    for (const SurfaceVertex& vertex : surface.vertices) {
      if (surface.is_obstacle) break;
      const auto piece = static_cast<double>(contact.rest.pieces[static_cast<std::size_t>(vertex.vertex)]);
      last = std::max(last, piece);
      first = std::max(first, -piece);
    }
    ends.insert(ends.end(), {last, first});
  }
  maximum_over_ranks(communicator, ends);
  std::vector<char> result;
  for (std::size_t i = 0; i < ends.size(); i += 2) result.push_back(ends[i] > -ends[i + 1] ? 1 : 0);
  return result;
}

// For each surface the number of parts into which its edges are divided: as the contact's setting wants it, or what the surface needs against all that it
// touches. Pieces of one body touch as bodies do. Collective.
std::vector<int> parts_of_edges(MPI_Comm communicator, const ContactSettings& settings, const ContactSurfaces& contact) {
  const std::vector<char> in_pieces = have_pieces(communicator, contact);
  std::vector<int> parts;
  for (int s = 0; s < contact.pairs.surfaces(); ++s) {
    const ContactSurface& surface = contact.surfaces[s];
    parts.push_back(1);
    if (surface.is_obstacle || surface.twist_radius > 0) continue;
    if (settings.subdivision) parts.back() = *settings.subdivision;
    for (int other = 0; other < contact.pairs.surfaces() && !settings.subdivision; ++other)
      if (contact.pairs(s, other) && (other != s || in_pieces[static_cast<std::size_t>(s)] != 0))
        parts.back() = std::max(parts.back(), parts_against(surface.scale, contact.surfaces[other].scale));
  }
  return parts;
}

// Adds places between the vertices of surfaces whose edges are divided.
void divide_faces(const DistributedMesh& mesh, const std::vector<int>& parts, ContactSurfaces& contact) {
  const auto stiffness_at = [&](int vertex) { return contact.stiffness_per_area[vertex]; };
  for (std::size_t s = 0; s < parts.size(); ++s) {
    if (parts[s] == 1) continue;
    ContactSurface& surface = contact.surfaces[s];
    for (SurfaceVertex& vertex : surface.vertices) vertex.part = 1.0 / (parts[s] * parts[s]);
    surface.places = places_of(surface, parts[s], mesh.vertices, stiffness_at);
    surface.divisions = parts[s];
  }
}

// Whether frames show a field, other than the default ones, that contact between vertices makes uneven within elements.
bool shows_pressures(const OutputSettings& output) {
  constexpr std::array kUneven{OutputField::contact_pressure, OutputField::contact_traction, OutputField::stress, OutputField::von_mises_stress,
                               OutputField::strain};
  return output.every && output.fields != OutputSettings::fields_by_default() &&
         std::find_first_of(output.fields.begin(), output.fields.end(), kUneven.begin(), kUneven.end()) != output.fields.end();
}

constexpr int kManyParts = 4;  // with as many parts, pressures are uneven by a few percent

// Whether two bodies touch each other, of which one that presses does so at few places between its vertices, or at none.
bool press_at_vertices(const std::vector<int>& parts, const ContactSurfaces& contact) {
  for (int s = 0; s < contact.pairs.surfaces(); ++s)
    for (int other = s + 1; other < contact.pairs.surfaces(); ++other) {
      const ContactSurface &one = contact.surfaces[s], &two = contact.surfaces[other];
      if (one.body < 0 || two.body < 0 || one.twist_radius > 0 || two.twist_radius > 0 || !contact.pairs(s, other)) continue;
      const PressingSide side = pressing_side(one.scale, two.scale);
      const int own = side == PressingSide::other ? parts[other] : parts[s], others = side == PressingSide::own ? parts[s] : parts[other];
      if (std::min(own, others) < kManyParts) return true;
    }
  return false;
}

// Once for the whole scene.
void warn_about_uneven_pressures(Simulation& simulation, const ContactSettings& settings, const std::vector<int>& parts, const ContactSurfaces& surfaces) {
  constexpr const char* kWarning = "bodies press on each other at their vertices, or at few places between them";
  const auto is_it = [](const std::string& warning) { return warning.find(kWarning) != std::string::npos; };
  if (settings.subdivision.value_or(1) > 1 || !shows_pressures(simulation.scene.output) ||
      std::any_of(simulation.warnings.begin(), simulation.warnings.end(), is_it) || !press_at_vertices(parts, surfaces))
    return;
  simulation.warnings.push_back(
      fmt::format("{}: {}. Where their meshes do not match, pressures and stresses in single elements at the contact are wrong, by 9 to 70 % in blocks that "
                  "are pressed together uniformly; forces are correct. If such pressures matter take subdivision: 4, which reduces their errors to 2 to 3 %",
                  settings.source.text, kWarning));
}

}  // namespace

AttachedPlaces attached_places(const Simulation& simulation, const std::vector<ContactSurface>& surfaces) {
  const DistributedMesh& mesh = *simulation.mesh;
  Field marks(mesh.halo->local());
  std::vector<std::array<Vec3, 3>> features;
  const auto add = [&](int a, int b, int c) { features.push_back({mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]}); };
  for (const AttachmentSettings& attachment : simulation.scene.attachments) {
    if (attachment.stiffness) continue;
    for (const int vertex : mesh.region(to_text(attachment.vertices)).vertices) {
      if (vertex >= mesh.halo->owned()) continue;
      marks[vertex].x() = 1;
      add(vertex, vertex, vertex);
    }
  }
  mesh.halo->exchange(marks.values());
  const auto is_attached = [&](int vertex) { return marks[vertex].x() > 0; };
  for (const ContactSurface& surface : surfaces) {
    if (surface.is_obstacle) continue;
    // A segment of a rod often leaves the body in which it begins.
    for (const SurfaceEdge& edge : surface.edges)
      if (is_attached(edge.ends[0]) ? edge.is_lone || is_attached(edge.ends[1]) : edge.is_lone && is_attached(edge.ends[1]))
        add(edge.ends[0], edge.ends[1], edge.ends[1]);
    for (const auto& triangle : surface.triangles)
      if (std::all_of(triangle.begin(), triangle.end(), is_attached)) add(triangle[0], triangle[1], triangle[2]);
  }
  return {mesh.halo->communicator(), features};
}

ContactSurfaces contact_surfaces(Simulation& simulation, const ContactSettings& settings, const SceneMaterials& materials,
                                 const std::vector<BodySurface>& bodies, const std::vector<const Obstacle*>& obstacles) {
  const DistributedMesh& mesh = *simulation.mesh;
  const MPI_Comm communicator = mesh.halo->communicator();
  std::unordered_map<std::string, const Body*> by_name;
  for (const Body& body : simulation.scene.bodies) by_name.emplace(body.name, &body);
  std::vector<const Body*> touching;
  for (const BodySurface& side : bodies) touching.push_back(by_name.at(side.body));
  std::vector<double> own(mesh.halo->owned(), 0.0);  // areas of one region at a time
  const std::vector<double> pressures = pressures_at_zero_gap(mesh, materials, settings, touching, TouchedSide::deformable);
  const std::vector<double> largest = largest_pressures(mesh, touching, pressures);

  ContactSurfaces result;
  result.rest.positions = result.rest.normals = result.rest.rims = Field(mesh.halo->local());
  for (int i = 0; i < mesh.halo->local(); ++i) result.rest.positions[i] = mesh.vertices[i];
  std::vector<int> vertices;  // vertices of all bodies, one body after the other
  std::vector<double> areas(mesh.halo->owned(), 0.0);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (has_faces(*touching[b], bodies[b].region)) {
      const LocalRegion& region = mesh.region(contact_region(bodies[b]));
      measure_vertex_areas(mesh, region, own);
      for (int vertex : region.vertices)
        if (vertex < mesh.halo->owned()) {
          vertices.push_back(vertex);
          areas[vertex] = own[vertex];
        }
    }
    const std::vector<int> rods = rods_of(mesh, *touching[b], bodies[b].region);
    if (!has_rods(*touching[b], bodies[b].region)) continue;
    const std::vector<double> of_rods = rod_areas(mesh, rods, rods_of(*touching[b], bodies[b].region).begin()->second.radius);
    for (const int vertex : owned_ends(mesh, rods)) {
      if (areas[vertex] == 0) vertices.push_back(vertex);
      areas[vertex] = std::max(areas[vertex], of_rods[vertex]);  // a rod may end in a face
    }
  }
  const StiffnessShares shares = share_stiffness(communicator, settings, vertices, areas, pressures);
  result.stiffness = shares.stiffness;
  result.mean_area = shares.mean_area;
  // The stiffness of a surface of some area under a vertex's pressure.
  const double mean_pressure_area = settings.stiffness ? shares.mean_area : 3 * settings.thickness * shares.stiffness;

  const auto weight_of = [&](double area, int vertex) { return area * pressures[vertex] / mean_pressure_area; };
  std::vector<RodSegment> segments;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const int number = static_cast<int>(touching[b] - simulation.scene.bodies.data());
    if (has_rods(*touching[b], bodies[b].region)) {
      const std::vector<int> rods = rods_of(mesh, *touching[b], bodies[b].region);
      result.surfaces.push_back(rod_surface(mesh, rods, rods_of(*touching[b], bodies[b].region).begin()->second, weight_of));
      result.surfaces.back().body = number;
      result.surfaces.back().most_per_area = largest[b] / mean_pressure_area;
      result.sides.push_back(b);
      for (const SurfaceEdge& edge : result.surfaces.back().edges)
        segments.push_back({mesh.halo->to_global(edge.ends[0]), mesh.halo->to_global(edge.ends[1]), edge.length});
    }
    if (!has_faces(*touching[b], bodies[b].region)) continue;
    result.sides.push_back(b);
    ContactSurface& surface = result.surfaces.emplace_back();
    const LocalRegion& region = oriented_region(mesh, bodies[b]);
    const HalfThicknesses thicknesses = half_thicknesses(mesh, *touching[b], region);
    surface.offset = thicknesses.largest;
    surface.is_shell = thicknesses.of_shells;
    surface.body = number;
    surface.most_per_area = largest[b] / mean_pressure_area;
    surface.rigid_per_area = rigid_pressure(materials, settings, *touching[b]) / mean_pressure_area;
    const LocalRegion& whole = mesh.region(contact_region(bodies[b]));
    measure_vertex_areas(mesh, whole, own);
    for (int vertex : whole.vertices)
      if (vertex < mesh.halo->owned()) surface.vertices.push_back({vertex, weight_of(own[vertex], vertex), own[vertex], 0});
    std::vector<std::array<int, 3>> around;
    for (int t : region.members) {
      around.push_back(mesh.triangles[t]);
      if (mesh.owns(mesh.triangles[t])) surface.triangles.push_back(mesh.triangles[t]);
    }
    add_normals(around, mesh.vertices, result.rest.normals);
    if (surface.is_shell) add_rims(around, mesh.vertices, result.rest.rims);
    surface.edges = edges_of(around, mesh.vertices, [&](int a, int c) { return mesh.owns(std::array<int, 2>{a, c}); });
    if (rubs_beside_middle(*touching[b], settings)) turn_by_faces(around, mesh.vertices, surface);
    const RegionBorders borders(simulation, settings, bodies[b], region);
    surface.borders = borders.at(surface.triangles);
    std::vector<std::array<int, 3>> continued = around;
    continued.insert(continued.end(), borders.continuation().begin(), borders.continuation().end());
    std::map<std::array<int, 2>, double> sharpness;  // at borders
    for (const SurfaceEdge& edge : edges_of(continued, mesh.vertices, [&](int a, int c) { return borders.contains(a, c); }))
      sharpness[edge.ends] = edge.sharpness;
    for (SurfaceEdge& edge : surface.edges) {
      if (const auto found = sharpness.find(edge.ends); found != sharpness.end()) edge.sharpness = found->second;
      const auto [a, c] = edge.ends;
      edge.weight = weight_of(edge.area, mesh.halo->to_global(a) < mesh.halo->to_global(c) ? a : c);
    }
    std::map<int, double> sharpest;  // by vertex
    for (const SurfaceEdge& edge : edges_of(around, mesh.vertices, [](int, int) { return true; })) {
      const auto found = sharpness.find(edge.ends);
      for (const int end : edge.ends) sharpest[end] = std::max(sharpest[end], found == sharpness.end() ? edge.sharpness : found->second);
    }
    for (SurfaceVertex& vertex : surface.vertices) vertex.sharpness = sharpest[vertex.vertex];
  }
  const FlushBoxes boxes(simulation.scene, settings);
  for (const std::string& doubt : boxes.doubts())
    if (std::ranges::find(simulation.warnings, doubt) == simulation.warnings.end()) simulation.warnings.push_back(doubt);
  for (std::size_t i = 0; i < obstacles.size(); ++i) {
    result.sides.push_back(bodies.size() + i);
    result.surfaces.push_back(obstacle_surface(mesh, *obstacles[i], boxes, shares.mean_area));
  }
  result.rest.rods = ArcLengths(communicator, segments);
  result.rest.pieces = connected_pieces(mesh);
  measure_scales(mesh, result.rest.pieces, result.surfaces);
  for (const double pressure : pressures) result.stiffness_per_area.push_back(pressure / mean_pressure_area);
  result.rest.attached = attached_places(simulation, result.surfaces);
  return result;
}

std::shared_ptr<EdgesAndFaces> edges_and_faces(Simulation& simulation, const ContactSettings& settings, ContactSurfaces surfaces) {
  const DistributedMesh& mesh = *simulation.mesh;
  const std::vector<int> parts = parts_of_edges(mesh.halo->communicator(), settings, surfaces);
  warn_about_uneven_pressures(simulation, settings, parts, surfaces);
  divide_faces(mesh, parts, surfaces);
  bool has_slits = false;  // whether a body may have any, which touches itself, or of which two regions touch each other
  for (int s = 0; s < surfaces.pairs.surfaces(); ++s)
    for (int other = s; other < surfaces.pairs.surfaces(); ++other)
      has_slits = has_slits || (surfaces.surfaces[s].body >= 0 && surfaces.surfaces[s].body == surfaces.surfaces[other].body && surfaces.pairs(s, other));
  FeatureSearch search(mesh.halo, std::move(surfaces.surfaces), std::move(surfaces.pairs), std::move(surfaces.rest),
                       {simulation.system->is_driven(), simulation.system->held_for_good()}, settings.thickness);
  if (has_slits)
    for (const FeatureSearch::Slit& slit : search.slits())
      simulation.warnings.push_back(fmt::format(
          "{}: faces of '{}' are {:.3g} m apart at rest (near {:.4g}, {:.4g}, {:.4g}). Contact takes what is nearer than 1.05 times its reach of {:.3g} m for "
          "neighbours along the surface, so these faces pass through each other; take a smaller thickness, or give the body more room there",
          settings.source.text, simulation.scene.bodies[slit.body].name, slit.width, slit.at.x(), slit.at.y(), slit.at.z(), slit.reach));
  return std::make_shared<EdgesAndFaces>(std::move(search), settings.thickness, HeldSpins(*simulation.system));
}

}  // namespace traction
