#include "dynamics/time_stepper.h"

#include <algorithm>
#include <cmath>

#include "dynamics/generalized_alpha.h"
#include "dynamics/rigid_guess.h"
#include "parallel/collective.h"
#include "solver/modes.h"

namespace traction {

namespace {

// Where Newton may start, in order of preference. After an impact at high speed the last known velocity inverts elements or makes the Jacobian indefinite: then
// the body is better left where it is. In free flight that is far off, with spin the last velocity too, and waves go on as they began.
enum Guess { kLastVelocity, kStay, kRigidMotion, kLine };

// The velocity at `time` on the line through the last two known ones.
void extrapolate(std::span<const std::pair<double, const Field*>> known, double time, Field& velocity) {
  const auto& [last_time, last] = known.back();
  velocity.array() = last->array();
  if (known.size() < 2) return;
  const auto& [before_time, before] = known[known.size() - 2];
  velocity.array() += (time - last_time) / (last_time - before_time) * (last->array() - before->array());
}

void copy_owned(const Field& field, const Halo& halo, Vec vector) {
  PetscScalar* values = nullptr;
  PetscCallAbort(halo.communicator(), VecGetArray(vector, &values));
  std::copy_n(field.values().begin(), 3 * halo.owned(), values);
  PetscCallAbort(halo.communicator(), VecRestoreArray(vector, &values));
}

}  // namespace

TimeStepper::TimeStepper(System& system, std::vector<std::shared_ptr<Contact>> contacts, const SolverSettings& settings, const SchemeSettings& scheme)
    : system_(system), contacts_(std::move(contacts)), scheme_(scheme), equation_(system, settings.linear_operator), solver_(equation_, settings) {
  PetscCallAbort(system.communicator(), VecCreateMPI(system.communicator(), 3 * system.halo().owned(), PETSC_DETERMINE, &solution_));
  for (Vec& guess : guesses_) PetscCallAbort(system.communicator(), VecDuplicate(solution_, &guess));
}

TimeStepper::~TimeStepper() {
  for (Vec& guess : guesses_) VecDestroy(&guess);
  VecDestroy(&solution_);
}

double TimeStepper::step_error(const ErrorEstimate& estimate, double h, const Field& start, const Field& middle, const Field& end) const {
  std::vector<double> sums;  // of each body: m |e|^2, m
  for (const std::vector<int>& body : system_.bodies()) {
    double square = 0, mass = 0;
    for (int vertex : body) {
      const Vec3 change = (end[vertex] - middle[vertex]) / (1 - estimate.time) - (middle[vertex] - start[vertex]) / estimate.time;
      square += system_.mass()[vertex] * change.squaredNorm();
      mass += system_.mass()[vertex];
    }
    sums.insert(sums.end(), {square, mass});
  }
  sum_over_ranks(system_.communicator(), sums);
  double worst = 0;
  for (std::size_t b = 0; b < sums.size(); b += 2) worst = std::max(worst, std::sqrt(sums[b] / sums[b + 1]));
  return estimate.fraction * h * worst;
}

void TimeStepper::lag_friction(const State& state) {
  for (const auto& contact : contacts_) contact->lag_friction(state);
}

void TimeStepper::set_contact_weight(double weight) {
  for (const auto& contact : contacts_) contact->set_weight(weight);
}

// A guess that lies beyond a barrier, as seen from the last known positions, is moved back to before it. Where an obstacle has moved over these positions they
// tell nothing.
void TimeStepper::keep_guesses_admissible() {
  if (!system_.bounds_steps()) return;
  for (Vec guess : guesses_) equation_.impose_driven(guess);
  for (Vec guess : guesses_) {
    if (guess == guesses_[kStay]) continue;
    PetscCallAbort(system_.communicator(), VecAXPY(guess, -1, guesses_[kStay]));
    const double part = equation_.admissible_part(guesses_[kStay], guess).value_or(1);
    PetscCallAbort(system_.communicator(), VecAYPX(guess, part, guesses_[kStay]));
  }
}

StepReport TimeStepper::step(const Trajectory& trajectory, Integrator integrator, double h, State& next) {
  solver_.begin_step();
  int passes = 1;
  for (const auto& contact : contacts_) passes = std::max(passes, contact->friction_passes());
  StepReport total;
  for (int pass = 1; pass <= passes; ++pass) {
    State solved;
    const StepReport report = solve(trajectory, integrator, h, pass == 1 ? trajectory.current : next, solved);
    set_contact_weight(1);
    total.newton_iterations += report.newton_iterations;
    total.linear_iterations += report.linear_iterations;
    total.converged = report.converged;
    total.residual = report.residual;
    total.error = report.error;
    total.reactions = report.reactions;
    total.reason = report.reason;
    if (!report.converged) break;
    next = std::move(solved);
  }
  return total;
}

void TimeStepper::refresh_modes(Trajectory& trajectory, Integrator integrator) {
  if (!is_additive(integrator)) return;
  const bool due = scheme_.refresh_modes > 0 && trajectory.modes_age >= scheme_.refresh_modes;
  if (trajectory.modes && trajectory.modes_asked_for == scheme_.modes && !due) return;
  trajectory.modes = lowest_modes(system_, trajectory.current, scheme_.modes).basis;
  trajectory.modes_age = 0;
  trajectory.modes_asked_for = scheme_.modes;
}

StepReport TimeStepper::solve(const Trajectory& trajectory, Integrator integrator, double h, const State& lagged, State& next) {
  Step step{trajectory, lagged, integrator, h, {}, {}};
  if (trajectory.previous) step.velocities.emplace_back(-trajectory.previous_step, &trajectory.previous->v);
  step.velocities.emplace_back(0, &trajectory.current.v);
  for (const auto& contact : contacts_) contact->begin_step(trajectory.current);
  StepReport report = integrator == Integrator::ere                 ? take_exponential_step(step, next)
                      : integrator == Integrator::generalized_alpha ? take_generalized_alpha_step(step, next)
                                                                    : take_stages(step, next);
  if (!report.converged) return report;
  set_contact_weight(1);
  report.reactions = system_.reactions(next);
  // The trapezoidal rule alone would let them alternate about the motion's velocity for ever after a jump of it.
  system_.set_driven_velocities(next);
  return report;
}

StepReport TimeStepper::take_stages(Step& step, State& next) {
  const Trajectory& trajectory = step.trajectory;
  const Halo& halo = system_.halo();
  const double h = step.h;
  double ratio = trajectory.previous ? h / trajectory.previous_step : 0;
  if (std::abs(ratio - 1) < 1e-9) ratio = 1;  // equal steps, but for rounding of the time
  const std::vector<StageRow> table = stage_table(step.integrator, ratio);

  std::vector<const State*> known{trajectory.previous ? &*trajectory.previous : nullptr, &trajectory.current};
  std::vector<State> solved;
  solved.reserve(table.size());
  Field force(halo.local());
  for (const StageRow& row : table) {
    lag_friction(trajectory.current);
    set_contact_weight(step.integrator == Integrator::trapezoidal_split ? 0 : 1);  // of the scheme's explicit part
    Stage stage{row.a * h, trajectory.current.time + row.time * h, Field(halo.local()), Field(halo.local()), Field(halo.local())};
    for (std::size_t j = 0; j < row.alpha.size(); ++j) {
      if (row.alpha[j] != 0) {
        stage.q_hat.array() += row.alpha[j] * known[j]->q.array();
        stage.v_hat.array() += row.alpha[j] * known[j]->v.array();
      }
      if (row.beta[j] != 0) {
        stage.q_hat.array() += (row.beta[j] * h) * known[j]->v.array();
        system_.force(*known[j], force);
        stage.momentum.array() += (row.beta[j] * h) * force.array();
      }
    }
    solved.emplace_back();
    if (!solve_stage(step, std::move(stage), row, *known.back(), solved.back())) return step.report;
    known.push_back(&solved.back());
    step.velocities.emplace_back(row.time * h, &solved.back().v);
  }
  if (const auto estimate = error_estimate(step.integrator); estimate && solved.size() == 2)
    step.report.error = step_error(*estimate, h, trajectory.current.v, solved[0].v, solved[1].v);
  next = std::move(solved.back());
  step.report.converged = true;
  return step.report;
}

StepReport TimeStepper::take_generalized_alpha_step(Step& step, State& next) {
  const State& start = step.trajectory.current;
  lag_friction(start);
  const Field acceleration = start.acceleration ? *start.acceleration : acceleration_at(system_, start);
  const GeneralizedAlpha scheme(scheme_.spectral_radius, step.h);
  StageRow row;
  row.time = scheme.stage_time();
  State solution;
  step.report.converged = solve_stage(step, scheme.stage(system_, start, acceleration), row, start, solution);
  if (step.report.converged) next = scheme.end(system_, start, acceleration, solution);
  return step.report;
}

StepReport TimeStepper::take_exponential_step(Step& step, State& next) {
  lag_friction(step.lagged);
  if (!exponential_) exponential_.emplace(system_);
  const ExponentialEuler::Report report = exponential_->step(step.trajectory.current, step.h, scheme_.exponential_tolerance, next);
  step.report.linear_iterations = report.products;
  step.report.reason = report.reason;
  step.report.converged = report.converged && is_admissible(step.trajectory.current, next, step.report.reason);
  return step.report;
}

bool TimeStepper::solve_stage(Step& step, Stage stage, const StageRow& row, const State& last, State& solution) {
  lag_friction(step.lagged);
  set_contact_weight(step.integrator == Integrator::trapezoidal_split ? 1 / row.a : 1);  // all of contact's impulse h f, where the others have a h f
  if (scheme_.semi_implicit || is_semi_implicit(step.integrator)) {
    equation_.begin(std::move(stage));
    return solve_once(step, row, last, solution);
  }
  if (row.exponential > 0 && step.trajectory.modes->count() > 0) {  // at the last known state, before anything else is linearized
    const State base = with_mean_drive(last, stage.time);
    system_.prepare(base);
    system_.linearize(base);
    const ModalSplit split(system_, step.trajectory.modes, base);
    const StageExponential exponential = exponential_part(step, row, split, stage.step);
    const ModalBasis& basis = *step.trajectory.modes;
    stage.split = step.trajectory.modes;
    if (exponential.project_history) {
      const auto project = [&](Field& hat, const Field& known) {
        Field history(system_.halo().local());
        history.array() = hat.array() - known.array();
        basis.add_motion(-basis.coordinates(history), hat);
      };
      project(stage.q_hat, last.q);
      project(stage.v_hat, last.v);
    }
    basis.add_motion(exponential.increment.q, stage.q_hat);
    basis.add_motion(exponential.increment.v, stage.v_hat);
  }
  equation_.begin(std::move(stage));
  return solve_fully(step, last, row.time * step.h, solution);
}

// The state, but its driven vertices move at the constant velocity that takes them to where they are at `time`.
State TimeStepper::with_mean_drive(const State& state, double time) const {
  if (system_.driven().empty()) return state;
  State result = state, end = state;
  end.time = time;
  system_.set_driven_positions(end);
  for (int i = 0; i < system_.halo().local(); ++i)
    if (system_.is_driven()[i]) result.v[i] = (end.q[i] - state.q[i]) / (time - state.time);
  return result;
}

// tau phi_1(tau J_G) G; as published, with the stage's a h for the first tau.
StageExponential TimeStepper::exponential_part(const Step& step, const StageRow& row, const ModalSplit& split, double stage_step) const {
  const double tau = row.exponential * step.h;
  StageExponential exponential{&split, split.exponential(tau), !scheme_.published_history, tau};
  const double factor = scheme_.published_history ? stage_step : tau;
  exponential.increment.q *= factor;
  exponential.increment.v *= factor;
  return exponential;
}

bool TimeStepper::solve_fully(Step& step, const State& last, double time, State& solution) {
  const Halo& halo = system_.halo();
  const Stage& stage = equation_.stage();
  Field velocity(halo.local());
  copy_owned(last.v, halo, guesses_[kLastVelocity]);
  velocity.array() = (last.q.array() - stage.q_hat.array()) / stage.step;
  copy_owned(velocity, halo, guesses_[kStay]);
  move_rigidly(system_, step.trajectory.current, time, velocity);
  velocity.array() = (velocity.array() - stage.q_hat.array()) / stage.step;
  copy_owned(velocity, halo, guesses_[kRigidMotion]);
  extrapolate(step.velocities, time, velocity);
  copy_owned(velocity, halo, guesses_[kLine]);
  keep_guesses_admissible();
  const NewtonReport newton = solver_.solve(guesses_, solution_);
  step.report.newton_iterations += newton.newton_iterations;
  step.report.linear_iterations += newton.linear_iterations;
  step.report.residual = std::max(step.report.residual, newton.residual);
  step.report.reason = newton.reason;
  if (newton.converged) solution = equation_.state_of(solution_);
  return newton.converged;
}

bool TimeStepper::solve_once(Step& step, const StageRow& row, const State& last, State& solution) {
  const bool additive = row.exponential > 0 && step.trajectory.modes->count() > 0;
  State base = additive ? with_mean_drive(last, equation_.stage().time) : last;
  base.time = equation_.stage().time;
  Field force(system_.halo().local());
  system_.force(base, force);
  equation_.linearize(base);
  std::optional<ModalSplit> split;
  StageExponential exponential;
  if (additive) {
    split.emplace(system_, step.trajectory.modes, base);
    exponential = exponential_part(step, row, *split, equation_.stage().step);
  }
  const NewtonReport newton = solve_linearized(equation_, solver_, base, std::move(force), exponential, solution);
  step.report.newton_iterations += newton.newton_iterations;
  step.report.linear_iterations += newton.linear_iterations;
  step.report.reason = newton.reason;
  return newton.converged && is_admissible(base, solution, step.report.reason);
}

// What no line search has looked at: a step that leads through a barrier, or to where a force is undefined, fails.
bool TimeStepper::is_admissible(const State& start, const State& end, std::string& reason) {
  if (system_.bounds_steps()) {
    Field displacement(system_.halo().local());
    displacement.array() = end.q.array() - start.q.array();
    State moved = start;
    moved.time = end.time;
    if (system_.admissible_part(moved, displacement).value_or(0) < 1) {
      reason = "the step leads through a barrier";
      return false;
    }
  }
  Field force(system_.halo().local());
  system_.force(end, force);
  const double norm = sum_over_ranks(system_.communicator(), force.array().head(3 * system_.halo().owned()).squaredNorm());
  if (!std::isfinite(norm)) reason = "the step ends where a force is undefined (an element is inverted, or a barrier crossed)";
  return std::isfinite(norm);
}

}  // namespace traction
