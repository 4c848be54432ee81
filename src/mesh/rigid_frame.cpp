#include "mesh/rigid_frame.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <set>

#include "errors.h"
#include "math/barycentric.h"
#include "mesh/mesh_plan.h"

namespace traction {

namespace {

constexpr int kParticles = 4;
// Least second moment, relative to the largest one. The frame of a flatter body would lose too many digits.
constexpr double kFlattest = 1e-8;
// The signs of the particles' coordinates along the principal axes.
constexpr std::array<std::array<int, 3>, kParticles> kSigns{{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}};

}  // namespace

MassMoments MassMoments::from_inertia(double mass, const Vec3& center, const Mat3& inertia) {
  return {mass, center, inertia.trace() / 2 * Mat3::Identity() - inertia};
}

MassMoments moments_of_tetrahedra(const Mesh& mesh, double density) {
  MassMoments moments;
  const Vec3 origin = mesh.vertices.front();  // near the body, so that nothing is lost where it lies far from the origin
  Vec3 first = Vec3::Zero();
  for (const auto& t : mesh.tetrahedra) {
    std::array<Vec3, 4> x;
    for (std::size_t i = 0; i < 4; ++i) x[i] = mesh.vertices[t[i]] - origin;
    const double mass = density * (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]) / 6;
    const Vec3 sum = x[0] + x[1] + x[2] + x[3];
    moments.mass += mass;
    first += mass / 4 * sum;
    moments.second += mass / 20 * sum * sum.transpose();
    for (const Vec3& corner : x) moments.second += mass / 20 * corner * corner.transpose();
  }
  const Vec3 arm = first / moments.mass;
  moments.center = origin + arm;
  moments.second -= moments.mass * arm * arm.transpose();
  return moments;
}

namespace {

// The places of particles that have these moments.
std::array<Vec3, 4> particles_of(const Mesh& mesh, const MassMoments& moments) {
  const Eigen::SelfAdjointEigenSolver<Mat3> principal(moments.second / moments.mass);
  const Vec3& squares = principal.eigenvalues();
  if (!(squares[0] > kFlattest * squares[2]))
    throw InputError(fmt::format(
        "{}: no body has these moments of inertia: {:.4g}, {:.4g} and {:.4g} kg m^2 about its principal axes. Each must be less than the sum of the other two, "
        "because mass lies at real distances from the axes",
        mesh.source, moments.mass * (squares[1] + squares[2]), moments.mass * (squares[0] + squares[2]), moments.mass * (squares[0] + squares[1])));
  Mat3 arms = principal.eigenvectors() * squares.cwiseSqrt().asDiagonal();
  if (arms.determinant() > 0) arms.col(2) *= -1;  // so that the particles' tetrahedron has a positive volume
  std::array<Vec3, 4> places;
  for (std::size_t p = 0; p < kParticles; ++p) places[p] = moments.center + arms * Vec3(kSigns[p][0], kSigns[p][1], kSigns[p][2]);
  return places;
}

}  // namespace

void add_particles(Mesh& mesh, const MassMoments& moments) {
  RigidFrame& frame = mesh.frames.emplace_back();
  frame.mass = frame.own_mass = moments.mass;
  const std::array<Vec3, 4> places = particles_of(mesh, moments);
  for (std::size_t p = 0; p < kParticles; ++p) {
    frame.particles[p] = static_cast<int>(mesh.vertices.size());
    mesh.vertices.push_back(places[p]);
  }
}

void add_carried_mass(Mesh& mesh, const std::vector<Vec3>& places, const std::vector<double>& masses) {
  RigidFrame& frame = mesh.frames.front();
  MassMoments moments{frame.mass, Vec3::Zero(), Mat3::Zero()};
  Vec3 first = Vec3::Zero();
  const Vec3 origin = mesh.vertices[frame.particles[0]];  // near the body, so that nothing is lost where it lies far from the origin
  const auto add = [&](const Vec3& place, double mass) {
    first += mass * (place - origin);
    moments.second += mass * (place - origin) * (place - origin).transpose();
  };
  for (const int particle : frame.particles) add(mesh.vertices[particle], frame.mass / kParticles);
  for (std::size_t i = 0; i < places.size(); ++i) {
    add(places[i], masses[i]);
    moments.mass += masses[i];
  }
  const Vec3 arm = first / moments.mass;
  moments.center = origin + arm;
  moments.second -= moments.mass * arm * arm.transpose();
  frame.mass = moments.mass;
  const std::array<Vec3, 4> moved = particles_of(mesh, moments);
  for (std::size_t p = 0; p < kParticles; ++p) mesh.vertices[frame.particles[p]] = moved[p];
}

void require_kept_region(const Mesh& mesh, const std::string& name, const std::string& source) {
  const Region& region = require_region(mesh, name, source);
  if (mesh.frames.empty() || region.dimension != 3) return;
  if (const std::set<int> members(region.members.begin(), region.members.end()); members.size() == mesh.tetrahedra.size()) return;
  throw InputError(
      fmt::format("{}: region '{}' of {} is a part of a rigid body's volume, of which only surfaces, curves and points are kept; name one of these, or leave "
                  "the region out",
                  source, name, mesh.source));
}

void make_rigid(Mesh& mesh) {
  RigidFrame& frame = mesh.frames.front();
  mesh.insides.push_back({{mesh.vertices.begin(), mesh.vertices.end() - kParticles}, mesh.tetrahedra});
  std::vector<char> is_kept(mesh.vertices.size(), 0);
  for (const auto& triangle : mesh.triangles)
    for (const int vertex : triangle) is_kept[vertex] = 1;
  for (const Region& region : mesh.regions)
    if (region.dimension < 2)
      for (const int vertex : region.members) is_kept[vertex] = 1;
  for (const int particle : frame.particles) is_kept[particle] = 1;

  std::vector<int> number(mesh.vertices.size(), -1);
  std::vector<Vec3> vertices;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (is_kept[v]) {
      number[v] = static_cast<int>(vertices.size());
      vertices.push_back(mesh.vertices[v]);
    }
  mesh.vertices = std::move(vertices);
  for (auto& triangle : mesh.triangles)
    for (int& vertex : triangle) vertex = number[vertex];
  for (auto& segment : mesh.segments)
    for (int& vertex : segment) vertex = number[vertex] < 0 ? 0 : number[vertex];  // curves without a region's name are dropped
  for (int& particle : frame.particles) particle = number[particle];
  mesh.tetrahedra = {frame.particles};
  mesh.quadratics.clear();
  for (Region& region : mesh.regions) {
    if (region.dimension == 3) region.members = {0};
    if (region.dimension < 2)
      for (int& vertex : region.members) vertex = number[vertex];
  }
  mesh.regions.push_back({kFrameRegion, 3, {0}});

  Vec3 center = Vec3::Zero();
  for (int p = 0; p < kParticles; ++p) {
    frame.positions[p] = mesh.vertices[frame.particles[p]];
    center += frame.positions[p] / kParticles;
  }
  for (int v = 0; v < static_cast<int>(mesh.vertices.size()); ++v) {
    if (std::find(frame.particles.begin(), frame.particles.end(), v) != frame.particles.end()) continue;
    mesh.dependents.push_back({v, frame.particles, barycentric(frame.positions, mesh.vertices[v])});
    frame.reach = std::max(frame.reach, (mesh.vertices[v] - center).norm());
  }
}

}  // namespace traction
