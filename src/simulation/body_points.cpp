#include "simulation/body_points.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <tuple>

#include "contact/features.h"
#include "mesh/rigid_frame.h"
#include "parallel/collective.h"
#include "simulation/rigid_bodies.h"

namespace traction {

namespace {

// The owned vertices of a body that are places on it, without the particles of a rigid body.
std::vector<int> owned_places(const System& system, const Body& body) {
  const DistributedMesh& mesh = system.mesh();
  std::vector<int> result;
  for (const int vertex : mesh.region(body.name).vertices)
    if (vertex < system.halo().owned() && !std::binary_search(mesh.twists.begin(), mesh.twists.end(), vertex)) result.push_back(vertex);
  if (!body.rigid) return result;
  const std::vector<int>& particles = mesh.region(body.name + "." + kFrameRegion).vertices;
  std::erase_if(result, [&](int vertex) { return std::binary_search(particles.begin(), particles.end(), vertex); });
  return result;
}

// Barycentric coordinates of a place in a tetrahedron, also outside.
std::array<double, 4> shares_in_tetrahedron(const std::array<Vec3, 4>& x, const Vec3& place) {
  Mat3 edges;
  for (int i = 0; i < 3; ++i) edges.col(i) = x[i + 1] - x[0];
  const Vec3 shares = edges.partialPivLu().solve(place - x[0]);
  return {1 - shares.sum(), shares[0], shares[1], shares[2]};
}

double distance_from_tetrahedron(const std::array<Vec3, 4>& x, const Vec3& place, const std::array<double, 4>& shares) {
  if (*std::min_element(shares.begin(), shares.end()) >= 0) return 0;
  return std::min({closest_on_triangle(place, x[0], x[1], x[2]).distance, closest_on_triangle(place, x[0], x[1], x[3]).distance,
                   closest_on_triangle(place, x[0], x[2], x[3]).distance, closest_on_triangle(place, x[1], x[2], x[3]).distance});
}

std::array<double, 10> quadratic_shapes(const std::array<double, 4>& at) {
  std::array<double, 10> shapes;
  for (std::size_t a = 0; a < 4; ++a) shapes[a] = at[a] * (2 * at[a] - 1);
  for (std::size_t e = 0; e < kTetrahedronEdges.size(); ++e) shapes[4 + e] = 4 * at[kTetrahedronEdges[e][0]] * at[kTetrahedronEdges[e][1]];
  return shapes;
}

// Barycentric coordinates of a place in a ten-node tetrahedron, by Newton's method from those in its corners; none where it does not converge, as far outside
// of a curved one. With straight sides the first are right.
std::optional<std::array<double, 4>> coordinates_in_quadratic(const std::array<Vec3, 10>& x, const Vec3& place) {
  constexpr int kIterations = 20;
  constexpr double kRounding = 1e-12;  // relative to the size of the element
  std::array<Vec3, 10> arms;           // from the first corner, so that no digits are lost far from the origin
  for (std::size_t a = 0; a < x.size(); ++a) arms[a] = x[a] - x[0];
  std::array<double, 4> at = shares_in_tetrahedron({x[0], x[1], x[2], x[3]}, place);
  for (int k = 0; k < kIterations; ++k) {
    const std::array<double, 10> shapes = quadratic_shapes(at);
    Vec3 off = place - x[0];
    for (std::size_t a = 0; a < arms.size(); ++a) off -= shapes[a] * arms[a];
    if (off.norm() < kRounding * arms[1].norm()) return at;
    std::array<Vec3, 4> slopes;  // derivatives of the place by the coordinates
    for (std::size_t a = 0; a < 4; ++a) slopes[a] = (4 * at[a] - 1) * arms[a];
    for (std::size_t e = 0; e < kTetrahedronEdges.size(); ++e) {
      const auto [a, b] = kTetrahedronEdges[e];
      slopes[a] += 4 * at[b] * arms[4 + e];
      slopes[b] += 4 * at[a] * arms[4 + e];
    }
    Mat3 edges;
    for (int i = 0; i < 3; ++i) edges.col(i) = slopes[i + 1] - slopes[0];
    const Vec3 change = edges.partialPivLu().solve(off);
    for (int i = 0; i < 3; ++i) at[i + 1] += change[i];
    at[0] -= change.sum();
  }
  return std::nullopt;
}

// An element that may carry a point. It consists of numbers alone, because ranks exchange it.
struct CarryingElement {
  double distance = std::numeric_limits<double>::infinity();  // [m]
  std::array<double, 4> ids{};                                // the element's vertices in the undistributed mesh, which decide between equal distances
  std::array<double, 10> vertices{}, weights{};               // a vertex of weight 0 means nothing
  double is_tetrahedron = 0;                                  // 1, or 0

