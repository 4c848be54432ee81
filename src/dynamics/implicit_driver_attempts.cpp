// How the implicit driver finds a step: it repeats it with other stiffness or with half its length until nothing speaks against it.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "dynamics/group_gains.h"
#include "dynamics/implicit_driver.h"
#include "dynamics/scheduled_step.h"
#include "errors.h"

namespace traction {

namespace {

constexpr int kMaximumStiffenings = 10;  // how often a step is repeated with at least twice the stiffness before it is halved
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
constexpr double kRounding = 64 * std::numeric_limits<double>::epsilon();  // relative to all energy

bool are_finite(const std::vector<ContactSummary>& contacts) {
  double sum = 0;
  for (const ContactSummary& contact : contacts) sum += contact.force.sum() + (contact.minimum_gap > 0 ? 0 : contact.minimum_gap);  // may be infinite
  return std::isfinite(sum);
}

// SDIRK2 has the stability function of TR-SDIRK2, but no trapezoidal stage, which carries the force of a contact at the step's start into the step.
Integrator gains_less(Integrator integrator) { return integrator == Integrator::tr_sdirk2 ? Integrator::sdirk2 : integrator; }

}  // namespace

ImplicitDriver::Solved ImplicitDriver::account_for(const Attempt& found) {
  const State& next = found.next;
  const StepRecord& record = found.record;
  const ContactTrace& trace = found.trace;
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

bool ImplicitDriver::hides_gain_of_group(const Attempt& found) const {
  if (!system_.has_inertia()) return false;
  for (const auto& contact : contacts_)
    if (contact->unweighted_law().stiffening == Stiffening::multiply) return false;
  const Solved& solved = *found.solved;
  const double rounding = solved.noise - std::accumulate(solved.noises.begin(), solved.noises.end(), 0.0);
  double thickness = 0;
  for (const auto& contact : contacts_) thickness = std::max(thickness, contact->thickness());
  for (const GroupGain& group :
       gains_of_groups(system_, contacts_, found.record.contacts, balance_, solved.account, state_, found.next, found.trace, solved.moved)) {
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

bool ImplicitDriver::jumps(Attempt& found) {
  if (system_.has_inertia() || found.record.solver.settled) return false;
  found.solved = account_for(found);
  return balance_.suggests_jump(found.solved->account) && stepper_.has_jumped(state_, found.next, found.record.dt, found.record.solver);
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

ImplicitDriver::Judgement ImplicitDriver::judge(Attempt& found, const StepReport& report, bool settles, bool examines_energy) {
  StepRecord& record = found.record;
  record.contacts.clear();
  if (!report.converged) return {report.reason};
  if (!report.settled)  // the search for a settled state has examined each part of its path
    if (const std::string passing = passage(found.next); !passing.empty()) return {passing};
  for (const auto& contact : contacts_) record.contacts.push_back(contact->summarize(found.next));
  if (!are_finite(record.contacts)) return {"forces of contact at its end are not finite numbers"};  // a scheme that extrapolates may end beyond a barrier
  record.error = report.error;
  Judgement judged{"its error is too large even with the shortest step that changes the time in double precision"};
  if (const int halvings = halvings_for(report.error, found.integrator); halvings > 0) {
    judged.halvings = halvings;
    return judged;
  }
  const bool may_halve = halvings_ < time_.maximum_halvings && state_.time + record.dt / 2 > state_.time;
  auto [verdict, energy] = stiffening_.judge(state_, at_start_, found.next, record.contacts, may_halve);
  if (verdict == ContactStiffening::Verdict::accept && jumps(found)) {
    record.solver.settled = settles;
    if (!settles) verdict = ContactStiffening::Verdict::halve;
  }
  if (verdict == ContactStiffening::Verdict::accept) {
    judged.verdict = verdict;
    if (!may_halve || !examines_energy) return judged;
    if (!found.solved) found.solved = account_for(found);
    if (!gains_energy_in_contact(*found.solved) && !hides_gain_of_group(found)) return judged;
    judged.gains_energy = true;
    verdict = ContactStiffening::Verdict::halve;
  }
  record.stiffening_energy += energy;
  judged.verdict = verdict;
  return judged;
}

StepReport ImplicitDriver::solve(Attempt& found, bool settles) {
  StepRecord& record = found.record;
  StepReport report = stepper_.step(state_, found.integrator, record.dt, found.next, settles);
  record.solver.newton_iterations += report.newton_iterations;
  record.solver.linear_iterations += report.linear_iterations;
  record.solver.eliminations += report.eliminations;
  record.solver.residual = report.residual;
  record.solver.settled = report.settled;
  record.solver.reactions = report.reactions;
  if (report.limited_by_rounding && !std::exchange(warned_of_rounding_, true))
    record.warnings.push_back(report.reason + ". Until the tolerance is greater, steps are halved in which nothing else fails");
  found.solved.reset();
  found.trace = std::move(report.contact);
  return report;
}

ImplicitDriver::Attempt ImplicitDriver::attempt() {
  Attempt found;
  StepRecord& record = found.record;
  record.step = steps() + 1;
  const double start = state_.time;
  if (system_.has_inertia()) stiffening_.foresee(state_, at_start_);
  const std::vector<ContactHardness> hardness = stiffening_.hardness();  // a step that is repeated with half its length starts from this
  int stiffenings = 0, halvings_for_energy = 0;
  const int first_to_settle = std::max(kHalvingsToSettle, halvings_ + 1);
  for (;;) {
    if (const int signal = interruption_ ? interruption_(std::nullopt) : 0) throw Interrupted("a signal asks for an end", signal);
    const ScheduledStep scheduled = scheduled_step(time_, start, halvings_, ends_);
    record.dt = scheduled.length;
    record.time = scheduled.end;
    const bool is_calmed = halvings_for_energy >= kHalvingsOfTrSdirk2 && system_.has_inertia();
    found.integrator = is_calmed ? gains_less(scheduled.integrator) : scheduled.integrator;
    const bool settles = !system_.has_inertia() &&
                         (halvings_ == time_.maximum_halvings || (halvings_ >= first_to_settle && (halvings_ - first_to_settle) % kHalvingsToSettle == 0));
    StepReport report;
    try {
      report = solve(found, settles);
    } catch (const SolverError& error) {
      throw SolverError(fmt::format("step {} at t = {:.9g} s failed: {}", record.step, start, error.what()));
    }
    const Judgement judged = judge(found, report, settles, halvings_for_energy < kHalvingsForEnergy);
    if (judged.verdict == ContactStiffening::Verdict::accept) return found;
    halvings_for_energy += judged.gains_energy;
    if (judged.verdict == ContactStiffening::Verdict::repeat && ++stiffenings < kMaximumStiffenings) {
      ++record.repeats;
      continue;
    }
    stiffening_.set_hardness(hardness);
    record.stiffening_energy = 0;
    const bool stands_still = start + std::ldexp(record.dt, -judged.halvings) <= start;
    if (halvings_ >= time_.maximum_halvings || stands_still)
      throw SolverError(fmt::format("step {} at t = {:.9g} s failed with dt = {:.3g} s, halved {} times: {}", record.step, start, record.dt, halvings_,
                                    stiffenings == kMaximumStiffenings ? stiffening_.failure(found.next) : judged.reason));
    halvings_ += judged.halvings;
    ++record.repeats;
    good_steps_ = 0;
    stiffenings = 0;
  }
}

}  // namespace traction
