#include "dynamics/equilibrium.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "dynamics/settling.h"
#include "errors.h"

namespace traction {

namespace {

constexpr double kFar = 1;  // gyration radii; a body that moves further is warned of
// Iterations of Newton's method that a search without inertia may take: as many as the other one has taken, but no fewer than the first of these numbers, and
// the second one if the other one has failed.
constexpr int kLeastIterations = 300, kMostIterations = 4000;

// In pseudo-time stiff bodies that lean on each other, or must tip, may slide away or come to no rest, although an equilibrium is near. A search without
// inertia then takes the place of the one with inertia, if that fails, or if it alone ends without a warning.
EquilibriumReport settle(System& system, const std::vector<std::shared_ptr<ContactGroup>>& contacts, const std::vector<SettlingBody>& bodies,
                         const SolverSettings& solver, double first_step, State& state, const Interruption& interruption) {
  const auto at_start = system.remembered();
  State settled = state;
  std::optional<EquilibriumReport> report;
  std::optional<SolverError> failure;
  try {
    report = settle_with_inertia(system, contacts, bodies, solver, first_step, settled, interruption);
    if (report->warnings.empty()) {
      state = std::move(settled);
      return *report;
    }
  } catch (const SolverError& error) {
    failure = error;
  }
  const auto at_rest = system.remembered();
  system.recall(at_start);
  const int most_iterations = report ? std::max(kLeastIterations, report->newton_iterations) : kMostIterations;
  State balanced = state;
  std::optional<EquilibriumReport> near = settle_without_inertia(system, contacts, bodies, solver, most_iterations, balanced, interruption);
  if (near && (failure || near->warnings.empty())) {
    if (report) {
      near->steps += report->steps;
      near->newton_iterations += report->newton_iterations;
      near->linear_iterations += report->linear_iterations;
    }
    state = std::move(balanced);
    return *near;
  }
  if (failure) throw *failure;
  system.recall(at_rest);
  state = std::move(settled);
  return *report;
}

}  // namespace

std::vector<std::string> warnings_of_distances(const std::vector<SettlingBody>& bodies, const std::vector<Vec3>& centers,
                                               const std::vector<BodyMotion>& motions) {
  std::vector<std::string> warnings;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (const double distance = (motions[b].center - centers[b]).norm(); bodies[b].settles() && distance > kFar * motions[b].gyration_radius())
      warnings.push_back(
          fmt::format("body '{}' starts in its equilibrium, which is {:.3g} m from where the scene puts it; check whether it slid, tipped or fell, and place "
                      "it nearer to the intended equilibrium",
                      bodies[b].name, distance));
  return warnings;
}

EquilibriumReport find_equilibrium(System& system, const std::vector<std::shared_ptr<ContactGroup>>& contacts, const std::vector<SettlingBody>& bodies,
                                   SolverSettings solver, double first_step, State& state, Interruption interruption) {
  const Constraints constraints = system.constraints();
  solver.relative_tolerance = std::min(solver.relative_tolerance, kBalance / 4);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].settles()) continue;
    DrivenGroup group{bodies[b].name, {}, {}, {}};
    for (const int vertex : system.unknowns()[b]) {
      if (system.held().whole()[vertex]) continue;
      group.vertices.push_back(vertex);
      group.starts.push_back(state.q[vertex]);
    }
    system.drive(std::move(group));
  }
  try {
    const EquilibriumReport report = settle(system, contacts, bodies, solver, first_step, state, interruption);
    system.set_constraints(constraints);
    return report;
  } catch (...) {
    system.set_constraints(constraints);
    throw;
  }
}

}  // namespace traction
