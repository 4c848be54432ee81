#include "dynamics/rigid_stability.h"

#include <Eigen/Eigenvalues>
#include <set>

#include "contact/normal_force_sizes.h"
#include "dynamics/joined_bodies.h"
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

// Divides bodies into sets of which no two act on each other at this state, so that one product finds how each reacts to a motion of its own. Bodies that are
// joined count as one, and touch all that one of them touches. Collective.
std::vector<std::vector<std::size_t>> apart(const System& system, const std::vector<std::shared_ptr<ContactGroup>>& contacts, const State& at,
                                            const std::vector<std::size_t>& bodies) {
  const JoinedBodies joined(system);
  const std::vector<int> group_of = joined.groups({});
  ContactByBody found{std::vector<double>(group_of.size(), 0.0), {}};
  for (const auto& contact : contacts) contact->add_by_body(at, joined.numbers(), found);
  std::vector<double> meetings;
  for (const auto& [one, other] : found.meetings) meetings.insert(meetings.end(), {static_cast<double>(one), static_cast<double>(other)});
  meetings = concatenated_over_ranks(system.communicator(), meetings);
  std::vector<std::set<int>> near(group_of.size());  // by group: itself and the groups that it touches
  for (std::size_t b = 0; b < group_of.size(); ++b) near[group_of[b]].insert(group_of[b]);
  for (std::size_t i = 0; i + 1 < meetings.size(); i += 2) {
    const int one = group_of[static_cast<std::size_t>(meetings[i])], other = group_of[static_cast<std::size_t>(meetings[i + 1])];
    near[one].insert(other);
    near[other].insert(one);
  }
  std::vector<std::set<std::size_t>> taken(group_of.size());  // by group: the sets with bodies of it
  std::vector<std::vector<std::size_t>> sets;
  for (const std::size_t b : bodies) {
    std::set<std::size_t> excluded;
    for (const int group : near[group_of[b]]) excluded.insert(taken[group].begin(), taken[group].end());
    std::size_t set = 0;
    while (excluded.contains(set)) ++set;
    if (set == sets.size()) sets.emplace_back();
    sets[set].push_back(b);
    taken[group_of[b]].insert(set);
  }
  return sets;
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
  std::vector<std::size_t> doubtful;
  for (std::size_t b = 0; b < count; ++b) {
    const Mat6Of support = Eigen::Map<const Mat6Of>(sums.data() + kEntries * b);
    if (candidates[b] && !motions[b].held && support.trace() > 0 && motions_resisted(support) < kMotionsOfFace) doubtful.push_back(b);
  }
  if (doubtful.empty()) return std::nullopt;
  system.linearize_foretold(false);
  system.linearize(at);
  for (const std::vector<std::size_t>& bodies : apart(system, contacts, at, doubtful)) {
    std::vector<double> forces(kEntries * bodies.size(), 0.0);
    for (int k = 0; k < 6; ++k) {
      State direction(system.halo().local());
      for (const std::size_t b : bodies)
        for (const int vertex : system.bodies()[b]) direction.q[vertex] = unit_motion(k, motions[b].gyration_radius()).at(at.q[vertex] - motions[b].center);
      system.exchange(direction.q);
      Field change(system.halo().local());
      system.product(at, direction, change);
      for (std::size_t i = 0; i < bodies.size(); ++i)
        for (int other = 0; other < 6; ++other)
          for (const int vertex : system.bodies()[bodies[i]]) {
            const BodyMotion& motion = motions[bodies[i]];
            forces[kEntries * i + 6 * k + other] += change[vertex].dot(unit_motion(other, motion.gyration_radius()).at(at.q[vertex] - motion.center));
          }
    }
    sum_over_ranks(system.communicator(), forces);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const BodyMotion& motion = motions[bodies[i]];
      const double radius = motion.gyration_radius();
      const Mat6Of rates = Eigen::Map<const Mat6Of>(forces.data() + kEntries * i), symmetric = (rates + rates.transpose()) / 2;
      Mat6Of mass = motion.mass * Mat6Of::Identity();
      mass.bottomRightCorner<3, 3>() = motion.inertia / (radius * radius) + 1e-9 * motion.mass * Mat3::Identity();
      const Eigen::GeneralizedSelfAdjointEigenSolver<Mat6Of> modes(symmetric, mass, Eigen::EigenvaluesOnly);
      if (modes.eigenvalues()[5] > kFalls * system.reference_acceleration() / radius) return bodies[i];
    }
  }
  return std::nullopt;
}

}  // namespace traction
