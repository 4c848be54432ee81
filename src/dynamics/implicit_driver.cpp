#include "dynamics/implicit_driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "dynamics/group_gains.h"
#include "dynamics/scheduled_step.h"
#include "errors.h"
#include "system/held_spins.h"

namespace traction {

namespace {

constexpr int kMaximumStiffenings = 10;  // how often a step is repeated with at least twice the stiffness before it is halved
constexpr int kStepsBeforeGrowth = 4;    // good steps before a halved step is doubled again
constexpr double kGrowthMargin = 2;      // ratio of the tolerance to the predicted error of a doubled step
constexpr double kGainInContact = 1e-3;  // numerical error that a step may add while something touches, relative to the energy moved
constexpr double kGainOfPenalty = 0.1;   // the same if no barrier keeps things apart
constexpr double kGainInEpisode = 0.05;  // the same for steps that touch at both ends
constexpr double kGainInLayers = 1e-4;   // the same for all steps together while a contact has layers
constexpr double kLift = 0.01;           // in thicknesses: a group's gain that would lift it by less is not worth shorter steps
constexpr int kHalvingsForEnergy = 8;    // number of halvings of a step; if these do not help, the gain has other causes
constexpr int kHalvingsOfTrSdirk2 = 2;   // number of these halvings after which SDIRK2 takes the place of TR-SDIRK2
constexpr double kGainOfEpisode = 1e-2;  // the same for what a contact has gained beyond the energy with which it began
constexpr int kHalvingsToSettle = 3;     // without inertia a step may end at a far equilibrium after every so many halvings
constexpr double kSolves = 3;            // number of a solve's errors that add up in a step: those of the stages, and their effect on later stages
constexpr double kSlowly = 1e-2;         // accelerations that do not count, in parts of that by weight
constexpr double kSpeedErrors = 10;      // the solver's tolerances of speed in a step that do not count as an acceleration
constexpr double kRounding = 64 * std::numeric_limits<double>::epsilon();  // relative to all energy

std::vector<std::string> names_of(const std::vector<std::shared_ptr<ContactGroup>>& contacts) {
  std::vector<std::string> names;
  for (const auto& contact : contacts) names.push_back(contact->name());
  return names;
}

bool are_finite(const std::vector<ContactSummary>& contacts) {
  double sum = 0;
  for (const ContactSummary& contact : contacts) sum += contact.force.sum() + (contact.minimum_gap > 0 ? 0 : contact.minimum_gap);  // may be infinite
  return std::isfinite(sum);
}

bool is_finite(const EnergyBalance::Step& account) {
  double sum = account.end.kinetic + account.numerical;
  for (const double energy : account.end.stored) sum += energy;
  for (const double work : account.done) sum += work;
  return std::isfinite(sum);
}

bool touches(const std::vector<ContactSummary>& contacts) {
  return std::any_of(contacts.begin(), contacts.end(), [](const ContactSummary& contact) { return contact.active > 0; });
}

// The factor by which halving a step reduces the error of its positions.
double gain_of_halving(Integrator integrator) { return std::exp2(traits(integrator).order + 1); }

// SDIRK2 has the stability function of TR-SDIRK2, but no trapezoidal stage, which carries the force of a contact at the step's start into the step.
Integrator gains_less(Integrator integrator) { return integrator == Integrator::tr_sdirk2 ? Integrator::sdirk2 : integrator; }

}  // namespace

ImplicitDriver::ImplicitDriver(System& system, std::vector<std::shared_ptr<ContactGroup>> contacts, const TimeSettings& time, const SolverSettings& solver,
                               State initial, std::vector<double> corners, double stored_rounding)
    : system_(system),
      contacts_(std::move(contacts)),
      stiffening_(system, contacts_),
      balance_(system, names_of(contacts_)),
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

ImplicitDriver::Solved ImplicitDriver::account_for(const State& next, const StepRecord& record, const ContactTrace& trace) {
  Solved solved{balance_.step(state_, next, record.contacts, trace, stiffened_), {}, {}, 0};
  EnergyBalance::Step& account = solved.account;
  if (!touches(at_start_) && !touches(record.contacts) && !trace.acts()) return solved;
  moved_.begin(state_, balance_.stored_energies()[kContactEnergy]);
  double height = 0;
  for (const auto& contact : contacts_) height = std::max(height, contact->thickness());
  solved.moved = moved_.until(next, account.end.stored[kContactEnergy], height, trace);
  std::vector<char> touched;
  for (std::size_t b = 0; b < solved.moved.bodies.size(); ++b) {
    const double energy = solved.moved.bodies[b], mass = solved.moved.masses[b], force = b < system_.bodies().size() ? trace.force_on(b) : 0;
    touched.push_back(energy > 0 || force > 0);
    double& noise = solved.noises.emplace_back(0);
    if (!touched.back()) continue;
    const double change = std::sqrt(2 * energy / mass) + (force / mass + system_.reference_acceleration()) * record.dt;
    const double allowed = std::min(tolerance_, relative_tolerance_ * change),
                 left = record.solver.residual;  // no error is known of schemes that do not iterate
    noise = kSolves * mass * (left > 0 ? std::min(left, allowed) : allowed) * change;
    solved.noise += noise;
  }
  balance_.distinguish(account, state_, next, std::move(touched));
  double all = account.end.kinetic;
  for (const double energy : account.end.stored) all += std::abs(energy);
  solved.noise += kRounding * all + stored_rounding_;
  return solved;
}

// An integrator that does not resolve an impact may end it with more energy than before.
bool ImplicitDriver::gains_energy_in_contact(const Solved& solved) const {
  const EnergyBalance::Step& account = solved.account;
  if (account.cause == contacts_.size()) return false;
  const double change = account.in_contact() - account.uncertain, scale = solved.moved.energy;
  if (!(change > solved.noise)) return false;
  if (system_.bounds_steps() && change > kGainInContact * scale) return true;
  if (stiffening_.has_layers()) {
    const double before = error_before_layers_.value_or(balance_.numerical());
    if (balance_.numerical() + change - before > kGainInLayers * scale) return true;
  }
  if (system_.bounds_steps()) return false;
  // In the course of an episode a penalty gains little, unless it has layers, or another part of a body strikes the surface.
  const bool stays = touches(at_start_) && account.end.touching[account.cause] > 0;
  const bool multiplies =
      contacts_[account.cause]->unweighted_law().stiffening == Stiffening::multiply;  // multiplying the stiffness adds energy in steps of any length
  if (stays && !stiffening_.has_layers() && (multiplies || !system_.has_inertia())) return false;
  if (change > (stays ? kGainInEpisode : kGainOfPenalty) * scale) return true;
  const double net = gains_.of_episode(account.cause) + change;
  return (!stays || stiffening_.has_layers() ? net : std::min(net, change)) > kGainOfEpisode * scale;
}

bool ImplicitDriver::hides_gain_of_group(const Solved& solved, const State& next, const StepRecord& record, const ContactTrace& trace) const {
  if (!system_.has_inertia()) return false;
  for (const auto& contact : contacts_)
    if (contact->unweighted_law().stiffening == Stiffening::multiply) return false;
  const double rounding = solved.noise - std::accumulate(solved.noises.begin(), solved.noises.end(), 0.0);
  double thickness = 0;
  for (const auto& contact : contacts_) thickness = std::max(thickness, contact->thickness());
  for (const GroupGain& group : gains_of_groups(system_, contacts_, record.contacts, balance_, solved.account, state_, next, trace, solved.moved)) {
    double noise = rounding, mass = 0;
    for (std::size_t b = 0; b < solved.noises.size(); ++b) {
      noise += group.bodies[b] ? solved.noises[b] : 0;
      mass += group.bodies[b] ? solved.moved.masses[b] : 0;
    }
    const double lift = mass * system_.reference_acceleration() * kLift * thickness;
    const double share = system_.bounds_steps() ? kGainInContact : group.stays ? kGainInEpisode : kGainOfPenalty;
    if (group.energy > noise + lift + share * group.moved) return true;
  }
  return false;
}

bool ImplicitDriver::jumps(const State& next, StepRecord& record, const ContactTrace& trace, std::optional<Solved>& solved) {
  if (system_.has_inertia() || record.solver.settled) return false;
  solved = account_for(next, record, trace);
  return balance_.suggests_jump(solved->account) && stepper_.has_jumped(state_, next, record.dt, record.solver);
}

std::string ImplicitDriver::passage(const State& next) const {
  for (const auto& contact : contacts_)
    if (const std::optional<Vec3> place = contact->passage(state_, next))
      return fmt::format(
          "contact '{}': the vertex at ({:.4g}, {:.4g}, {:.4g}) passes through what it touches, or beyond its middle, in one step; use a "
          "shorter time.step, or more time.maximum_halvings",
          contact->name(), place->x(), place->y(), place->z());
  return {};
}

int ImplicitDriver::halvings_for(double error, Integrator integrator) const {
  if (!time_.error_tolerance || error <= *time_.error_tolerance) return 0;
  const double needed = std::ceil(std::log(error / *time_.error_tolerance) / std::log(gain_of_halving(integrator)));
  return static_cast<int>(std::min<double>(needed, time_.maximum_halvings - halvings_));
}

void ImplicitDriver::set_interruption(Interruption interruption) {
  interruption_ = interruption;
  stepper_.set_interruption(std::move(interruption));
}

void ImplicitDriver::rehearse() {
  const ScheduledStep scheduled = scheduled_step(time_, state_.time, halvings_, ends_);
  stepper_.rehearse(state_, scheduled.integrator, scheduled.length);
}

StepRecord ImplicitDriver::attempt(State& next, std::optional<Solved>& solved, ContactTrace& trace, Integrator& integrator) {
  StepRecord record;
  record.step = steps() + 1;
  if (system_.has_inertia()) stiffening_.foresee(state_, at_start_);
  const std::vector<ContactHardness> hardness = stiffening_.hardness();  // a step that is repeated with half its length starts from this
  int stiffenings = 0, halvings_for_energy = 0;
  const int first_to_settle = std::max(kHalvingsToSettle, halvings_ + 1);
  for (;;) {
    if (const int signal = interruption_ ? interruption_(std::nullopt) : 0) throw Interrupted("a signal asks for an end", signal);
    const double start = state_.time;
    const ScheduledStep scheduled = scheduled_step(time_, start, halvings_, ends_);
    record.dt = scheduled.length;
    record.time = scheduled.end;
    integrator = halvings_for_energy < kHalvingsOfTrSdirk2 || !system_.has_inertia() ? scheduled.integrator : gains_less(scheduled.integrator);
    StepReport attempt;
    const bool settles = !system_.has_inertia() &&
                         (halvings_ == time_.maximum_halvings || (halvings_ >= first_to_settle && (halvings_ - first_to_settle) % kHalvingsToSettle == 0));
    try {
      attempt = stepper_.step(state_, integrator, record.dt, next, settles);
    } catch (const SolverError& error) {
      stiffening_.set_hardness(hardness);
      throw SolverError(fmt::format("step {} at t = {:.9g} s failed: {}", record.step, start, error.what()));
    }
    record.solver.newton_iterations += attempt.newton_iterations;
    record.solver.linear_iterations += attempt.linear_iterations;
    record.solver.eliminations += attempt.eliminations;
    record.solver.residual = attempt.residual;
    record.solver.settled = attempt.settled;
    record.solver.reactions = attempt.reactions;
    solved.reset();
    trace = std::move(attempt.contact);
    const std::string passing =
        attempt.converged && !attempt.settled ? passage(next) : std::string();  // the search for a settled state has examined each part of its path
    int halvings = 1;
    if (attempt.limited_by_rounding && !std::exchange(warned_of_rounding_, true))
      record.warnings.push_back(attempt.reason + ". Until the tolerance is greater, steps are halved in which nothing else fails");
    record.contacts.clear();
    if (attempt.converged && passing.empty())
      for (const auto& contact : contacts_) record.contacts.push_back(contact->summarize(next));
    const bool finite = are_finite(record.contacts);  // a scheme that extrapolates from its stages may end beyond a barrier
    if (attempt.converged && passing.empty() && finite) {
      record.error = attempt.error;
      halvings = halvings_for(attempt.error, integrator);
      if (halvings == 0) {
        const bool may_halve = halvings_ < time_.maximum_halvings && start + record.dt / 2 > start;
        auto [verdict, energy] = stiffening_.judge(state_, at_start_, next, record.contacts, may_halve);
        if (verdict == ContactStiffening::Verdict::accept && jumps(next, record, trace, solved)) {
          record.solver.settled = settles;
          if (!settles) verdict = ContactStiffening::Verdict::halve;
        }
        if (verdict == ContactStiffening::Verdict::accept) {
          if (!may_halve || halvings_for_energy == kHalvingsForEnergy) break;
          if (!solved) solved = account_for(next, record, trace);
          if (!gains_energy_in_contact(*solved) && !hides_gain_of_group(*solved, next, record, trace)) break;
          ++halvings_for_energy;
          verdict = ContactStiffening::Verdict::halve;
        }
        record.stiffening_energy += energy;
        halvings = 1;
        if (verdict == ContactStiffening::Verdict::repeat && ++stiffenings < kMaximumStiffenings) {
          ++record.repeats;
          continue;
        }
      }
    }
    stiffening_.set_hardness(hardness);
    record.stiffening_energy = 0;
    const bool stands_still = start + std::ldexp(record.dt, -halvings) <= start;
    if (halvings_ >= time_.maximum_halvings || stands_still)
      throw SolverError(fmt::format("step {} at t = {:.9g} s failed with dt = {:.3g} s, halved {} times: {}", record.step, start, record.dt, halvings_,
                                    !attempt.converged ? attempt.reason
                                    : !passing.empty() ? passing
                                    : !finite          ? "forces of contact at its end are not finite numbers"
                                    : stiffenings == kMaximumStiffenings
                                        ? stiffening_.failure(next)
                                        : "its error is too large even with the shortest step that changes the time in double precision"));
    halvings_ += halvings;
    ++record.repeats;
    good_steps_ = 0;
    stiffenings = 0;
  }
  return record;
}

void ImplicitDriver::count(Solved solved, const State& next, const ContactTrace& trace) {
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
  if (touch) moved_.accept(next, contact_energy, trace);
  else moved_.leave(solved.moved);
  balance_.add(std::move(account));
}

StepRecord ImplicitDriver::advance() {
  const bool at_corner = std::find(ends_.begin(), ends_.end(), state_.time) != ends_.end();
  if (release_with_spins(system_, state_) || at_corner) stepper_.restart();
  begin();
  const std::vector<ContactHardness> hardness = stiffening_.hardness();
  const int halvings = halvings_, good_steps = good_steps_;
  stiffened_ = last_.step > 0 ? stiffening_.adapt(state_, at_start_) : 0;
  StepRecord record;
  State next;
  std::optional<Solved> solved;  // the last attempt, if an attempt had to be judged
  ContactTrace trace;
  Integrator integrator{};
  try {
    record = attempt(next, solved, trace, integrator);
  } catch (const Interrupted&) {  // a continued run repeats this step from its start
    stiffening_.set_hardness(hardness);
    halvings_ = halvings;
    good_steps_ = good_steps;
    throw;
  } catch (const SolverError&) {
    stiffening_.set_hardness(hardness);
    throw;
  }
  next.time = record.time;
  // Steps end exactly on the schedule, so that rounding errors do not accumulate over a long run.
  for (const StepSettings& piece : time_.steps)
    if (std::abs(record.time - piece.from) < kTimeRounding * record.dt) next.time = record.time = piece.from;
  for (const double end : ends_)
    if (std::abs(record.time - end) < kTimeRounding * record.dt) next.time = record.time = end;
  if (std::abs(record.time - time_.end) < kTimeRounding * record.dt) next.time = record.time = time_.end;
  if (!solved) solved = account_for(next, record, trace);
  record.solver.contact.most = trace.most;
  record.solver.contact.forces = trace.forces;
  if (!is_finite(solved->account)) {
    stiffening_.set_hardness(hardness);
    throw SolverError(
        fmt::format("step {} at t = {:.9g} s ends with energies or contact forces that are not finite numbers, usually because a setting is far too small or "
                    "too large; check the thickness and stiffness of contacts first",
                    record.step, state_.time));
  }
  // These integrators solve their steps even where the motion gains energy without bound, so the gain itself is examined. The last two gain it where nothing
  // touches; contact bounds its own gains in steps that Newton's method solves.
  const bool anywhere = traits(integrator).is_exponential() || time_.semi_implicit;
  if (anywhere || integrator == Integrator::trapezoidal || integrator == Integrator::generalized_alpha)
    if (const auto reason = balance_.runaway(solved->account, speed_to_count(tolerance_), integrator, anywhere)) {
      stiffening_.set_hardness(hardness);
      throw SolverError(fmt::format("step {} at t = {:.9g} s failed: {}", record.step, state_.time, *reason));
    }
  if (!stiffening_.has_layers()) error_before_layers_.reset();
  else if (!error_before_layers_) error_before_layers_ = balance_.numerical();
  count(std::move(*solved), next, trace);
  if (const auto warning = balance_.changed().warning("energy_numerical")) record.warnings.push_back(*warning);
  record.kinetic_energy = balance_.kinetic_energy();
  record.energies = balance_.stored_energies();
  if (const auto warning = balance_.warning(speed_to_count(tolerance_), moved_.largest(), gains_, integrator)) record.warnings.push_back(*warning);
  settled_ += record.solver.settled;
  if (record.solver.settled && settled_warnings_.is_due("steps", static_cast<double>(settled_)))
    record.warnings.push_back(
        fmt::format("the bodies moved to an equilibrium that was not near the last one, as they do where they buckle, snap or slip ({} such step{} so far). "
                    "Where the motion between matters, run it with inertia",
                    settled_, settled_ == 1 ? "" : "s"));
  if (!system_.has_inertia() && !record.solver.settled)
    for (std::string& warning : drifting_.warnings(system_, contacts_, state_, next)) record.warnings.push_back(std::move(warning));
  const Integrator scheduled = scheduled_step(time_, state_.time, halvings_, ends_).integrator;
  calmed_ += integrator != scheduled;
  if (system_.has_inertia() && integrator == scheduled && EndForces::may_differ(integrator))
    end_forces_.add(system_, state_, next, record.dt, std::max(kSlowly * system_.reference_acceleration(), kSpeedErrors * tolerance_ / record.dt));
  if (!system_.has_inertia()) remaining_inertia_.add(system_, state_, next);
  stiffening_.relax(record.contacts);
  stepper_.accept(std::move(state_), integrator, record.dt);
  state_ = std::move(next);
  system_.commit(state_);
  at_start_ = record.contacts;
  const bool may_grow = !time_.error_tolerance || kGrowthMargin * gain_of_halving(integrator) * record.error <= *time_.error_tolerance;
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

void ImplicitDriver::save(Archive& archive) const {
  archive.save("positions", state_.q.values());
  archive.save("velocities", state_.v.values());
  for (const auto& [name, values] : system_.remembered()) archive.save(name, values);
  archive.numbers.insert({{"time", state_.time},
                          {"step", static_cast<double>(last_.step)},
                          {"halvings", static_cast<double>(halvings_)},
                          {"good steps", static_cast<double>(good_steps_)},
                          {"calmed steps", static_cast<double>(calmed_)},
                          {"settled steps", static_cast<double>(settled_)},
                          {"settled steps warned of", settled_warnings_.last("steps")}});
  if (state_.mean) archive.numbers.insert({{"velocities from", state_.mean->from}, {"velocities over", state_.mean->duration}});
  for (std::size_t i = 0; i < at_start_.size(); ++i) {
    archive.numbers["gap in " + contacts_[i]->name()] = at_start_[i].yielding_gap;
    archive.numbers["least gap in " + contacts_[i]->name()] = at_start_[i].minimum_gap;
    archive.numbers["pairs in " + contacts_[i]->name()] = static_cast<double>(at_start_[i].active);
    archive.numbers["energy in " + contacts_[i]->name()] = at_start_[i].energy;
  }
  if (error_before_layers_) archive.numbers["balance numerical before layers"] = *error_before_layers_;
  balance_.save(archive);
  moved_.save(archive);
  gains_.save(archive, names_of(contacts_));
  stepper_.save(archive);
}

void ImplicitDriver::load(const Archive& archive) {
  archive.load("positions", state_.q.values());
  archive.load("velocities", state_.v.values());
  std::map<std::string, std::vector<double>> memory = system_.remembered();
  for (auto& [name, values] : memory) archive.load(name, values);
  system_.recall(memory);
  state_.time = archive.number("time");
  if (state_.mean)  // older versions wrote nothing of it
    state_.mean = archive.numbers.contains("velocities over") ? MeanVelocity{archive.number("velocities from"), archive.number("velocities over")}
                                                              : MeanVelocity{state_.time};
  last_ = {};
  last_.step = static_cast<long>(archive.number("step"));
  halvings_ = std::min(static_cast<int>(archive.number("halvings")), time_.maximum_halvings);
  good_steps_ = static_cast<int>(archive.number("good steps"));
  const auto number_or_none = [&](const char* name) { return archive.numbers.contains(name) ? archive.number(name) : 0; };  // older versions wrote none
  calmed_ = std::lround(number_or_none("calmed steps"));
  settled_ = std::lround(number_or_none("settled steps"));
  settled_warnings_.note("steps", number_or_none("settled steps warned of"));
  at_start_.clear();
  if (archive.numbers.contains("balance numerical"))
    for (const auto& contact : contacts_) {
      at_start_.emplace_back();
      at_start_.back().yielding_gap = archive.number("gap in " + contact->name());
      const std::string least = "least gap in " + contact->name();  // older versions did not write it
      if (archive.numbers.contains(least)) at_start_.back().minimum_gap = archive.number(least);
      at_start_.back().active = std::lround(archive.number("pairs in " + contact->name()));
      at_start_.back().energy = archive.number("energy in " + contact->name());
    }
  error_before_layers_.reset();
  if (archive.numbers.contains("balance numerical before layers")) error_before_layers_ = archive.number("balance numerical before layers");
  balance_.load(archive);
  moved_.load(archive);
  gains_.load(archive, names_of(contacts_));
  system_.release(std::nextafter(state_.time, 0));  // vertices that are released at exactly this time are free from the next step on
  take_back_spins(system_, state_);
  stepper_.load(archive);
}

int ImplicitDriver::saved_fields() const {
  std::vector<Integrator> integrators;
  for (const StepSettings& piece : time_.steps) integrators.push_back(piece.integrator.value_or(time_.integrator));
  std::map<std::string, int> components;  // forces of one name share a field
  for (const auto& term : system_.forces())
    if (Memory* memory = term->memory()) components[memory->name()] = memory->components();
  double remembered = 0;  // doubles per vertex
  for (const auto& [name, count] : components) remembered += count;
  return 2 + static_cast<int>(std::ceil(remembered / 3)) + balance_.saved_fields() + stepper_.saved_fields(integrators);
}

}  // namespace traction
