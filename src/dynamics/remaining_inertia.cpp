#include "dynamics/remaining_inertia.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "parallel/collective.h"

namespace traction {

namespace {

constexpr double kNotableInertia = 0.01;  // share of the forces to warn of

}  // namespace

void RemainingInertia::add(const System& system, const State& start, const State& end) {
  const std::size_t bodies = system.bodies().size();
  inertial_.resize(bodies, 0);
  forces_.resize(bodies, 0);
  const double square = (end.time - start.time) * (end.time - start.time);
  Field force(system.halo().local());
  std::vector<double> sizes(static_cast<std::size_t>(system.halo().owned()), 0.0);
  system.force(end, force, sizes);
  std::vector<double> sums;  // for each body: what inertia carries, and all forces [N]
  for (std::size_t b = 0; b < bodies; ++b) {
    double inertial = 0, forces = 0;
    for (const int vertex : system.bodies()[b])
      inertial += kInertiaLeft * system.mass()[vertex] * system.held().free_part(vertex, (end.q[vertex] - start.q[vertex]) / square).norm();
    for (const int vertex : system.places()[b]) forces += sizes[vertex];
    sums.insert(sums.end(), {inertial, forces});
  }
  sum_over_ranks(system.communicator(), sums);
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
