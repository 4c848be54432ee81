#include "dynamics/time_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "errors.h"
#include "parallel/collective.h"

namespace traction {

namespace {

constexpr int kMaximumStiffenings = 40;  // per step; each multiplies kappa by more than 4
constexpr int kStepsBeforeGrowth = 4;    // good steps before a halved step is doubled again
constexpr double kErrorOrder = 8;        // what halving a step of a second-order scheme divides its error by
constexpr double kGrowthMargin = 2;      // between the error foreseen for a doubled step and the tolerance
constexpr double kTimeRounding = 1e-9;   // of a step
constexpr double kCountRounding = 1e-4;  // of a step, of many that were added up: no step is put in for less

}  // namespace

ScheduledStep scheduled_step(const TimeSettings& settings, double time, int halvings) {
  const StepPiece* current = &settings.steps.front();
  double piece_end = settings.end;
  for (const StepPiece& piece : settings.steps) {
    if (piece.from <= time + kTimeRounding * piece.step) current = &piece;
    else {
      piece_end = std::min(piece_end, piece.from);
      break;
    }
  }
  const double step = std::ldexp(current->step, -halvings), remaining = piece_end - time;
  return {remaining / std::max(1.0, std::ceil(remaining / step - kCountRounding)), current->integrator.value_or(settings.integrator)};
}

TimeLoop::TimeLoop(System& system, std::vector<std::shared_ptr<Contact>> contacts, const TimeSettings& time, const SolverSettings& solver, State initial)
    : communicator_(system.communicator()), contacts_(std::move(contacts)), time_(time), stepper_(system, contacts_, solver, time) {
  trajectory_.current = std::move(initial);
}

bool TimeLoop::done() const { return trajectory_.current.time >= time_.end * (1 - 1e-12); }

bool TimeLoop::stiffen(const std::vector<ContactSummary>& summaries, double& energy) {
  bool stiffened = false;
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    if (summaries[i].minimum_gap < 0) {
      const double factor = stiffening_factor(summaries[i].minimum_gap, contacts_[i]->thickness());
      contacts_[i]->prepare(trajectory_.current);
      energy += (factor - 1) * sum_over_ranks(communicator_, contacts_[i]->energy(trajectory_.current));
      contacts_[i]->set_stiffness(contacts_[i]->stiffness() * factor);
      stiffened = true;
    }
  return stiffened;
}

void TimeLoop::relax(const std::vector<ContactSummary>& summaries) {
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    if (summaries[i].active == 0) contacts_[i]->set_stiffness(contacts_[i]->base_stiffness());
}

int TimeLoop::halvings_for(double error) const {
  if (!time_.error_tolerance || error <= *time_.error_tolerance) return 0;
  const double needed = std::ceil(std::log(error / *time_.error_tolerance) / std::log(kErrorOrder));
  return static_cast<int>(std::min<double>(needed, time_.maximum_halvings - halvings_));
}

StepRecord TimeLoop::advance() {
  StepRecord record;
  record.step = steps_ + 1;
  std::vector<double> stiffness;  // at the start: a step that is tried again with half its length starts from there
  for (const auto& contact : contacts_) stiffness.push_back(contact->stiffness());
  int stiffenings = 0;
  State next;
  for (;;) {
    const double start = trajectory_.current.time;
    const ScheduledStep scheduled = scheduled_step(time_, start, halvings_);
    record.dt = scheduled.length;
    stepper_.refresh_modes(trajectory_, scheduled.integrator);
    const StepReport attempt = stepper_.step(trajectory_, scheduled.integrator, record.dt, next);
    record.solver.newton_iterations += attempt.newton_iterations;
    record.solver.linear_iterations += attempt.linear_iterations;
    record.solver.residual = attempt.residual;
    record.solver.reactions = attempt.reactions;
    int halvings = 1;
    if (attempt.converged) {
      record.contacts.clear();
      for (const auto& contact : contacts_) record.contacts.push_back(contact->summarize(next));
      record.error = attempt.error;
      halvings = halvings_for(attempt.error);
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
  next.time = record.time = trajectory_.current.time + record.dt;
  // Land on the schedule exactly, so that rounding does not pile up over days.
  for (const StepPiece& piece : time_.steps)
    if (std::abs(record.time - piece.from) < kTimeRounding * record.dt) next.time = record.time = piece.from;
  if (std::abs(record.time - time_.end) < kTimeRounding * record.dt) next.time = record.time = time_.end;
  trajectory_.previous = std::move(trajectory_.current);
  trajectory_.previous_step = record.dt;
  trajectory_.current = std::move(next);
  ++trajectory_.modes_age;
  ++steps_;
  const bool may_grow = !time_.error_tolerance || kGrowthMargin * kErrorOrder * record.error <= *time_.error_tolerance;
  if (!may_grow) good_steps_ = 0;
  if (halvings_ > 0 && may_grow && ++good_steps_ >= kStepsBeforeGrowth) {
    --halvings_;
    good_steps_ = 0;
  }
  return record;
}

void TimeLoop::restore(Trajectory trajectory, long steps, int halvings, int good_steps) {
  trajectory_ = std::move(trajectory);
  steps_ = steps;
  halvings_ = std::min(halvings, time_.maximum_halvings);
  good_steps_ = good_steps;
}

}  // namespace traction