  auto key(double resolution) const { return std::tuple(std::round(std::min(distance / resolution, 1e300)), ids); }
};

class NearestElement {
 public:
  NearestElement(const System& system, const Body& body, const Vec3& place, const Field& start, double resolution)
      : mesh_(system.mesh()), place_(place), start_(start), resolution_(resolution) {
    for (const auto& [name, material] : body.solid)
      for (const int e : mesh_.region(body.name + "." + name).members) try_tetrahedron(e);
    for (const auto& [name, material] : body.shell)
      for (const int t : mesh_.region(body.name + "." + name).members) try_triangle(mesh_.triangles[t]);
    for (const auto& [name, material] : body.rod)
      for (const int r : mesh_.region(body.name + "." + name).rods) try_segment({mesh_.rods[r].vertices[0], mesh_.rods[r].vertices[1]});
  }

  // The best on any rank.
  CarryingElement best() {
    if (quadratic_ >= 0) carry_by(mesh_.quadratics[static_cast<std::size_t>(quadratic_)]);
    int ranks = 1;
    MPI_Comm_size(mesh_.halo->communicator(), &ranks);
    constexpr int kNumbers = 26;
    static_assert(sizeof(CarryingElement) == kNumbers * sizeof(double));
    std::vector<CarryingElement> all(static_cast<std::size_t>(ranks));
    MPI_Allgather(&best_, kNumbers, MPI_DOUBLE, all.data(), kNumbers, MPI_DOUBLE, mesh_.halo->communicator());
    return *std::min_element(all.begin(), all.end(),
                             [&](const CarryingElement& a, const CarryingElement& b) { return a.key(resolution_) < b.key(resolution_); });
  }

 private:
  void try_tetrahedron(int e) {
    const std::array<int, 4>& t = mesh_.tetrahedra[e];
    if (is_farther(t)) return;
    const std::array<Vec3, 4> x{start_[t[0]], start_[t[1]], start_[t[2]], start_[t[3]]};
    const std::array<double, 4> shares = shares_in_tetrahedron(x, place_);
    if (consider(t, shares, distance_from_tetrahedron(x, place_, shares))) quadratic_ = mesh_.is_part(e) ? mesh_.quadratic_of[static_cast<std::size_t>(e)] : -1;
  }
  // Whether the box around an element is farther than the best one so far.
  bool is_farther(std::span<const int> vertices) const {
    Vec3 lower = start_[vertices[0]], upper = lower;
    for (const int vertex : vertices) {
      lower = lower.cwiseMin(Vec3(start_[vertex]));
      upper = upper.cwiseMax(Vec3(start_[vertex]));
    }
    return (place_ - place_.cwiseMax(lower).cwiseMin(upper)).norm() > best_.distance + 2 * resolution_;
  }
  // Carries the place by all vertices of the ten-node element of the best part, with its shape functions, so that a force on the place is shared consistently.
  // Far outside of the element, where these grow fast, its part carries the place.
  void carry_by(const LocalQuadratic& element) {
    constexpr double kOutside = -0.25;  // least barycentric coordinate
    std::array<Vec3, 10> x;
    for (std::size_t a = 0; a < x.size(); ++a) x[a] = start_[element.vertices[a]];
    const std::optional<std::array<double, 4>> at = coordinates_in_quadratic(x, place_);
    if (!at || *std::min_element(at->begin(), at->end()) < kOutside) return;
    best_.weights = quadratic_shapes(*at);
    for (std::size_t a = 0; a < x.size(); ++a) best_.vertices[a] = static_cast<double>(mesh_.halo->to_global(element.vertices[a]));
  }
  void try_triangle(const std::array<int, 3>& t) {
    const ClosestPoint closest = closest_on_triangle(place_, start_[t[0]], start_[t[1]], start_[t[2]]);
    if (consider(t, closest.shares, closest.distance)) quadratic_ = -1;
  }
  void try_segment(const std::array<int, 2>& s) {
    const ClosestPoint closest = closest_on_edge(place_, start_[s[0]], start_[s[1]]);
    if (consider(s, std::span(closest.shares).first(2), closest.distance)) quadratic_ = -1;
  }
  // Returns whether the element is the best so far.
  bool consider(std::span<const int> vertices, std::span<const double> shares, double distance) {
    CarryingElement carrier;
    carrier.distance = distance;
    carrier.is_tetrahedron = vertices.size() == 4 ? 1 : 0;
    for (std::size_t k = 0; k < vertices.size(); ++k) {
      carrier.ids[k] = mesh_.vertex_ids[vertices[k]];
      carrier.vertices[k] = static_cast<double>(mesh_.halo->to_global(vertices[k]));
      carrier.weights[k] = shares[k];
    }
    std::sort(carrier.ids.begin(), carrier.ids.end());
    const bool is_best = carrier.key(resolution_) < best_.key(resolution_);
    if (is_best) best_ = carrier;
    return is_best;
  }

