#include "dynamics/implicit_driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "dynamics/scheduled_step.h"
#include "errors.h"
#include "system/held_spins.h"

namespace traction {

namespace {

constexpr int kStepsBeforeGrowth = 4;  // good steps before a halved step is doubled again
constexpr double kGrowthMargin = 2;    // ratio of the tolerance to the predicted error of a doubled step
constexpr double kSlowly = 1e-2;       // accelerations that do not count, in parts of that by weight
constexpr double kSpeedErrors = 10;    // the solver's tolerances of speed in a step that do not count as an acceleration

bool is_finite(const EnergyBalance::Step& account) {
  double sum = account.end.kinetic + account.numerical;
  for (const double energy : account.end.stored) sum += energy;
  for (const double work : account.done) sum += work;
  return std::isfinite(sum);
}

}  // namespace

double ImplicitDriver::gain_of_halving(Integrator integrator) { return std::exp2(traits(integrator).order + 1); }

std::vector<std::string> ImplicitDriver::contact_names() const {
  std::vector<std::string> names;
  for (const auto& contact : contacts_) names.push_back(contact->name());
  return names;
}

ImplicitDriver::ImplicitDriver(System& system, std::vector<std::shared_ptr<ContactGroup>> contacts, const TimeSettings& time, const SolverSettings& solver,
                               State initial, std::vector<double> corners, double stored_rounding)
    : system_(system),
      contacts_(std::move(contacts)),
      stiffening_(system, contacts_),
      balance_(system, contact_names()),
      moved_(system, contacts_),
      gains_(contacts_.size()),
      time_(time),
      tolerance_(solver.tolerance),
      relative_tolerance_(solver.relative_tolerance),
      stored_rounding_(stored_rounding),
      stepper_(system, contacts_, solver, time),
      ends_(std::move(corners)),
      state_(std::move(initial)) {
  for (const DrivenGroup& group : system_.driven())
    if (std::isfinite(group.until)) ends_.push_back(group.until);
}

bool ImplicitDriver::done() const { return state_.time >= time_.end * (1 - 1e-12); }

void ImplicitDriver::begin() {
  if (balance_.has_begun()) return;
  std::vector<ContactSummary> summaries;
  for (const auto& contact : contacts_) {
    contact->begin_step(state_);
    summaries.push_back(contact->summarize(state_));
  }
  balance_.begin(state_, summaries);
  if (at_start_.empty()) at_start_ = std::move(summaries);
  if (!touches(at_start_) || moved_.has_begun()) return;
  const double energy = balance_.stored_energies()[kContactEnergy];
  moved_.begin(state_, energy);
  moved_.accept(state_, energy);  // the set of touching bodies
}

void ImplicitDriver::set_interruption(Interruption interruption) {
  interruption_ = interruption;
  stepper_.set_interruption(std::move(interruption));
}

void ImplicitDriver::rehearse() {
  const ScheduledStep scheduled = scheduled_step(time_, state_.time, halvings_, ends_);
  stepper_.rehearse(state_, scheduled.integrator, scheduled.length);
}

double ImplicitDriver::scheduled_end(const StepRecord& record) const {
  const auto ends_at = [&](double time) { return std::abs(record.time - time) < kTimeRounding * record.dt; };
  if (ends_at(time_.end)) return time_.end;
  for (const double end : ends_)
    if (ends_at(end)) return end;
  for (const StepSettings& piece : time_.steps)
    if (ends_at(piece.from)) return piece.from;
  return record.time;
}

void ImplicitDriver::refuse_runaway(const Attempt& found) const {
  const StepRecord& record = found.record;
  if (!is_finite(found.solved->account))
    throw SolverError(
        fmt::format("step {} at t = {:.9g} s ends with energies or contact forces that are not finite numbers, usually because a setting is far too small or "
                    "too large; check the thickness and stiffness of contacts first",
                    record.step, state_.time));
  // These integrators solve their steps even where the motion gains energy without bound, so the gain itself is examined. The last two gain it where nothing
  // touches; contact bounds its own gains in steps that Newton's method solves.
  const bool anywhere = traits(found.integrator).is_exponential() || time_.semi_implicit;
  if (!anywhere && found.integrator != Integrator::trapezoidal && found.integrator != Integrator::generalized_alpha) return;
  if (const auto reason = balance_.runaway(found.solved->account, speed_to_count(tolerance_), found.integrator, anywhere))
    throw SolverError(fmt::format("step {} at t = {:.9g} s failed: {}", record.step, state_.time, *reason));
}

void ImplicitDriver::count(Attempt& found) {
  Solved& solved = *found.solved;
  const ContactTrace& trace = found.trace;
  EnergyBalance::Step& account = solved.account;
  const double contact_energy = account.end.stored[kContactEnergy];
  ContactGains::Step gain{account.acts, account.cause, account.in_contact(), {}, account.works() - account.works_elsewhere, solved.noise};
  if (gain.change > 0) gain.change = std::max(gain.change - account.uncertain, 0.0);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const bool traced = trace.acts(i);
    double& moved = gain.moved.emplace_back(solved.moved.contact);
    for (std::size_t b = 0; b < solved.moved.bodies.size(); ++b)
      if (!traced || trace.forces[i][b] > 0) moved += solved.moved.bodies[b];
  }
  gains_.add(gain);
  const bool touch = std::any_of(account.end.touching.begin(), account.end.touching.end(), [](double pairs) { return pairs > 0; });
  if (touch) moved_.accept(found.next, contact_energy, trace);
  else moved_.leave(solved.moved);
  balance_.add(std::move(account));
}

