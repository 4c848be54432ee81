#include "mesh/body_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>

#include "mesh/connected_vertices.h"
#include "mesh/flush_parts.h"
#include "mesh/tetrahedron_faces.h"

namespace traction {

namespace {

// A lower bound of the distance from a place to the convex hull of points (Gilbert 1966). It is 0 inside, and at distances of a tenth of the hull's size and
// more it is accurate.
double distance_from_hull(const std::vector<Vec3>& points, const Vec3& place) {
  constexpr int kSteps = 100;
  constexpr double kClose = 1e-3;  // relative accuracy
  if (points.empty()) return 0;
  double distance = 0;
  Vec3 nearest = points.front() - place;  // the nearest point of the hull that has been found, seen from the place
  for (int step = 0; step < kSteps && nearest.norm() > 0; ++step) {
    const Vec3 direction = nearest.normalized();
    const auto along = [&](const Vec3& x) { return (x - place).dot(direction); };
    const Vec3 support = *std::min_element(points.begin(), points.end(), [&](const Vec3& a, const Vec3& b) { return along(a) < along(b); }) - place;
    const double bound = support.dot(direction);
    distance = std::max(distance, bound);
    if (bound >= (1 - kClose) * nearest.norm()) break;
    const Vec3 way = support - nearest;
    nearest += std::clamp(-nearest.dot(way) / way.squaredNorm(), 0.0, 1.0) * way;
  }
  return distance;
}

// The distance of the center of mass of each rigid body from the convex hull of all vertices that its particles carry, its own and attached ones [m].
// `body_of`: the body of each vertex.
std::vector<double> centers_outside(const Mesh& mesh, const std::vector<int>& body_of, const std::vector<char>& is_particle, std::size_t bodies) {
  std::vector<std::vector<Vec3>> points(bodies);
  std::vector<double> outside(bodies, 0.0);
  for (const DependentVertex& dependent : mesh.dependents)
    if (const int vertex = dependent.masters[0]; is_particle[vertex] && body_of[vertex] >= 0) points[body_of[vertex]].push_back(mesh.start()[dependent.vertex]);
  for (const RigidFrame& frame : mesh.frames) {
    Vec3 center = Vec3::Zero();
    for (const int particle : frame.particles) center += mesh.start()[particle] / static_cast<double>(frame.particles.size());
    if (const int b = body_of[frame.particles[0]]; b >= 0) outside[b] = distance_from_hull(points[b], center);
  }
  return outside;
}

}  // namespace

std::string doubt_about_units(const std::string& body, double size) {
  return size < kSizeInMillimetres ? "" : fmt::format("; '{}' is {:.4g} m long: if its mesh is in millimetres, give it scale: 1e-3", body, size);
}

std::string doubt_about_units(const std::string& body, double size, const std::string& other, double other_size, bool is_obstacle) {
  constexpr double kRatio = 100;
  const bool body_is_large = size > kRatio * other_size, other_is_large = other_size > kRatio * size;
  std::string text = other_is_large ? "" : doubt_about_units(body, size);
  if (!body_is_large && (other_is_large || !is_obstacle)) text += doubt_about_units(other, other_size);
  if (!text.empty() && body_is_large && other_size > 0) text += fmt::format(" ('{}' is {:.3g} m long)", other, other_size);
  if (!text.empty() && other_is_large && size > 0) text += fmt::format(" ('{}' is {:.3g} m long)", body, size);
  return text;
}

std::vector<std::array<std::size_t, 2>> coinciding_places(const std::vector<Vec3>& places) {
  constexpr double kSamePlace = 1e-9;  // relative to the size of all
  Eigen::AlignedBox3d box;
  for (const Vec3& x : places) box.extend(x);
  const double spacing = places.empty() ? 0 : kSamePlace * box.diagonal().norm();
  if (!(spacing > 0)) return {};
  std::vector<std::pair<std::array<std::int64_t, 3>, std::size_t>> rounded;  // multiples of the spacing, and the number of the place
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Vec3 x = (places[i] - box.min()) / spacing;
    rounded.push_back({{std::llround(x.x()), std::llround(x.y()), std::llround(x.z())}, i});
  }
  std::sort(rounded.begin(), rounded.end());
  std::vector<std::array<std::size_t, 2>> pairs;
  std::size_t first = 0;
  for (std::size_t i = 1; i < rounded.size(); ++i)
    if (rounded[i].first == rounded[first].first) pairs.push_back({rounded[first].second, rounded[i].second});
    else first = i;
  return pairs;
}

