#include "dynamics/time_stepper.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "dynamics/additive_stages.h"
#include "dynamics/exponential_euler.h"
#include "dynamics/generalized_alpha.h"
#include "dynamics/sudden_starts.h"
#include "errors.h"

namespace traction {

namespace {

// Whether a motor prescribes the motion of a joint. Its stages pull it to and fro, and the forces at the ends of a step are not those of the step as a whole.
bool has_motors(const System& system) {
  const auto is_motor = [](const auto& force) { return force->energy_name() == "joint" && force->work_name() == "loads"; };
  return std::any_of(system.forces().begin(), system.forces().end(), is_motor);
}

}  // namespace

TimeStepper::TimeStepper(System& system, std::vector<std::shared_ptr<ContactGroup>> contacts, const SolverSettings& settings, const SchemeSettings& scheme)
    : solver_(system, std::move(contacts), settings),
      semi_implicit_(scheme.semi_implicit),
      schemes_{std::make_unique<ImplicitStages>(solver_), std::make_unique<AdditiveStages>(solver_, scheme),
               std::make_unique<GeneralizedAlpha>(solver_, scheme.spectral_radius), std::make_unique<ExponentialEuler>(solver_, scheme.exponential_tolerance)} {
  if (!scheme.inertia) quasi_static_ = std::make_unique<QuasiStatic>(solver_);
}

StepReport TimeStepper::step(const State& start, Integrator integrator, double h, State& next, bool settles) {
  solver_.begin_step();
  int passes = 1;
  for (const auto& contact : solver_.contacts()) passes = std::max(passes, contact->friction_passes());
  StepReport total;
  std::vector<State> lagged;
  for (int pass = 1; pass <= passes; ++pass) {
    Step step{start, previous_, lagged, traits(integrator), semi_implicit_ || traits(integrator).semi_implicit, h};
    step.settles = settles;
    if (previous_) step.velocities.emplace_back(-previous_->length, &previous_->state.v);
    step.velocities.emplace_back(0, &start.v);
    for (const auto& contact : solver_.contacts()) contact->begin_step(start);
    State solved;
    try {
      scheme(integrator).take(step, solved);
    } catch (...) {
      solver_.set_contact_weight(1);
      throw;
    }
    solver_.set_contact_weight(1);
    step.report.newton_iterations += total.newton_iterations;
    step.report.linear_iterations += total.linear_iterations;
    step.report.eliminations += total.eliminations;
    total = step.report;
    if (!total.converged) break;
    if (total.settled) passes = pass;  // another pass would begin at the start again
    total.reactions = solver_.system().reactions(solved);
    if (pass == passes) {
      try {
        const bool forces_jump = steps_since_jump_ < kStepsOfAJump || has_motors(solver_.system());
        total.contact = trace_contacts(solver_.system(), solver_.contacts(), start, step.stages, step.weights, forces_jump);
      } catch (const SolverError& error) {  // contact is undefined at a stage, on all ranks; it may be defined in a shorter step
        total.converged = false;
        total.reason = error.what();
        break;
      }
    }
    // With the trapezoidal rule alone, driven velocities would alternate about the motion's velocity for ever after a jump. Those of steps without inertia are
    // means.
    if (!quasi_static_) solver_.system().set_driven_velocities(solved);
    next = std::move(solved);
    lagged = std::move(step.stages);
  }
  return total;
}

void TimeStepper::rehearse(const State& start, Integrator integrator, double h) {
  scheme(integrator).prepare(start);
  solver_.rehearse(start, h);
}

void TimeStepper::accept(State start, Integrator integrator, double h) {
  for (const auto& family : schemes_) family->accept(family.get() == &scheme(integrator));
  previous_ = {std::move(start), h};
  ++steps_since_jump_;
}

void TimeStepper::restart() {
  for (const auto& family : schemes_) family->accept(false);
  previous_.reset();
  solver_.outdate_preconditioner();
  steps_since_jump_ = 0;
}

void TimeStepper::save(Archive& archive) const {
  if (previous_) {
    archive.save("previous_positions", previous_->state.q.values());
    archive.save("previous_velocities", previous_->state.v.values());
    archive.numbers["previous_time"] = previous_->state.time;
    archive.numbers["previous_step"] = previous_->length;
  }
  archive.numbers["steps_since_jump"] = static_cast<double>(steps_since_jump_);
  for (const auto& family : schemes_) family->save(archive);
}

void TimeStepper::load(const Archive& archive) {
  previous_.reset();
  if (archive.numbers.contains("previous_step")) {
    previous_ = {State(solver_.system().halo().local()), archive.number("previous_step")};
    previous_->state.time = archive.number("previous_time");
    archive.load("previous_positions", previous_->state.q.values());
    archive.load("previous_velocities", previous_->state.v.values());
  }
  steps_since_jump_ = archive.numbers.contains("steps_since_jump") ? std::lround(archive.number("steps_since_jump")) : kStepsOfAJump;
  for (const auto& family : schemes_) family->load(archive);
}

int TimeStepper::saved_fields(std::span<const Integrator> integrators) const {
  std::set<const Scheme*> used;
  for (const Integrator integrator : integrators) used.insert(&scheme(integrator));
  int fields = 2;
  for (const Scheme* family : used) fields += family->saved_fields();
  return fields;
}

}  // namespace traction
