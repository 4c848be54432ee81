#include "dynamics/remaining_inertia.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "parallel/collective.h"
#include "system/body_motion.h"

namespace traction {

namespace {

constexpr double kNotableInertia = 0.01;  // share of the forces to warn of

}  // namespace

void RemainingInertia::add(const System& system, const State& start, const State& end) {
  const std::size_t bodies = system.bodies().size(), groups = system.driven().size();
  inertial_.resize(bodies, 0);
  forces_.resize(bodies, 0);
  const double square = (end.time - start.time) * (end.time - start.time);
  Field force(system.halo().local());
  std::vector<double> sizes;
  system.force(end, force, sizes);
  const std::vector<BodyMotion> motions = body_motions(system, end.q, end.v);
  std::vector<double> sums(2 * bodies + 6 * groups, 0.0);  // for each body: what inertia carries, and other forces [N]; for each group: force, moment
  for (std::size_t b = 0; b < bodies; ++b) {
    for (const int vertex : system.bodies()[b])
      sums[2 * b] += kInertiaLeft * system.mass()[vertex] * system.held().free_part(vertex, (end.q[vertex] - start.q[vertex]) / square).norm();
    for (const int vertex : system.places()[b])
      if (!system.held().whole()[vertex] || system.dependents().marks()[vertex]) sums[2 * b + 1] += sizes[vertex];
  }
  // Supports count by their resultants: on the vertices of a clamp forces are many times as large, because their arms are short.
  std::vector<std::size_t> body_of_group;
  for (std::size_t g = 0; g < groups; ++g) {
    const DrivenGroup& group = system.driven()[g];
    const auto is_its_body = [&](const std::string& name) { return group.name.starts_with(name + "."); };
    const auto body = static_cast<std::size_t>(std::ranges::find_if(system.body_names(), is_its_body) - system.body_names().begin());
    body_of_group.push_back(body);
    if (body == bodies || group.holds_twists) continue;
    for (const int vertex : group.vertices) {
      const Vec3 held = system.held().held_part(vertex, force[vertex]), moment = (end.q[vertex] - motions[body].center).cross(held);
      for (int i = 0; i < 3; ++i) {
        sums[2 * bodies + 6 * g + i] += held[i];
        sums[2 * bodies + 6 * g + 3 + i] += moment[i];
      }
    }
  }
  sum_over_ranks(system.communicator(), sums);
  for (std::size_t g = 0; g < groups; ++g) {
    if (body_of_group[g] == bodies) continue;
    const Eigen::Map<const Vec3> resultant(&sums[2 * bodies + 6 * g]), moment(&sums[2 * bodies + 6 * g + 3]);
    sums[2 * body_of_group[g] + 1] += resultant.norm() + moment.norm() / motions[body_of_group[g]].gyration_radius();
  }
  for (std::size_t b = 0; b < bodies; ++b) {
    inertial_[b] = std::max(inertial_[b], sums[2 * b]);
    forces_[b] = std::max(forces_[b], sums[2 * b + 1]);
  }
}

std::vector<std::string> RemainingInertia::warnings(const System& system) const {
  std::vector<std::string> warnings;
  for (std::size_t b = 0; b < inertial_.size(); ++b) {
    if (!(inertial_[b] > kNotableInertia * forces_[b])) continue;
    warnings.push_back(
        fmt::format("body '{}' was not in equilibrium: the millionth of its inertia that is left without inertia has carried up to {:.2g} N, {:.2g} % of the "
                    "largest forces "
                    "on it, because the steps are too short for so slow a body. Time only sets the pace of loads and driven parts here: take longer steps and "
                    "let loads grow "
                    "in a longer time, or run it with inertia",
                    system.body_names()[b], inertial_[b], 100 * inertial_[b] / forces_[b]));
  }
  return warnings;
}

}  // namespace traction
