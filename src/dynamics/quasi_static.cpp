#include "dynamics/quasi_static.h"

#include <fmt/format.h>

#include "errors.h"
#include "system/body_motion.h"

namespace traction {

namespace {

// The part of the mass that resists motion from one equilibrium to the next. Without it, bodies that nothing holds would have no equilibrium, or many.
constexpr double kInertiaLeft = 1e-6;
// A body has no equilibrium if that inertia carries more than this part of its weight,
constexpr double kUnbalanced = 0.1;
// or if the body is held nowhere and moves further than this many gyration radii in a step.
constexpr double kFarthestTravel = 5;

}  // namespace

void QuasiStatic::take(Step& step, State& next) {
  const int local = solver_.system().halo().local();
  solver_.lag_friction(step.lagged_at(0));
  Stage stage{step.h, step.start.time + step.h, step.start.q, Field(local), Field(local), 1 / kInertiaLeft};
  step.report.converged = solver_.solve_fully(step, std::move(stage), step.h, step.start, next);
  if (step.report.converged) require_support(step.start, next, step.h);
  step.stages = {next};
}

void QuasiStatic::require_support(const State& start, const State& end, double h) {
  const System& system = solver_.system();
  const std::vector<BodyMotion> motions = body_motions(system, start.q, end.v);
  for (std::size_t b = 0; b < motions.size(); ++b) {
    const double speed = motions[b].velocity.norm();
    const bool falls = system.reference_acceleration() > 0 && kInertiaLeft * speed / h > kUnbalanced * system.reference_acceleration();
    const bool flies = !motions[b].held && speed * h > kFarthestTravel * motions[b].gyration_radius();
    if (!falls && !flies) continue;
    throw SolverError(fmt::format(
        "body '{}' has no equilibrium: nothing holds it against the forces on it, and without inertia it moves {:.3g} m in this step; hold a region of it, let "
        "something carry it, or run it with inertia",
        system.body_names()[b], speed * h));
  }
}

}  // namespace traction
