#include "system/body_motion.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>

#include "parallel/collective.h"

namespace traction {

namespace {

constexpr std::size_t kFirstSums = 8;    // sums for a body: mass, first moments, momentum, number of vertices that are held whole
constexpr std::size_t kSecondSums = 10;  // about its center: angular momentum, second moments xx, yy, zz, xy, yz, zx, kinetic energy

}  // namespace

std::vector<BodyMotion> body_motions(const System& system, const Field& q, const Field& v) {
  const std::size_t count = system.bodies().size();
  std::vector<double> first(kFirstSums * count, 0.0), second(kSecondSums * count, 0.0);
  for (std::size_t b = 0; b < count; ++b) {
    double* sums = first.data() + kFirstSums * b;
    for (const int vertex : system.places()[b]) {
      const double mass = system.own_mass()[vertex];
      sums[0] += mass;
      for (int i = 0; i < 3; ++i) {
        sums[1 + i] += mass * q[vertex][i];
        sums[4 + i] += mass * v[vertex][i];
      }
      sums[7] += system.is_driven()[vertex] ? 1 : 0;
    }
  }
  sum_over_ranks(system.communicator(), first);
  std::vector<BodyMotion> motions(count);
  for (std::size_t b = 0; b < count; ++b) {
    BodyMotion& motion = motions[b];
    const double* sums = first.data() + kFirstSums * b;
    motion.mass = sums[0];
    motion.center = Vec3(sums[1], sums[2], sums[3]) / motion.mass;
    motion.velocity = Vec3(sums[4], sums[5], sums[6]) / motion.mass;
    motion.held = sums[7] > 0;
    double* moments = second.data() + kSecondSums * b;
    for (const int vertex : system.places()[b]) {
      const double mass = system.own_mass()[vertex];
      const Vec3 arm = q[vertex] - motion.center, relative = v[vertex] - motion.velocity, angular = mass * arm.cross(relative);
      moments[9] += mass * relative.squaredNorm() / 2;
      for (int i = 0; i < 3; ++i) {
        moments[i] += angular[i];
        moments[3 + i] += mass * arm[i] * arm[i];
        moments[6 + i] += mass * arm[i] * arm[(i + 1) % 3];
      }
    }
  }
  sum_over_ranks(system.communicator(), second);
  for (std::size_t b = 0; b < count; ++b) {
    BodyMotion& motion = motions[b];
    const double* moments = second.data() + kSecondSums * b;
    motion.angular_momentum = Vec3(moments[0], moments[1], moments[2]);
    Mat3 spread;
    spread << moments[3], moments[6], moments[8], moments[6], moments[4], moments[7], moments[8], moments[7], moments[5];
    motion.inertia = spread.trace() * Mat3::Identity() - spread;
    motion.angular_velocity = motion.inertia.fullPivLu().solve(motion.angular_momentum);
    motion.deforming_energy = std::max(0.0, moments[9] - motion.angular_momentum.dot(motion.angular_velocity) / 2);
  }
  return motions;
}

std::vector<Mat3> fitted_rotations(const System& system, const Field& from, const Field& to) {
  constexpr std::size_t kCenters = 7;    // sums for a body: mass, first moments before and after
  constexpr double kLeastExtent = 1e-9;  // across the line on which all mass nearly lies, relative to that along it
  const std::size_t count = system.bodies().size();
  std::vector<double> centers(kCenters * count, 0.0), moments(9 * count, 0.0);
  for (std::size_t b = 0; b < count; ++b)
    for (const int vertex : system.places()[b]) {
      double* sums = centers.data() + kCenters * b;
      const double mass = system.own_mass()[vertex];
      sums[0] += mass;
      for (int i = 0; i < 3; ++i) {
        sums[1 + i] += mass * from[vertex][i];
        sums[4 + i] += mass * to[vertex][i];
      }
    }
  sum_over_ranks(system.communicator(), centers);
  for (std::size_t b = 0; b < count; ++b) {
    const double* sums = centers.data() + kCenters * b;
    const Vec3 before = Vec3(sums[1], sums[2], sums[3]) / sums[0], after = Vec3(sums[4], sums[5], sums[6]) / sums[0];
    Eigen::Map<Mat3> moment(moments.data() + 9 * b);
    for (const int vertex : system.places()[b]) moment += system.own_mass()[vertex] * (to[vertex] - after) * (from[vertex] - before).transpose();
  }
  sum_over_ranks(system.communicator(), moments);
  std::vector<Mat3> rotations(count, Mat3::Identity());
  for (std::size_t b = 0; b < count; ++b) {
    const Eigen::JacobiSVD<Mat3> parts(Eigen::Map<const Mat3>(moments.data() + 9 * b), Eigen::ComputeFullU | Eigen::ComputeFullV);
    if (!(parts.singularValues()[0] > 0)) continue;
    if (!(parts.singularValues()[1] > kLeastExtent * parts.singularValues()[0])) {
      rotations[b] = Eigen::Quaterniond::FromTwoVectors(parts.matrixV().col(0), parts.matrixU().col(0)).toRotationMatrix();
      continue;
    }
    const double side = (parts.matrixU() * parts.matrixV().transpose()).determinant() < 0 ? -1 : 1;
    rotations[b] = parts.matrixU() * Vec3(1, 1, side).asDiagonal() * parts.matrixV().transpose();
  }
  return rotations;
}

std::vector<Mat3> body_rotations(const System& system, const Field& from, const Field& to) {
  std::vector<double> held;  // for each body: the number of vertices that are held in some direction
  for (const std::vector<int>& places : system.places())
    held.push_back(static_cast<double>(
        std::ranges::count_if(places, [&](int vertex) { return system.held().free_part(vertex, Vec3(Vec3::Ones())) != Vec3(Vec3::Ones()); })));
  sum_over_ranks(system.communicator(), held);
  std::vector<Mat3> rotations = fitted_rotations(system, from, to);
  for (std::size_t b = 0; b < rotations.size(); ++b)
    if (held[b] > 0) rotations[b].setIdentity();
  return rotations;
}

}  // namespace traction
