#include "mesh/second_order.h"

#include <fmt/format.h>

#include <array>

#include "errors.h"

namespace traction {

namespace {

double volume(const std::vector<Vec3>& x, const std::array<int, 4>& t) { return (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]).dot(x[t[3]] - x[t[0]]) / 6; }

// The eight tetrahedra of a ten-node one: four at the corners, and four around that diagonal of the octahedron between them for which the smallest is largest.
std::array<std::array<int, 4>, kQuadraticParts> parts_of(const std::vector<Vec3>& x, const std::array<int, 10>& v) {
  constexpr int k01 = 4, k02 = 5, k03 = 6, k12 = 7, k13 = 8, k23 = 9;
  // Ends of a diagonal, and the other four vertices in a circle around it that is right-handed from the first to the second end.
  constexpr int kDiagonals[3][6] = {{k01, k23, k02, k03, k13, k12}, {k02, k13, k01, k12, k23, k03}, {k03, k12, k01, k02, k23, k13}};
  std::array<std::array<int, 4>, kQuadraticParts> best{};
  double largest = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const auto& [from, to, a, b, c, e] = kDiagonals[d];
    std::array<std::array<int, 4>, kQuadraticParts> parts = {{{v[0], v[k01], v[k02], v[k03]},
                                                              {v[1], v[k01], v[k13], v[k12]},
                                                              {v[2], v[k02], v[k12], v[k23]},
                                                              {v[3], v[k03], v[k23], v[k13]},
                                                              {v[from], v[a], v[b], v[to]},
                                                              {v[from], v[b], v[c], v[to]},
                                                              {v[from], v[c], v[e], v[to]},
                                                              {v[from], v[e], v[a], v[to]}}};
    double smallest = volume(x, parts[4]);
    for (std::size_t k = 5; k < kQuadraticParts; ++k) smallest = std::min(smallest, volume(x, parts[k]));
    if (d > 0 && !(smallest > largest * (1 + 1e-9))) continue;  // the first of those that are equally good, whatever the rounding
    largest = smallest;
    best = parts;
  }
  return best;
}

// dX/dxi at barycentric coordinates, xi being those of corners 1 to 3: its determinant is six times the local ratio of volumes.
double determinant_at(const std::array<Vec3, 10>& x, const std::array<double, 4>& at) {
  std::array<Vec3, 4> slope;  // by barycentric coordinates
  for (std::size_t c = 0; c < 4; ++c) slope[c] = (4 * at[c] - 1) * x[c];
  for (std::size_t k = 0; k < 6; ++k) {
    const auto [a, b] = kTetrahedronEdges[k];
    slope[a] += 4 * at[b] * x[4 + k];
    slope[b] += 4 * at[a] * x[4 + k];
  }
  return (slope[1] - slope[0]).cross(slope[2] - slope[0]).dot(slope[3] - slope[0]);
}

std::array<Vec3, 10> places_of(const Mesh& mesh, const QuadraticTetrahedron& quadratic) {
  std::array<Vec3, 10> x;
  for (std::size_t a = 0; a < 10; ++a) x[a] = mesh.vertices[quadratic.vertices[a]];
  return x;
}

// The numbers of `count` parts for each member.
void cut_members(std::vector<int>& members, int count) {
  std::vector<int> parts;
  parts.reserve(static_cast<std::size_t>(count) * members.size());
  for (const int member : members)
    for (int k = 0; k < count; ++k) parts.push_back(count * member + k);
  members = std::move(parts);
}

