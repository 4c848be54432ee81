#include "simulation/smooth_surface_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "contact/pair_search.h"
#include "contact/passage.h"
#include "contact/surface_rim.h"
#include "math/position_text.h"
#include "parallel/collective.h"

namespace traction {

namespace {

constexpr double kSharpEdge = EIGEN_PI / 6;  // least angle between the normals of a sharp edge's triangles
constexpr double kInside = 0.5;     // number of vertices inside a surface, for each one at its rim, that suffices to carry bodies that overhang the rim
constexpr double kOpposite = -0.5;  // cosine between normals on opposite sides of a thin place

struct SharpEdges {
  double count = 0, angle = 0;
  std::optional<Vec3> place;  // place of one such edge
};

struct ThinPlace {
  double thickness = std::numeric_limits<double>::infinity();
  std::optional<Vec3> place;
};

// Counts sharp edges. `has_outside`: normals point out of a body, so that edges which point inwards, as in a room's corners, do no harm and are not counted.
// `is_ours(ends)`: whether this rank counts an edge.
template <typename IsOurs>
SharpEdges sharp_edges(const std::vector<Vec3>& x, const std::vector<std::array<int, 3>>& triangles, bool has_outside, IsOurs is_ours) {
  struct Triangle {
    Vec3 normal;
    int opposite;  // the third corner
  };
  std::map<std::pair<int, int>, Triangle> sides;  // the triangle that has the edge in this order
  for (const auto& triangle : triangles) {
    const Vec3 normal = (x[triangle[1]] - x[triangle[0]]).cross(x[triangle[2]] - x[triangle[0]]);
    for (int i = 0; i < 3; ++i) sides[{triangle[i], triangle[(i + 1) % 3]}] = {normal, triangle[(i + 2) % 3]};
  }
  SharpEdges result;
  for (const auto& [ends, side] : sides) {
    const auto& [a, b] = ends;
    const auto found = sides.find({b, a});
    if (a > b || found == sides.end() || !is_ours(a, b)) continue;
    const Triangle& other = found->second;
    const double angle = std::atan2(side.normal.cross(other.normal).norm(), side.normal.dot(other.normal));
    const bool is_hollow = side.normal.dot(x[other.opposite] - x[a]) > 0;
    if (angle <= kSharpEdge || (has_outside && is_hollow)) continue;
    ++result.count;
    if (angle > result.angle) result.place = (x[a] + x[b]) / 2;
    result.angle = std::max(result.angle, angle);
  }
  return result;
}

struct RimVertices {
  double at_rim = 0, inside = 0;
};

// Counts the vertices of triangles, among the first `count` ones.
RimVertices count_at_rim(const std::vector<std::array<int, 3>>& triangles, int vertices, int count) {
  const std::vector<char> at_rim = rim_vertices(triangles, vertices);
  std::vector<char> is_corner(static_cast<std::size_t>(vertices), 0);
  for (const auto& triangle : triangles)
    for (const int corner : triangle) is_corner[static_cast<std::size_t>(corner)] = 1;
  RimVertices result;
  for (std::size_t vertex = 0; vertex < static_cast<std::size_t>(count); ++vertex)
    if (is_corner[vertex]) (at_rim[vertex] ? result.at_rim : result.inside) += 1;
  return result;
}

struct Side {
  Vec3 centroid, normal;