std::vector<std::string> ImplicitDriver::warnings_of(const Attempt& found) {
  std::vector<std::string> warnings;
  const StepReport& solver = found.record.solver;
  if (const auto warning = balance_.changed().warning("energy_numerical")) warnings.push_back(*warning);
  if (const auto warning = balance_.warning(speed_to_count(tolerance_), moved_.largest(), gains_, found.integrator)) warnings.push_back(*warning);
  settled_ += solver.settled;
  if (solver.settled && settled_warnings_.is_due("steps", static_cast<double>(settled_)))
    warnings.push_back(
        fmt::format("the bodies moved to an equilibrium that was not near the last one, as they do where they buckle, snap or slip ({} such step{} so far). "
                    "Where the motion between matters, run it with inertia",
                    settled_, settled_ == 1 ? "" : "s"));
  if (!system_.has_inertia() && !solver.settled)
    for (std::string& warning : drifting_.warnings(system_, contacts_, state_, found.next)) warnings.push_back(std::move(warning));
  return warnings;
}

void ImplicitDriver::watch_forces(const Attempt& found) {
  const Integrator scheduled = scheduled_step(time_, state_.time, halvings_, ends_).integrator;
  calmed_ += found.integrator != scheduled;
  if (!system_.has_inertia()) remaining_inertia_.add(system_, state_, found.next);
  else if (found.integrator == scheduled && EndForces::may_differ(scheduled))
    end_forces_.add(system_, state_, found.next, found.record.dt,
                    std::max(kSlowly * system_.reference_acceleration(), kSpeedErrors * tolerance_ / found.record.dt));
}