// Cuts the segments that have a midpoint in two, which changes the numbers of all of them.
void cut_segments(Mesh& mesh, const EdgeMidpoints& midpoints) {
  std::vector<std::array<int, 2>> segments;
  std::vector<std::vector<int>> parts;
  std::vector<std::optional<int>> middle;
  for (const auto& [a, b] : mesh.segments) {
    middle.push_back(midpoints.find(a, b));
    std::vector<int>& numbers = parts.emplace_back();
    const auto add = [&](int from, int to) {
      numbers.push_back(static_cast<int>(segments.size()));
      segments.push_back({from, to});
    };
    if (!middle.back()) add(a, b);
    else add(a, *middle.back()), add(*middle.back(), b);
  }
  for (Region& region : mesh.regions) {
    std::vector<int> numbers;
    for (const int segment : region.segments) {
      numbers.insert(numbers.end(), parts[segment].begin(), parts[segment].end());
      if (middle[segment]) region.members.push_back(*middle[segment]);
    }
    if (region.segments.empty()) continue;
    region.segments = std::move(numbers);
    std::sort(region.members.begin(), region.members.end());
    region.members.erase(std::unique(region.members.begin(), region.members.end()), region.members.end());
  }
  mesh.segments = std::move(segments);
}

// Adds to the regions of points those vertices, from number `first` on, that are in the middle of an edge of a face, triangle or segment all of whose corners
// are in the region. `triangles`: before they are cut; the segments are not cut yet.
void complete_points(Mesh& mesh, const std::vector<std::array<int, 3>>& triangles, const EdgeMidpoints& midpoints, int first) {
  std::vector<char> is_inside(mesh.vertices.size(), 0);
  for (Region& region : mesh.regions) {
    if (region.dimension != 0) continue;
    const std::vector<int> corners = region.members;
    for (const int corner : corners) is_inside[corner] = 1;
    const auto add = [&](int a, int b) {
      if (const auto middle = midpoints.find(a, b); middle && *middle >= first) region.members.push_back(*middle);
    };
    const auto add_face = [&](int a, int b, int c) {
      if (is_inside[a] && is_inside[b] && is_inside[c]) add(a, b), add(b, c), add(c, a);
    };
    for (const QuadraticTetrahedron& quadratic : mesh.quadratics) {
      const auto& v = quadratic.vertices;
      for (std::size_t opposite = 0; opposite < 4; ++opposite) add_face(v[(opposite + 1) % 4], v[(opposite + 2) % 4], v[(opposite + 3) % 4]);
    }
    for (const auto& [a, b, c] : triangles) add_face(a, b, c);
    for (const auto& [a, b] : mesh.segments)
      if (is_inside[a] && is_inside[b]) add(a, b);
    for (const int corner : corners) is_inside[corner] = 0;
    std::sort(region.members.begin(), region.members.end());
    region.members.erase(std::unique(region.members.begin(), region.members.end()), region.members.end());
  }
}

}  // namespace

EdgeMidpoints EdgeMidpoints::renumbered(const std::vector<int>& numbers) const {
  EdgeMidpoints result;
  for (const auto& [edge, vertex] : vertices_) {
    const int a = numbers[edge >> 32], b = numbers[edge & 0xffffffff];
    if (a >= 0 && b >= 0 && numbers[vertex] >= 0) result.add(a, b, numbers[vertex]);
  }
  return result;
}

void make_quadratic(Mesh& mesh, EdgeMidpoints midpoints) {
  const int first_added = static_cast<int>(mesh.vertices.size());
  const auto middle = [&](int a, int b) {
    if (const auto known = midpoints.find(a, b)) return *known;
    const int added = static_cast<int>(mesh.vertices.size());
    mesh.vertices.push_back((mesh.vertices[a] + mesh.vertices[b]) / 2);
    midpoints.add(a, b, added);
    return added;
  };
  std::vector<std::array<int, 4>> tetrahedra;
  tetrahedra.reserve(kQuadraticParts * mesh.tetrahedra.size());
  for (const auto& t : mesh.tetrahedra) {
    QuadraticTetrahedron& quadratic = mesh.quadratics.emplace_back();
    quadratic.first = static_cast<int>(tetrahedra.size());
    std::copy(t.begin(), t.end(), quadratic.vertices.begin());
    for (std::size_t e = 0; e < kTetrahedronEdges.size(); ++e) quadratic.vertices[4 + e] = middle(t[kTetrahedronEdges[e][0]], t[kTetrahedronEdges[e][1]]);
    for (const auto& part : parts_of(mesh.vertices, quadratic.vertices)) tetrahedra.push_back(part);
  }
  mesh.tetrahedra = std::move(tetrahedra);
  std::vector<std::array<int, 3>> triangles;
  for (const auto& [a, b, c] : mesh.triangles) {
    const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    for (const std::array<int, 3>& part : {std::array{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}}) triangles.push_back(part);
  }
  complete_points(mesh, mesh.triangles, midpoints, first_added);
  mesh.triangles = std::move(triangles);
  for (Region& region : mesh.regions)
    if (region.dimension > 1) cut_members(region.members, region.dimension == 3 ? kQuadraticParts : 4);
  cut_segments(mesh, midpoints);
}

