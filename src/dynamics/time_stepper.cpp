#include "dynamics/time_stepper.h"

#include <algorithm>
#include <cmath>

#include "dynamics/rigid_guess.h"

namespace traction {

namespace {

void copy_owned(const Field& field, const Halo& halo, Vec vector) {
  PetscScalar* values = nullptr;
  PetscCallAbort(halo.communicator(), VecGetArray(vector, &values));
  std::copy_n(field.values().begin(), 3 * halo.owned(), values);
  PetscCallAbort(halo.communicator(), VecRestoreArray(vector, &values));
}

}  // namespace

TimeStepper::TimeStepper(System& system, std::vector<std::shared_ptr<Contact>> contacts, const SolverSettings& settings)
    : system_(system), contacts_(std::move(contacts)), equation_(system), solver_(equation_, settings) {
  PetscCallAbort(system.communicator(), VecCreateMPI(system.communicator(), 3 * system.halo().owned(), PETSC_DETERMINE, &solution_));
  for (Vec& guess : guesses_) PetscCallAbort(system.communicator(), VecDuplicate(solution_, &guess));
}

TimeStepper::~TimeStepper() {
  for (Vec& guess : guesses_) VecDestroy(&guess);
  VecDestroy(&solution_);
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
  for (Vec guess : {guesses_[0], guesses_[2]}) {
    PetscCallAbort(system_.communicator(), VecAXPY(guess, -1, guesses_[1]));
    const double part = equation_.admissible_part(guesses_[1], guess).value_or(1);
    PetscCallAbort(system_.communicator(), VecAYPX(guess, part, guesses_[1]));
  }
}

StepReport TimeStepper::step(const Trajectory& trajectory, Integrator integrator, double h, State& next) {
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
  std::vector<State> solved;
  solved.reserve(table.size());
  StepReport report;
  Field force(halo.local());
  const bool split = integrator == Integrator::trapezoidal_split;
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
    // Start from the last known velocity, from the one that leaves the last known positions as they are, or from that of rigid motion: after an impact at high speed
    // the first inverts elements or makes the Jacobian indefinite, in free flight the second is far off, with spin the first too. The solver takes the one with
    // the smallest residual.
    const State& last = *known.back();
    copy_owned(last.v, halo, guesses_[0]);
    force.array() = (last.q.array() - stage.q_hat.array()) / stage.step;
    copy_owned(force, halo, guesses_[1]);
    move_rigidly(system_, trajectory.current, row.time * h, force);
    force.array() = (force.array() - stage.q_hat.array()) / stage.step;
    copy_owned(force, halo, guesses_[2]);
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
  }
  next = std::move(solved.back());
  // The trapezoidal rule alone would let them alternate about the motion's velocity for ever after a jump of it.
  system_.set_driven_velocities(next);
  report.converged = true;
  return report;
}

}  // namespace traction