StepRecord ImplicitDriver::advance() {
  const bool at_corner = std::find(ends_.begin(), ends_.end(), state_.time) != ends_.end();
  if (release_with_spins(system_, state_) || at_corner) stepper_.restart();
  begin();
  const std::vector<ContactHardness> hardness = stiffening_.hardness();
  const int halvings = halvings_, good_steps = good_steps_;
  stiffened_ = last_.step > 0 ? stiffening_.adapt(state_, at_start_) : 0;
  Attempt found;
  try {
    found = attempt();
    found.next.time = found.record.time = scheduled_end(found.record);  // so that rounding errors do not accumulate over a long run
    if (!found.solved) found.solved = account_for(found);
    refuse_runaway(found);
  } catch (const Interrupted&) {  // a continued run repeats this step from its start
    stiffening_.set_hardness(hardness);
    halvings_ = halvings;
    good_steps_ = good_steps;
    throw;
  } catch (const SolverError&) {
    stiffening_.set_hardness(hardness);
    throw;
  }
  StepRecord& record = found.record;
  record.solver.contact.most = found.trace.most;
  record.solver.contact.forces = found.trace.forces;
  if (!stiffening_.has_layers()) error_before_layers_.reset();
  else if (!error_before_layers_) error_before_layers_ = balance_.numerical();
  count(found);
  record.kinetic_energy = balance_.kinetic_energy();
  record.energies = balance_.stored_energies();
  std::ranges::move(warnings_of(found), std::back_inserter(record.warnings));
  watch_forces(found);
  stiffening_.relax(record.contacts);
  stepper_.accept(std::move(state_), found.integrator, record.dt);
  state_ = std::move(found.next);
  system_.commit(state_);
  at_start_ = record.contacts;
  const bool may_grow = !time_.error_tolerance || kGrowthMargin * gain_of_halving(found.integrator) * record.error <= *time_.error_tolerance;
  if (!may_grow) good_steps_ = 0;
  if (halvings_ > 0 && may_grow && ++good_steps_ >= kStepsBeforeGrowth && !scheduled_step(time_, state_.time, halvings_, ends_).splits_a_pair) {
    --halvings_;
    good_steps_ = 0;
  }
  return last_ = record;
}

std::vector<std::pair<std::string, double>> ImplicitDriver::history() const {
  std::vector<std::pair<std::string, double>> columns = {{"stiffening_energy", last_.stiffening_energy}, {"repeats", last_.repeats}, {"error", last_.error}};
  for (std::size_t k = 0; k < kWorkNames.size(); ++k) columns.emplace_back(fmt::format("work_{}", kWorkNames[k]), balance_.work(static_cast<Work>(k)));
  columns.emplace_back("energy_numerical", balance_.numerical());
  return columns;
}

std::vector<std::pair<std::string, double>> ImplicitDriver::energy_balance() const {
  if (!balance_.has_begun()) return {};
  std::vector<std::pair<std::string, double>> items = {{"kinetic_at_start", balance_.initial_kinetic_energy()},
                                                       {"stored_at_start", balance_.initial_stored_energy()}};
  for (std::size_t k = 0; k < kWorkNames.size(); ++k) items.emplace_back(fmt::format("work_{}", kWorkNames[k]), balance_.work(static_cast<Work>(k)));
  if (const double changed = balance_.changed().total(); changed != 0) items.emplace_back("changed_settings", changed);
  items.insert(items.end(), {{"numerical", balance_.numerical()}, {"kinetic_at_end", balance_.kinetic_energy()}, {"stored_at_end", balance_.stored_energy()}});
  items.emplace_back("energy_moved", balance_.moved_so_far(speed_to_count(tolerance_)));
  return items;
}

std::vector<std::string> ImplicitDriver::closing_warnings() const {
  std::vector<std::string> warnings = system_.has_inertia() ? end_forces_.warnings(system_) : remaining_inertia_.warnings(system_);
  const Integrator last = time_.steps.back().integrator.value_or(time_.integrator);
  if (const auto gain = balance_.last_warning(speed_to_count(tolerance_), moved_.largest(), gains_, last)) warnings.push_back(*gain);
  if (const auto loss = balance_.loss(speed_to_count(tolerance_), last, moved_.largest())) warnings.push_back(*loss);
  return warnings;
}

std::vector<std::pair<std::string, long>> ImplicitDriver::counts() const {
  std::vector<std::pair<std::string, long>> counts = {{"preconditioner_builds", stepper_.solver().preconditioner().builds()},
                                                      {"double_precision_builds", stepper_.solver().preconditioner().double_builds()},
                                                      {"block_solves", stepper_.solver().cheap_solves()}};
  if (system_.has_inertia()) counts.emplace_back("sdirk2_instead_of_tr_sdirk2", calmed_);
  else counts.emplace_back("settled_steps", settled_);
  return counts;
}

}  // namespace traction