  const DistributedMesh& mesh_;
  const Vec3 place_;
  const Field& start_;
  double resolution_;  // distances that differ by less are equal [m]
  CarryingElement best_;
  int quadratic_ = -1;  // the ten-node tetrahedron of which the best element is a part
};

// The point's place at the start.
Vec3 place_of(const System& system, const BodyPoint& point, const Field& start) {
  Field copies(static_cast<int>(point.vertices.size()));
  Scatter(system.halo(), point.vertices, 3).forward(start.values(), copies.values());
  Vec3 place = Vec3::Zero();
  for (int m = 0; m < static_cast<int>(point.weights.size()); ++m) place += point.weights[m] * copies[m];
  return place;
}

const RigidFrame& frame_of(const System& system, const Body& body) {
  const DistributedMesh& mesh = system.mesh();
  // Frames are in the order of the rigid bodies; this one's particles are those of its region, of which some rank owns each.
  double particle = -1;
  for (const int vertex : mesh.region(body.name + "." + kFrameRegion).vertices)
    particle = std::max(particle, static_cast<double>(mesh.halo->to_global(vertex)));
  particle = maximum_over_ranks(system.communicator(), particle);
  return *std::find_if(mesh.frames.begin(), mesh.frames.end(), [&](const RigidFrame& frame) {
    return std::find(frame.particles.begin(), frame.particles.end(), static_cast<int>(particle)) != frame.particles.end();
  });
}

CarriedPoint point_of_rigid_body(const System& system, const Body& body, const Vec3& place, const Field& start) {
  const RigidFrame& frame = frame_of(system, body);
  std::array<PetscInt, 4> particles;
  std::copy(frame.particles.begin(), frame.particles.end(), particles.begin());
  Field copies(4);
  Scatter(system.halo(), particles, 3).forward(start.values(), copies.values());
  return {BodyPoint::sum(particles, shares_in_tetrahedron({copies[0], copies[1], copies[2], copies[3]}, place)), place};
}

constexpr double kResolution = 1e-9;  // distances that differ by less are equal; relative to the body's size

CarryingElement nearest_element(const System& system, const Body& body, const Vec3& place, const Field& start) {
  return NearestElement(system, body, place, start, kResolution * extent_of(system, body, start).size()).best();
}

}  // namespace

BodyExtent extent_of(const System& system, const Body& body, const Field& start) {
  BodyExtent extent;
  std::array<double, 5> sums{};  // mass, number of vertices, their positions
  const std::vector<int> places = owned_places(system, body);
  for (const int vertex : places) {
    sums[1] += 1;
    for (int i = 0; i < 3; ++i) sums[2 + i] += start[vertex][i];
  }
  for (const int vertex : body.rigid ? owned_particles(system.mesh(), body.name) : places) sums[0] += system.mass()[vertex];
  sum_over_ranks(system.communicator(), sums);
  extent.mass = sums[0];
  const Vec3 center = Vec3(sums[2], sums[3], sums[4]) / sums[1];
  for (const int vertex : places) extent.reach = std::max(extent.reach, (start[vertex] - center).norm());
  extent.reach = maximum_over_ranks(system.communicator(), extent.reach);
  return extent;
}

double distance_from(const System& system, const Body& body, const Vec3& place, const Field& start) {
  double distance = std::numeric_limits<double>::infinity();
  for (const int vertex : owned_places(system, body)) distance = std::min(distance, (start[vertex] - place).norm());
  return minimum_over_ranks(system.communicator(), distance);
}

CarriedPoint point_of_body(const System& system, const Body& body, const Vec3& place, const Field& start) {
  if (body.rigid) return point_of_rigid_body(system, body, place, start);
  const CarryingElement carrier = nearest_element(system, body, place, start);
  BodyPoint point;
  for (std::size_t m = 0; m < carrier.vertices.size(); ++m)
    if (carrier.weights[m] != 0) {
      point.vertices.push_back(static_cast<PetscInt>(carrier.vertices[m]));
      point.weights.push_back(carrier.weights[m]);
    }
  return {point, place_of(system, point, start)};
}

std::optional<double> distance_from_tetrahedra(const System& system, const Body& body, const Vec3& place, const Field& start) {
  if (body.rigid || body.solid.empty()) return std::nullopt;
  const CarryingElement carrier = nearest_element(system, body, place, start);
  return carrier.is_tetrahedron != 0 ? std::optional(carrier.distance) : std::nullopt;
}

}  // namespace traction
