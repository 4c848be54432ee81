#include "dynamics/end_forces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "parallel/collective.h"

namespace traction {

namespace {

constexpr double kDiffers = 1.5;       // ratio of accelerations to count
constexpr long kSteps = 10;            // number of such steps to warn of
constexpr double kShareOfSteps = 0.5;  // and their share of all steps

}  // namespace

bool EndForces::may_differ(Integrator integrator) {
  return integrator == Integrator::sdirk2 || integrator == Integrator::sdirk3 || integrator == Integrator::generalized_alpha;
}

void EndForces::add(const System& system, const State& start, const State& end, double h, double negligible) {
  const std::size_t bodies = system.bodies().size();
  differ_.resize(bodies, 0);
  most_.resize(bodies, 0);
  ++steps_;
  Field force(system.halo().local());
  system.force(end, force);
  std::vector<double> sums;  // for each body: of m |a|^2 by the forces at the end, of m |a|^2 as it was, of m
  for (const std::vector<int>& body : system.bodies()) {
    double at_end = 0, within = 0, mass = 0;
    for (const int vertex : body) {
      const double m = system.mass()[vertex];
      if (m == 0) continue;
      at_end += m * system.held().free_part(vertex, force[vertex] / m).squaredNorm();
      within += m * system.held().free_part(vertex, (end.v[vertex] - start.v[vertex]) / h).squaredNorm();
      mass += m;
    }
    sums.insert(sums.end(), {at_end, within, mass});
  }
  sum_over_ranks(system.communicator(), sums);
  for (std::size_t b = 0; b < bodies; ++b) {
    const double mass = sums[3 * b + 2], ratio = std::sqrt(sums[3 * b] / std::max(sums[3 * b + 1], mass * negligible * negligible));
    if (!(ratio > kDiffers)) continue;
    ++differ_[b];
    most_[b] = std::max(most_[b], ratio);
  }
}

std::vector<std::string> EndForces::warnings(const System& system) const {
  std::vector<std::string> warnings;
  for (std::size_t b = 0; b < differ_.size(); ++b) {
    if (differ_[b] < kSteps || static_cast<double>(differ_[b]) < kShareOfSteps * static_cast<double>(steps_)) continue;
    warnings.push_back(fmt::format(
        "body '{}': in {} of {} steps the forces at the step's end, which the output shows, would have accelerated it up to {:.3g} times as much as it was "
        "accelerated. sdirk2, sdirk3 and generalized_alpha give such forces where something stiff turns, vibrates, or is driven with an acceleration, faster "
        "than the "
        "steps resolve. The motion is right, but reactions, forces of joints and contacts, stresses, elastic energy and work_driven are not. Take tr_sdirk2, "
        "tr_bdf2 or bdf2",
        system.body_names()[b], differ_[b], steps_, most_[b]));
  }
  return warnings;
}

}  // namespace traction
