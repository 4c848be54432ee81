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
  const auto remembered = system.remembered();
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
  // In pseudo-time stiff bodies that lean on each other, or must tip, may slide away or come to no rest, although an equilibrium is near.
  const auto find = [&] {
    State settled = state, balanced = state;
    std::optional<EquilibriumReport> report;
    std::optional<SolverError> failure;
    try {
      report = settle(system, contacts, bodies, solver, first_step, settled, interruption);
    } catch (const SolverError& error) {
      failure = error;
    }
    if (!report || !report->warnings.empty()) {
      const auto remembered_there = system.remembered();
      system.recall(remembered);
      const int most_iterations = report ? std::max(kLeastIterations, report->newton_iterations) : kMostIterations;
      std::optional<EquilibriumReport> near = balance(system, contacts, bodies, solver, most_iterations, balanced, interruption);
      if (near && (!report || near->warnings.empty())) {
        if (report) {
          near->steps += report->steps;
          near->newton_iterations += report->newton_iterations;
          near->linear_iterations += report->linear_iterations;
        }
        state = std::move(balanced);
        return *near;
      }
      system.recall(remembered_there);
    }
    if (failure) throw *failure;
    state = std::move(settled);
    return *report;
  };
  try {
    const EquilibriumReport report = find();
    system.set_constraints(constraints);
    return report;
  } catch (...) {
    system.set_constraints(constraints);
    throw;
  }
}

}  // namespace traction