  explicit Side(const Corners<double>& x) : centroid((x[0] + x[1] + x[2]) / 3), normal((x[1] - x[0]).cross(x[2] - x[0]).normalized()) {}
};

// Examines a triangle near another one: if they are two sides of a body, measures the body between them.
void look_at(const Side& one, const Side& other, double reach, ThinPlace& thinnest) {
  const Vec3 between = other.centroid - one.centroid;
  const double thickness = -one.normal.dot(between);
  if (!(between.norm() < reach) || !(thickness > 0) || one.normal.dot(other.normal) > kOpposite || !(thickness < thinnest.thickness)) return;
  thinnest = {thickness, one.centroid};
}

std::vector<std::string> sentences(const SmoothlyTouched& touched, const SharpEdges& edges, const RimVertices& rim, const ThinPlace& thin) {
  std::vector<std::string> result;
  if (rim.inside < kInside * rim.at_rim)
    result.push_back(fmt::format(
        "{}: '{}' is touched as a smooth surface, but {:.0f} of its {:.0f} vertices lie on its rim, near which contact fades out: vertices that overhang the "
        "rim by "
        "less than the thickness are hardly held, and too few others carry the load, so that bodies may pass through each other there. Take geometry: "
        "edges_and_faces, or smaller triangles",
        touched.contact, touched.name, rim.at_rim, rim.at_rim + rim.inside));
  if (edges.place)
    result.push_back(fmt::format(
        "{}: '{}' is touched as a smooth surface, but {:.0f} edges of its mesh are sharp, with up to {:.0f} degrees between their triangles, as at {}: nearer "
        "to "
        "them than {:.3g} m the surface is round, so that vertices sink in. Take geometry: edges_and_faces, or name only faces without such "
        "edges",
        touched.contact, touched.name, edges.count, edges.angle * 180 / EIGEN_PI, position_text(*edges.place), touched.reach));
  if (thin.place)
    result.push_back(
        fmt::format("{}: '{}' is touched as a smooth surface, but the mesh is only {:.3g} m thick at {}, and triangles count from as far as {:.3g} m: near its "
                    "rims both of its "
                    "sides take part. Take geometry: edges_and_faces, or a mesh of smaller triangles",
                    touched.contact, touched.name, thin.thickness, position_text(*thin.place), touched.reach));
  return result;
}

}  // namespace

std::vector<std::string> doubts_about(const SmoothlyTouched& touched, const DistributedMesh& mesh, const std::vector<std::array<int, 3>>& region,
                                      bool has_outside) {
  const MPI_Comm communicator = mesh.halo->communicator();
  SharpEdges edges = sharp_edges(mesh.vertices, region, has_outside, [&](int a, int b) { return mesh.owns(std::array<int, 2>{a, b}); });
  const double angle = maximum_over_ranks(communicator, edges.angle);
  edges.place = first_over_ranks(communicator, edges.angle == angle ? edges.place : std::nullopt);
  edges.angle = angle;
  edges.count = sum_over_ranks(communicator, edges.count);
  RimVertices rim = count_at_rim(region, mesh.halo->local(), mesh.halo->owned());
  rim = {sum_over_ranks(communicator, rim.at_rim), sum_over_ranks(communicator, rim.inside)};
  ThinPlace thin;
  if (!has_outside) return sentences(touched, edges, rim, thin);
  std::vector<std::array<int, 3>> triangles;
  for (const auto& triangle : region)
    if (mesh.owns(triangle)) triangles.push_back(triangle);
  Field at(mesh.halo->local());
  for (int i = 0; i < mesh.halo->local(); ++i) at[i] = mesh.vertices[i];
  PairSearch<3, 3> search(mesh.halo, triangles, triangles, touched.reach, {});
  search.update(at);
  const auto& nearby = *search.nearby();
  Field copies(nearby.copies().count());
  nearby.copies().forward(at.values(), copies.values());
  for (std::size_t k = 0; k < triangles.size(); ++k) {
    const Side one({mesh.vertices[triangles[k][0]], mesh.vertices[triangles[k][1]], mesh.vertices[triangles[k][2]]});
    for (int item : nearby.near(k)) {
      const auto& [a, b, c] = nearby.items()[item];
      look_at(one, Side({copies[a], copies[b], copies[c]}), touched.reach, thin);
    }
  }
  const double thickness = minimum_over_ranks(communicator, thin.thickness);
  thin = {thickness, first_over_ranks(communicator, thin.thickness == thickness ? thin.place : std::nullopt)};
  return sentences(touched, edges, rim, thin);
}

std::vector<std::string> doubts_about(const SmoothlyTouched& touched, const std::vector<Vec3>& points, const StaticSurface& surface) {
  const SharpEdges edges = sharp_edges(points, surface.triangles(), true, [](int, int) { return true; });
  ThinPlace thin;
  for (int t = 0; t < static_cast<int>(surface.triangles().size()); ++t) {
    const Side one(surface.triangle(t));
    for (int other : surface.near(one.centroid)) look_at(one, Side(surface.triangle(other)), touched.reach, thin);
  }
  const int vertices = static_cast<int>(points.size());
  return sentences(touched, edges, count_at_rim(surface.triangles(), vertices, vertices), thin);
}

ObstacleBetweenVertices obstacle_between_vertices(const std::vector<GapFunction>& shapes, double longest_edge) {
  double width = std::numeric_limits<double>::infinity(), depth = 0;
  const auto sink = [&](double radius, double half_chord) { depth = radius - std::sqrt(std::max(0.0, radius * radius - half_chord * half_chord)); };
  for (const GapFunction& shape : shapes) {
    if (const auto* sphere = std::get_if<SphereGap>(&shape); sphere && sphere->sign > 0) {
      width = 2 * sphere->radius;
      sink(sphere->radius, longest_edge / std::sqrt(3));  // circumcircle of an equilateral triangle
    }
    if (const auto* cylinder = std::get_if<CylinderGap>(&shape); cylinder && cylinder->sign > 0) {
      width = 2 * cylinder->radius;
      sink(cylinder->radius, longest_edge / 2);
    }
    if (const auto* box = std::get_if<BoxGap>(&shape)) {  // a wall has one small width, a bar has two
      std::array<double, 3> widths{2 * box->half[0], 2 * box->half[1], 2 * box->half[2]};
      std::sort(widths.begin(), widths.end());
      width = widths[1];
    }
  }
  return {width, depth};
}

std::vector<std::string> doubts_about(const std::string& contact, const std::string& body, bool is_rod, const std::string& obstacle,
                                      const std::vector<GapFunction>& shapes, double longest_edge, double thickness) {
  const auto [width, depth] = obstacle_between_vertices(shapes, longest_edge);
  const char* const remedy = is_rod ? "Take shorter segments"
                                    : "Mesh the surface finer, or take geometry: edges_and_faces and for the obstacle a sphere, a mesh, a box, or a cylinder "
                                      "that turns about its own axis alone";
  if (!(width < longest_edge)) {
    if (!(depth > thickness)) return {};
    return {fmt::format("{}: '{}' is touched by vertices alone, which are up to {:.3g} m apart: between them it can lie {:.2g} m deep in {} '{}'. {}", contact,
                        obstacle, longest_edge, depth, is_rod ? "the rod" : "the faces of", body, remedy)};
  }
  return {fmt::format("{}: '{}' is {:.3g} m wide and touched by vertices that are up to {:.3g} m apart: it may pass between them through '{}'. {}", contact,
                      obstacle, width, longest_edge, body, remedy)};
}

std::vector<std::string> doubts_about_clearance(const std::string& contact, const std::string& body, const std::string& obstacle,
                                                const std::vector<GapFunction>& shapes, double radius, double thickness) {
  double clearance = std::numeric_limits<double>::infinity();
  for (const GapFunction& shape : shapes) {
    if (const auto* cylinder = std::get_if<CylinderGap>(&shape); cylinder && cylinder->sign < 0) clearance = std::min(clearance, cylinder->radius - radius);
    if (const auto* sphere = std::get_if<SphereGap>(&shape); sphere && sphere->sign < 0) clearance = std::min(clearance, sphere->radius - radius);
  }
  if (!(clearance < thickness)) return {};
  return {
      fmt::format("{}: in the middle of '{}' the rod '{}' is {:.3g} m from the walls on all sides, less than the contact's thickness of {:.3g} m. Only the "
                  "nearest wall presses on it, so that its force jumps where the rod crosses the middle. Take a thickness below {:.2g} m",
                  contact, obstacle, body, clearance, thickness, clearance)};
}

}  // namespace traction
