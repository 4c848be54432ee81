#include "dynamics/time_stepper.h"

#include <algorithm>
#include <cmath>

#include "dynamics/rigid_guess.h"
#include "parallel/collective.h"

namespace traction {

namespace {

// Where Newton may start, in order of preference. After an impact at high speed the last known velocity inverts elements or makes the Jacobian indefinite: then the body is
// better left where it is. In free flight that is far off, with spin the last velocity too, and waves go on as they began.
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

TimeStepper::TimeStepper(System& system, std::vector<std::shared_ptr<Contact>> contacts, const SolverSettings& settings)
    : system_(system), contacts_(std::move(contacts)), equation_(system, settings.linear_operator), solver_(equation_, settings) {
  PetscCallAbort(system.communicator(), VecCreateMPI(system.communicator(), 3 * system.halo().owned(), PETSC_DETERMINE, &solution_));
  for (Vec& guess : guesses_) PetscCallAbort(system.communicator(), VecDuplicate(solution_, &guess));
}

TimeStepper::~TimeStepper() {
  for (Vec& guess : guesses_) VecDestroy(&guess);
  VecDestroy(&solution_);
}

double TimeStepper::step_error(const ErrorEstimate& estimate, double h, const Field& start, const Field& middle, const Field& end) const {
  std::vector<double> sums;   // of each body: m |e|^2, m
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

// A guess that lies beyond a barrier, as seen from the last known positions, is moved back to before it. Where an obstacle has moved over these positions they tell nothing.
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
    total.reason = report.reason;
    if (!report.converged) break;
    next = std::move(solved);
  }
  return total;
}

StepReport TimeStepper::solve(const Trajectory& trajectory, Integrator integrator, double h, const State& lagged, State& next) {
  const Halo& halo = system_.halo();
  double ratio = trajectory.previous ? h / trajectory.previous_step : 0;
  if (std::abs(ratio - 1) < 1e-9) ratio = 1;   // equal steps, but for rounding of the time
  const std::vector<StageRow> table = stage_table(integrator, ratio);

  std::vector<const State*> known{trajectory.previous ? &*trajectory.previous : nullptr, &trajectory.current};
  std::vector<std::pair<double, const Field*>> velocities;   // known ones, at times from the step's start
  if (trajectory.previous) velocities.emplace_back(-trajectory.previous_step, &trajectory.previous->v);
  velocities.emplace_back(0, &trajectory.current.v);
  std::vector<State> solved;
  solved.reserve(table.size());
  StepReport report;
  Field force(halo.local());
  const bool split = integrator == Integrator::trapezoidal_split;
  for (const auto& contact : contacts_) contact->begin_step(trajectory.current);
  for (const StageRow& row : table) {
    lag_friction(trajectory.current);
    set_contact_weight(split ? 0 : 1);   // of the scheme's explicit part
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
    const State& last = *known.back();
    copy_owned(last.v, halo, guesses_[kLastVelocity]);
    force.array() = (last.q.array() - stage.q_hat.array()) / stage.step;
    copy_owned(force, halo, guesses_[kStay]);
    move_rigidly(system_, trajectory.current, row.time * h, force);
    force.array() = (force.array() - stage.q_hat.array()) / stage.step;
    copy_owned(force, halo, guesses_[kRigidMotion]);
    extrapolate(velocities, row.time * h, force);
    copy_owned(force, halo, guesses_[kLine]);
    lag_friction(lagged);
    set_contact_weight(split ? 1 / row.a : 1);   // all of contact's impulse h f, where the others have a h f
    equation_.begin(std::move(stage));
    keep_guesses_admissible();
    const NewtonReport newton = solver_.solve(guesses_, solution_);
    report.newton_iterations += newton.newton_iterations;
    report.linear_iterations += newton.linear_iterations;
    report.residual = std::max(report.residual, newton.residual);
    if (!newton.converged) {
      report.reason = newton.reason;
      return report;
    }
    solved.push_back(equation_.state_of(solution_));
    known.push_back(&solved.back());
    velocities.emplace_back(row.time * h, &solved.back().v);
  }
  if (const auto estimate = error_estimate(integrator); estimate && solved.size() == 2)
    report.error = step_error(*estimate, h, trajectory.current.v, solved[0].v, solved[1].v);
  next = std::move(solved.back());
  // The trapezoidal rule alone would let them alternate about the motion's velocity for ever after a jump of it.
  system_.set_driven_velocities(next);
  report.converged = true;
  return report;
}

}  // namespace traction
