#include "dynamics/implicit_stages.h"

#include <algorithm>
#include <cmath>

#include "parallel/collective.h"

namespace traction {

double ImplicitStages::error(const Step& step, const State& middle, const State& end) const {
  const System& system = solver_.system();
  const ErrorEstimate& estimate = step.integrator.error_estimate;
  std::vector<double> sums;  // for each body: m |e|^2, m
  for (const std::vector<int>& body : system.unknowns()) {
    double square = 0, mass = 0;
    for (int vertex : body) {
      const Vec3 change = (end.v[vertex] - middle.v[vertex]) / (1 - estimate.time) - (middle.v[vertex] - step.start.v[vertex]) / estimate.time;
      square += system.mass()[vertex] * change.squaredNorm();
      mass += system.mass()[vertex];
    }
    sums.insert(sums.end(), {square, mass});
  }
  sum_over_ranks(system.communicator(), sums);
  double worst = 0;
  for (std::size_t b = 0; b < sums.size(); b += 2) worst = std::max(worst, std::sqrt(sums[b] / sums[b + 1]));
  return estimate.fraction * step.h * worst;
}

void ImplicitStages::take(Step& step, State& next) {
  const System& system = solver_.system();
  const int local = system.halo().local();
  double ratio = step.previous ? step.h / step.previous->length : 0;
  if (std::abs(ratio - 1) < 1e-9) ratio = 1;  // steps are equal except for rounding of the time
  const std::vector<StageRow> table = stage_table(step.integrator, ratio);

  std::vector<const State*> known{step.previous ? &step.previous->state : nullptr, &step.start};
  std::vector<State>& solved = step.stages;
  solved.reserve(table.size());
  Field force(local);
  for (const StageRow& row : table) {
    solver_.set_contact_weight(step.integrator.contact_implicit ? 0 : 1);  // the explicit term does not contain contact
    Stage stage{row.a * step.h, step.start.time + row.time * step.h, Field(local), Field(local), Field(local)};
    for (std::size_t j = 0; j < known.size(); ++j) {
      if (row.alpha[j] != 0) {
        stage.q_hat.array() += row.alpha[j] * known[j]->q.array();
        stage.v_hat.array() += row.alpha[j] * known[j]->v.array();
      }
      if (row.beta[j] != 0) {
        stage.q_hat.array() += (row.beta[j] * step.h) * known[j]->v.array();
        // Restores the stage's contact forces: known states are the start of the previous step, the start of this step, and its stages.
        solver_.lag_friction(j <= 1 ? *known[j] : step.lagged_at(j - 2));
        system.force(*known[j], force);
        stage.momentum.array() += (row.beta[j] * step.h) * force.array();
      }
    }
    solver_.set_contact_weight(step.integrator.contact_implicit ? 1 / row.a : 1);  // contact takes the whole impulse h f, where other forces take a h f
    solver_.lag_friction(step.lagged_at(solved.size()));                           // by forces with this weight
    step.report.converged = solve_stage(step, std::move(stage), row, *known.back(), solved.emplace_back());
    if (!step.report.converged) return;
    known.push_back(&solved.back());
    step.velocities.emplace_back(row.time * step.h, &solved.back().v);
  }
  if (step.integrator.estimates_error()) step.report.error = error(step, solved[0], solved[1]);
  if (step.integrator.order > 1 && !step.integrator.contact_implicit && !step.semi_implicit) step.weights = force_weights(table);
  next = solved.back();
}

}  // namespace traction
