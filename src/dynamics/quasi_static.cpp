#include "dynamics/quasi_static.h"

namespace traction {

namespace {

// Of the mass, which resists motion from one equilibrium to the next: what nothing holds would have no equilibrium, or many.
constexpr double kInertiaLeft = 1e-6;

}  // namespace

void QuasiStatic::take(Step& step, State& next) {
  const int local = solver_.system().halo().local();
  solver_.lag_friction(step.lagged_at(0));
  Stage stage{step.h, step.start.time + step.h, step.start.q, Field(local), Field(local), 1 / kInertiaLeft};
  step.report.converged = solver_.solve_fully(step, std::move(stage), step.h, step.start, next);
  step.stages = {next};
}

}  // namespace traction
