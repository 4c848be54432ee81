#include "dynamics/rigid_stability.h"

#include <Eigen/Eigenvalues>

#include "contact/normal_force_sizes.h"
#include "dynamics/rigid_part.h"
#include "parallel/collective.h"

namespace traction {

namespace {

// A body is carried on a point or a line if its support resists fewer than three rigid motions by more than this part of the largest stiffness.
constexpr double kResists = 1e-6;
constexpr int kMotionsOfFace = 3;
constexpr double kFalls = 0.02;  // square of the rate at which a body leaves its place, in parts of that of gravity over the radius of gyration

using Mat6Of = Eigen::Matrix<double, 6, 6>;

// The k-th of six rigid motions about the body's center, by which its gyration radius moves by 1.
RigidPart unit_motion(int k, double radius) {
  RigidPart motion;
  (k < 3 ? motion.velocity : motion.angular_velocity)[k % 3] = k < 3 ? 1 : 1 / radius;
  return motion;
}

int motions_resisted(const Mat6Of& support) {
  const Eigen::SelfAdjointEigenSolver<Mat6Of> modes(support, Eigen::EigenvaluesOnly);
  return static_cast<int>((modes.eigenvalues().array() > kResists * modes.eigenvalues()[5]).count());
}

}  // namespace

std::optional<std::size_t> tipping_body(System& system, const std::vector<std::shared_ptr<ContactGroup>>& contacts, const std::vector<char>& candidates,
                                        const State& at) {
  constexpr std::size_t kEntries = 36;
  const std::vector<BodyMotion> motions = body_motions(system, at.q, at.v);
  const std::size_t count = motions.size();
  const Field normal = normal_forces(contacts, at, system.halo().local()).sums;
  std::vector<double> sums(kEntries * count, 0.0);
  for (std::size_t b = 0; b < count; ++b) {
    Eigen::Map<Mat6Of> support(sums.data() + kEntries * b);
    for (const int vertex : system.places()[b]) {
      const double size = normal[vertex].norm();
      if (!(size > 0)) continue;
      Eigen::Matrix<double, 6, 1> wrench;
      wrench << normal[vertex] / size, Vec3((at.q[vertex] - motions[b].center).cross(normal[vertex]) / (size * motions[b].gyration_radius()));
      support += size * wrench * wrench.transpose();
    }
  }
  sum_over_ranks(system.communicator(), sums);
  bool is_linearized = false;
  for (std::size_t b = 0; b < count; ++b) {
    const Mat6Of support = Eigen::Map<const Mat6Of>(sums.data() + kEntries * b);
    const double radius = motions[b].gyration_radius();
    if (!candidates[b] || motions[b].held || !(support.trace() > 0) || motions_resisted(support) >= kMotionsOfFace) continue;
    if (!is_linearized) {
      system.linearize_foretold(false);
      system.linearize(at);
    }
    is_linearized = true;
    std::vector<double> forces(kEntries, 0.0);
    for (int k = 0; k < 6; ++k) {
      State direction(system.halo().local());
      for (const int vertex : system.bodies()[b]) direction.q[vertex] = unit_motion(k, radius).at(at.q[vertex] - motions[b].center);
      system.exchange(direction.q);
      Field change(system.halo().local());
      system.product(at, direction, change);
      for (int other = 0; other < 6; ++other)
        for (const int vertex : system.bodies()[b])
          forces[6 * k + other] += change[vertex].dot(unit_motion(other, radius).at(at.q[vertex] - motions[b].center));
    }
    sum_over_ranks(system.communicator(), forces);
    const Mat6Of rates = Eigen::Map<const Mat6Of>(forces.data()), symmetric = (rates + rates.transpose()) / 2;
    Mat6Of mass = motions[b].mass * Mat6Of::Identity();
    mass.bottomRightCorner<3, 3>() = motions[b].inertia / (radius * radius) + 1e-9 * motions[b].mass * Mat3::Identity();
    const Eigen::GeneralizedSelfAdjointEigenSolver<Mat6Of> modes(symmetric, mass, Eigen::EigenvaluesOnly);
    if (modes.eigenvalues()[5] > kFalls * system.reference_acceleration() / radius) return b;
  }
  return std::nullopt;
}

}  // namespace traction
