#include "dynamics/implicit_driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "errors.h"
#include "parallel/collective.h"

namespace traction {

namespace {

constexpr int kMaximumStiffenings = 40;  // per step; each multiplies kappa by more than 4
constexpr int kStepsBeforeGrowth = 4;    // good steps before a halved step is doubled again
constexpr double kGrowthMargin = 2;      // between the error foreseen for a doubled step and the tolerance
constexpr double kTimeRounding = 1e-9;   // of a step
constexpr double kCountRounding = 1e-4;  // of a step, of many that were added up: no step is put in for less

// What halving a step divides the error of its positions by.
double gain_of_halving(Integrator integrator) { return std::exp2(traits(integrator).order + 1); }

}  // namespace

ScheduledStep scheduled_step(const TimeSettings& settings, double time, int halvings) {
  const StepSettings* current = &settings.steps.front();
  double piece_end = settings.end;
  for (const StepSettings& piece : settings.steps) {
    if (piece.from <= time + kTimeRounding * piece.step) current = &piece;
    else {
      piece_end = std::min(piece_end, piece.from);
      break;
    }
  }
  const double step = std::ldexp(current->step, -halvings), remaining = piece_end - time;
  return {remaining / std::max(1.0, std::ceil(remaining / step - kCountRounding)), current->integrator.value_or(settings.integrator)};
}

ImplicitDriver::ImplicitDriver(System& system, std::vector<std::shared_ptr<ContactGroup>> contacts, const TimeSettings& time, const SolverSettings& solver,
                               State initial)
    : communicator_(system.communicator()),
      contacts_(std::move(contacts)),
      time_(time),
      stepper_(system, contacts_, solver, time),
      state_(std::move(initial)) {}

bool ImplicitDriver::done() const { return state_.time >= time_.end * (1 - 1e-12); }

bool ImplicitDriver::stiffen(const std::vector<ContactSummary>& summaries, double& energy) {
  bool stiffened = false;
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    if (summaries[i].minimum_gap < 0) {
      const double factor = stiffening_factor(summaries[i].minimum_gap, contacts_[i]->thickness());
      energy += (factor - 1) * contacts_[i]->total_energy(communicator_, state_);
      contacts_[i]->set_stiffness(contacts_[i]->stiffness() * factor);
      stiffened = true;
    }
  return stiffened;
}

void ImplicitDriver::relax(const std::vector<ContactSummary>& summaries) {
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    if (summaries[i].active == 0) contacts_[i]->set_stiffness(contacts_[i]->base_stiffness());
}

int ImplicitDriver::halvings_for(double error, Integrator integrator) const {
  if (!time_.error_tolerance || error <= *time_.error_tolerance) return 0;
  const double needed = std::ceil(std::log(error / *time_.error_tolerance) / std::log(gain_of_halving(integrator)));
  return static_cast<int>(std::min<double>(needed, time_.maximum_halvings - halvings_));
}

StepRecord ImplicitDriver::advance() {
  StepRecord record;
  record.step = steps() + 1;
  std::vector<double> stiffness;  // at the start: a step that is tried again with half its length starts from there
  for (const auto& contact : contacts_) stiffness.push_back(contact->stiffness());
  int stiffenings = 0;
  State next;
  Integrator integrator{};
  for (;;) {
    const double start = state_.time;
    const ScheduledStep scheduled = scheduled_step(time_, start, halvings_);
    record.dt = scheduled.length;
    integrator = scheduled.integrator;
    const StepReport attempt = stepper_.step(state_, integrator, record.dt, next);
    record.solver.newton_iterations += attempt.newton_iterations;
    record.solver.linear_iterations += attempt.linear_iterations;
    record.solver.residual = attempt.residual;
    record.solver.reactions = attempt.reactions;
    int halvings = 1;
    if (attempt.converged) {
      record.contacts.clear();
      for (const auto& contact : contacts_) record.contacts.push_back(contact->summarize(next));
      record.error = attempt.error;
      halvings = halvings_for(attempt.error, integrator);
      if (halvings == 0) {
        if (!stiffen(record.contacts, record.stiffening_energy)) break;
        halvings = 1;
        if (++stiffenings < kMaximumStiffenings) {
          ++record.repeats;
          continue;
        }
      }
    }
    for (std::size_t i = 0; i < contacts_.size(); ++i) contacts_[i]->set_stiffness(stiffness[i]);
    record.stiffening_energy = 0;
    const bool stands_still = start + std::ldexp(record.dt, -halvings) <= start;
    if (halvings_ >= time_.maximum_halvings || stands_still)
      throw SolverError(fmt::format("step {} at t = {:.9g} s failed with dt = {:.3g} s, halved {} times: {}", record.step, start, record.dt, halvings_,
                                    !attempt.converged                   ? attempt.reason
                                    : stiffenings == kMaximumStiffenings ? "contact stiffening did not end"
                                                                         : "its error needs steps so short that time stands still"));
    halvings_ += halvings;
    ++record.repeats;
    good_steps_ = 0;
    stiffenings = 0;
  }
  relax(record.contacts);
  next.time = record.time = state_.time + record.dt;
  // Land on the schedule exactly, so that rounding does not pile up over days.
  for (const StepSettings& piece : time_.steps)
    if (std::abs(record.time - piece.from) < kTimeRounding * record.dt) next.time = record.time = piece.from;
  if (std::abs(record.time - time_.end) < kTimeRounding * record.dt) next.time = record.time = time_.end;
  stepper_.accept(std::move(state_), integrator, record.dt);
  state_ = std::move(next);
  const bool may_grow = !time_.error_tolerance || kGrowthMargin * gain_of_halving(integrator) * record.error <= *time_.error_tolerance;
  if (!may_grow) good_steps_ = 0;
  if (halvings_ > 0 && may_grow && ++good_steps_ >= kStepsBeforeGrowth) {
    --halvings_;
    good_steps_ = 0;
  }
  return last_ = record;
}

std::vector<std::pair<std::string, double>> ImplicitDriver::history() const {
  return {{"stiffening_energy", last_.stiffening_energy}, {"repeats", last_.repeats}, {"error", last_.error}};
}

std::vector<std::pair<std::string, long>> ImplicitDriver::counts() const { return {{"preconditioner_builds", stepper_.solver().preconditioner().builds()}}; }

void ImplicitDriver::save(Archive& archive) const {
  archive.save("positions", state_.q.values());
  archive.save("velocities", state_.v.values());
  archive.numbers.insert({{"time", state_.time},
                          {"step", static_cast<double>(last_.step)},
                          {"halvings", static_cast<double>(halvings_)},
                          {"good steps", static_cast<double>(good_steps_)}});
  stepper_.save(archive);
}

void ImplicitDriver::load(const Archive& archive) {
  archive.load("positions", state_.q.values());
  archive.load("velocities", state_.v.values());
  state_.time = archive.number("time");
  last_ = {};
  last_.step = static_cast<long>(archive.number("step"));
  halvings_ = std::min(static_cast<int>(archive.number("halvings")), time_.maximum_halvings);
  good_steps_ = static_cast<int>(archive.number("good steps"));
  stepper_.load(archive);
}

int ImplicitDriver::saved_fields() const {
  std::vector<Integrator> integrators;
  for (const StepSettings& piece : time_.steps) integrators.push_back(piece.integrator.value_or(time_.integrator));
  return 2 + stepper_.saved_fields(integrators);
}

}  // namespace traction