std::vector<BodySummary> summarize_bodies(const Mesh& mesh, const std::vector<std::string>& bodies) {
  constexpr int kNone = -1;
  std::vector<int> body_of(mesh.vertices.size(), kNone);
  std::vector<BodySummary> summaries(bodies.size());
  std::vector<double> edges(bodies.size(), 0.0), lengths(bodies.size(), 0.0);
  std::vector<std::vector<std::array<int, 4>>> tetrahedra(bodies.size());
  std::vector<char> stiffened(mesh.vertices.size(), 0);  // vertices of elements other than tetrahedra, and those that attachments join
  std::unordered_map<std::string, const std::vector<int>*> members;
  for (const Region& region : mesh.regions) members.emplace(region.name, &region.members);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    summaries[b].name = bodies[b];
    for (const int vertex : *members.at(bodies[b])) body_of[vertex] = static_cast<int>(b);
  }
  ConnectedVertices connected(mesh.vertices.size());
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    const std::span<const int> element = mesh.corners(e);
    const int b = body_of[element[0]];
    if (b == kNone) continue;
    ++(element.size() == 4 ? summaries[b].tetrahedra : element.size() == 3 ? summaries[b].shells : summaries[b].rods);
    if (element.size() == 4) tetrahedra[b].push_back(mesh.tetrahedra[e]);
    else
      for (const int vertex : element) stiffened[vertex] = 1;
    for (std::size_t i = 0; i < element.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        connected.connect(element[i], element[j]);
        lengths[b] += (mesh.vertices[element[i]] - mesh.vertices[element[j]]).norm();
        ++edges[b];
      }
  }
  for (const QuadraticTetrahedron& quadratic : mesh.quadratics)
    if (const int b = body_of[quadratic.vertices[0]]; b != kNone) ++summaries[b].quadratics;
  std::vector<char> is_particle(mesh.vertices.size(), 0);
  for (const RigidFrame& frame : mesh.frames) {
    summaries[body_of[frame.particles[0]]].is_rigid = true;
    summaries[body_of[frame.particles[0]]].rigid_mass = frame.own_mass;
    for (const int particle : frame.particles) is_particle[particle] = 1;
  }
  std::vector<char> attached(mesh.vertices.size(), 0);
  for (const DependentVertex& dependent : mesh.dependents) stiffened[dependent.vertex] = attached[dependent.vertex] = 1;
  for (const LoosePart& part : find_loose_parts(mesh, attached))
    if (const int b = body_of[part.vertex]; b != kNone) summaries[b].loose.push_back(part);
  for (const DependentVertex& dependent : mesh.dependents)
    if (body_of[dependent.vertex] == body_of[dependent.masters[0]]) connected.connect(dependent.vertex, dependent.masters[0]);
  const std::vector<double> outside = centers_outside(mesh, body_of, is_particle, bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    BodySummary& summary = summaries[b];
    summary.center_outside = outside[b];
    const std::vector<int>& vertices = *members.at(bodies[b]);
    std::vector<Vec3> rest;
    for (const int vertex : vertices) {
      if (connected.root(vertex) == vertex) ++summary.parts;
      if (!is_particle[vertex]) summary.extent.extend(mesh.start()[vertex]);
      rest.push_back(mesh.vertices[vertex]);
    }
    summary.vertices = vertices.size();
    summary.mean_edge = edges[b] > 0 ? lengths[b] / edges[b] : 0;
    if (summary.is_rigid) continue;
    summary.doubts = doubts_about(mesh.vertices, tetrahedra[b], stiffened);
    summary.coinciding = coinciding_places(rest).size();
    if (summary.parts > 1) summary.flush = find_flush_parts(mesh.vertices, outer_faces(tetrahedra[b]), [&](int vertex) { return connected.root(vertex); });
  }
  return summaries;
}

}  // namespace traction