void check_quadratics(const Mesh& mesh) {
  constexpr double kNear = 0.5854101966249685, kFar = 0.1381966011250105;
  std::vector<std::array<double, 4>> places;  // barycentric
  for (std::size_t c = 0; c < 4; ++c)
    for (const double near : {1.0, kNear}) {
      places.emplace_back().fill(near == 1 ? 0 : kFar);
      places.back()[c] = near;
    }
  for (const auto& [a, b] : kTetrahedronEdges) {
    places.emplace_back().fill(0);
    places.back()[a] = places.back()[b] = 0.5;
  }
  for (std::size_t e = 0; e < mesh.quadratics.size(); ++e) {
    const std::array<Vec3, 10> x = places_of(mesh, mesh.quadratics[e]);
    for (const auto& at : places)
      if (!(determinant_at(x, at) > 0))
        throw InputError(
            fmt::format("{}: the ten-node tetrahedron {} with a corner at ({:.6g}, {:.6g}, {:.6g}) is folded: the vertices in the middle of its edges are too "
                        "far from the straight lines between their ends, or its corners are in the wrong order. Remesh there, or optimize the mesh (in Gmsh "
                        "Mesh.HighOrderOptimize = 2)",
                        mesh.source, e + 1, x[0].x(), x[0].y(), x[0].z()));
  }
}

std::array<double, 10> lumped_volumes(const std::array<Vec3, 10>& x) {
  constexpr double kStraight = 1e-10;
  double deviation = 0;
  for (std::size_t k = 0; k < 6; ++k) {
    const auto [a, b] = kTetrahedronEdges[k];
    deviation = std::max(deviation, (x[4 + k] - (x[a] + x[b]) / 2).norm() / (x[b] - x[a]).norm());
  }
  std::array<double, 10> shares;
  if (deviation < kStraight) {
    const double volume = (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]) / 6;
    for (std::size_t a = 0; a < 10; ++a) shares[a] = volume * (a < 4 ? 1.0 / 36 : 4.0 / 27);
    return shares;
  }
  // Gauss points of a cube that is collapsed to the tetrahedron; exact, because no factor has a degree above 9 in one of its coordinates.
  constexpr std::array<double, 5> kPoints = {0.04691007703066802, 0.23076534494715845, 0.5, 0.7692346550528415, 0.9530899229693319};
  constexpr std::array<double, 5> kWeights = {0.11846344252809454, 0.23931433524968323, 0.28444444444444444, 0.23931433524968323, 0.11846344252809454};
  shares.fill(0);
  double volume = 0, trace = 0;
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 5; ++j)
      for (std::size_t k = 0; k < 5; ++k) {
        const double u = kPoints[i], v = kPoints[j] * (1 - u), w = kPoints[k] * (1 - u - v);
        const std::array<double, 4> at = {1 - u - v - w, u, v, w};
        const double weight = kWeights[i] * kWeights[j] * kWeights[k] * (1 - u) * (1 - u - v) * determinant_at(x, at);
        volume += weight;
        for (std::size_t a = 0; a < 10; ++a) {
          const double shape = a < 4 ? at[a] * (2 * at[a] - 1) : 4 * at[kTetrahedronEdges[a - 4][0]] * at[kTetrahedronEdges[a - 4][1]];
          shares[a] += weight * shape * shape;
        }
      }
  for (const double share : shares) trace += share;
  for (double& share : shares) share *= volume / trace;
  return shares;
}

}  // namespace traction
