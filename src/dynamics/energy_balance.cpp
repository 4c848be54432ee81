#include "dynamics/energy_balance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dynamics/sudden_starts.h"
#include "parallel/collective.h"
#include "parallel/log_event.h"
#include "system/held_spins.h"

namespace traction {

namespace {

constexpr std::array kForceWorkKinds = {Work::loads, Work::pressure, Work::relaxation};
constexpr std::array kContactWorkKinds = {Work::friction, Work::contact_damping};
constexpr const char* kContactName = "contact";  // name of the energy in contacts
constexpr double kNegligible = 1e-6;             // share of all energy that the run has moved
constexpr double kMissing = 0.2;                 // share of the energy that moved in a step; on one branch the trapezoidal rule finds almost all of it
constexpr double kSame = kSameEnergy;

std::size_t index_of(Work work) { return static_cast<std::size_t>(work); }

// The force's index in kForceWorkKinds; nothing if it only stores energy, or damps.
std::optional<std::size_t> work_of(const Force& force) {
  const std::string name = force.work_name();
  for (std::size_t k = 0; k < kForceWorkKinds.size(); ++k)
    if (name == kWorkNames[index_of(kForceWorkKinds[k])]) return k;
  return std::nullopt;
}

bool damps(const Force& force) { return force.work_name() == kWorkNames[index_of(Work::damping)]; }

// The work of the obstacles' own motion over a whole step, by the forces at one moment of it [J].
double work_of_obstacles(const EnergyBalance::Exerted& exerted, double start, double end) {
  double work = 0;
  for (const ObstacleLoad& load : exerted.obstacles) {
    const Pose from(*load.motion, start), here(*load.motion, exerted.time), to(*load.motion, end);
    work += load.work(here, to) - load.work(here, from);
  }
  return work;
}

Field force_at(const Force& force, const State& state) {
  Field result(static_cast<int>(state.q.values().size() / 3));
  for (const Zone zone : {Zone::interior, Zone::boundary}) force.add_force(state, zone, result);
  return result;
}

// Supports turn the frames of held twists by themselves; a velocity of the twist against it stops the segment.
State without_velocity(const System& system, State state) {
  state.v.set_zero();
  if (system.driven().empty()) return state;
  for (const auto& [twist, spin] : HeldSpins(system).at(state)) state.v[twist].x() = -spin;
  system.exchange(state.v);
  return state;
}

bool counts(const std::vector<char>* marked, int vertex) { return !marked || (*marked)[vertex]; }

}  // namespace

std::vector<std::string> energy_names(const System& system) {
  std::vector<std::string> names = {"elastic", "gravity", "volume", "contact"};
  for (const auto& force : system.forces()) {
    const std::string name = force->energy_name();
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

double EnergyBalance::stored_energy() const { return std::accumulate(now_.stored.begin(), now_.stored.end(), 0.0); }

double EnergyBalance::Step::works() const {
  return std::accumulate(done.begin(), done.end(), 0.0, [](double sum, double work) { return sum + std::abs(work); });
}

double EnergyBalance::kinetic_energy(const State& state, const std::vector<char>* marked) const {
  if (!system_.has_inertia()) return 0;
  const std::map<int, double> spins = HeldSpins(system_).at(state);
  double sum = 0;
  for (int i = 0; i < system_.halo().owned(); ++i)
    if (counts(marked, i)) sum += 0.5 * system_.mass()[i] * with_spin(spins, i, state.v[i]).squaredNorm();
  return sum;
}

double EnergyBalance::driven_kinetic_energy(const State& state, const std::vector<char>* marked) const {
  if (system_.driven().empty() || !system_.has_inertia()) return 0;
  const std::map<int, double> spins = HeldSpins(system_).at(state);
  double sum = 0;
  for (int i = 0; i < system_.halo().owned(); ++i)
    if (counts(marked, i)) sum += 0.5 * system_.mass()[i] * system_.held().held_part(i, with_spin(spins, i, state.v[i])).squaredNorm();
  return sum;
}

EnergyBalance::Exerted EnergyBalance::exerted_at(const State& state, std::span<const ContactSummary> contacts, double weight) const {
  const bool anything_driven = !system_.driven().empty();
  const int local = system_.halo().local();
  Exerted exerted;
  exerted.weight = weight;
  exerted.time = state.time;
  exerted.forces.resize(kForceWorks);
  if (anything_driven) {
    exerted.on_driven = Field(local);
    system_.prepare(state);
  }
  std::optional<State> at_rest;
  if (anything_driven) at_rest = without_velocity(system_, state);  // by all ranks, whatever their forces
  for (const auto& force : system_.forces()) {
    const auto work = work_of(*force);
    if (!work && !anything_driven) continue;
    const bool is_damped = damps(*force);
    if (is_damped && force->energy_name().empty()) continue;
    if (is_damped && !at_rest) at_rest = without_velocity(system_, state);
    const Field exerting = force_at(*force, is_damped ? *at_rest : state);
    if (anything_driven) exerted.on_driven.array() += exerting.array();
    if (!work) continue;
    Field& counted = exerted.forces[*work];
    if (counted.values().empty()) counted = Field(local);
    counted.array() += exerting.array();
  }
  if (anything_driven) system_.dependents().gather(exerted.on_driven);  // dependent vertices are held, but do no work of their own
  for (const ContactSummary& contact : contacts) {
    exerted.powers[0] += contact.friction_power;
    exerted.powers[1] += contact.damping_power;
    exerted.obstacles.insert(exerted.obstacles.end(), contact.obstacles.begin(), contact.obstacles.end());
  }
  return exerted;
}

EnergyBalance::Damping EnergyBalance::damping_between(const State& start, const State& end) const {
  State middle = start;
  middle.time = (start.time + end.time) / 2;
  middle.q.array() = (start.q.array() + end.q.array()) / 2;
  middle.v.array() = (end.q.array() - start.q.array()) / (end.time - start.time);
  middle.mean.reset();
  Damping damping;
  std::optional<State> at_rest;
  if (!system_.driven().empty()) at_rest = without_velocity(system_, middle);
  for (const auto& force : system_.forces()) {
    if (!damps(*force)) continue;
    if (damping.forces.values().empty()) damping.forces = Field(system_.halo().local());
    damping.forces.array() += force_at(*force, middle).array();
    if (force->energy_name().empty()) continue;
    if (!at_rest) at_rest = without_velocity(system_, middle);
    damping.forces.array() -= force_at(*force, *at_rest).array();  // the part that acts at rest stores energy, and does not damp
  }
  if (damping.forces.values().empty()) return damping;
  for (int i = 0; i < system_.halo().local(); ++i)
    if (!damping.forces[i].allFinite()) damping.forces[i].setZero();  // an element that makes half a turn is flat in the middle of the step
  if (system_.driven().empty()) return damping;
  damping.on_driven = damping.forces;
  system_.dependents().gather(damping.on_driven);
  return damping;
}

EnergyBalance::Account EnergyBalance::account_at(const State& state, std::span<const ContactSummary> contacts, double weight) const {
  const std::vector<std::string> names = energy_names(system_);
  Account account;
  account.exerted = exerted_at(state, contacts, weight);
  std::vector<double> sums(1 + names.size(), 0.0);
  sums[0] = kinetic_energy(state, nullptr);
  for (const auto& force : system_.forces()) {
    const double energy = force->energy(state);
    const auto found = std::find(names.begin(), names.end(), force->energy_name());
    if (found != names.end()) sums[1 + static_cast<std::size_t>(found - names.begin())] += energy;
    const auto work = work_of(*force);
    if (work && !force->energy_name().empty()) account.sources[*work] += energy;
  }
  sum_over_ranks(system_.communicator(), sums);
  account.kinetic = sums[0];
  account.stored.assign(sums.begin() + 1, sums.end());
  for (const ContactSummary& contact : contacts) {
    account.touching.push_back(static_cast<double>(contact.active));
    account.contact_energies.push_back(contact.energy);
  }
  return account;
}

void EnergyBalance::begin(const State& state, std::span<const ContactSummary> contacts) {
  Account account = account_at(state, contacts, 0.5);
  if (loaded_ && differs(account)) {
    take_over(std::move(account));
  } else if (loaded_) {  // both are the same to the last bit, although a search may have been repeated since
    now_.exerted.time = state.time;
    now_.exerted.forces = std::move(account.exerted.forces);
    now_.sources = account.sources;
    for (std::size_t i = 0; i < now_.exerted.obstacles.size(); ++i) now_.exerted.obstacles[i].motion = account.exerted.obstacles[i].motion;
  } else {
    now_ = std::move(account);
    initial_kinetic_ = largest_kinetic_ = now_.kinetic;
    initial_stored_ = stored_energy();
  }
  bodies_.emplace(system_);
  begun_ = true;
}

double EnergyBalance::change_to(const Account& account) const {
  double change = account.kinetic - now_.kinetic;
  for (std::size_t k = 0; k < account.stored.size(); ++k) change += account.stored[k] - now_.stored[k];
  return change;
}

double EnergyBalance::energy_that_moves(const Account& account) const {
  double size = account.kinetic + now_.kinetic + scale();
  for (std::size_t k = 0; k < account.stored.size(); ++k) size += std::abs(account.stored[k]) + std::abs(now_.stored[k]);
  return size;
}

bool EnergyBalance::differs(const Account& account) const {
  const Exerted &here = account.exerted, &before = now_.exerted;
  if (here.obstacles.size() != before.obstacles.size()) return true;
  const auto differ = [](const auto& a, const auto& b) { return !((a - b).norm() <= kSame * (a.norm() + b.norm())); };
  for (std::size_t i = 0; i < here.obstacles.size(); ++i)
    if (differ(here.obstacles[i].force, before.obstacles[i].force) || differ(here.obstacles[i].dyad, before.obstacles[i].dyad)) return true;
  for (std::size_t k = 0; k < here.powers.size(); ++k)
    if (!(std::abs(here.powers[k] - before.powers[k]) <= kSame * (std::abs(here.powers[k]) + std::abs(before.powers[k])))) return true;
  if (!system_.driven().empty()) {
    std::vector<double> squares(2, 0.0);
    for (int i = 0; i < system_.halo().owned(); ++i) {
      squares[0] += (here.on_driven[i] - before.on_driven[i]).squaredNorm();
      squares[1] += here.on_driven[i].squaredNorm();
    }
    sum_over_ranks(system_.communicator(), squares);
    if (!(squares[0] <= kSame * kSame * squares[1])) return true;
  }
  return !(std::abs(change_to(account)) <= kSame * energy_that_moves(account));
}

// No error and no work of the run changes these energies.
void EnergyBalance::take_over(Account account) {
  changed_.add(change_to(account), energy_that_moves(account));
  now_ = std::move(account);
  largest_kinetic_ = std::max(largest_kinetic_, now_.kinetic);
}

template <typename Action>
void EnergyBalance::for_each_sample(const Step& step, Action action) const {
  action(step.weight_of_start, now_.exerted);
  for (const Exerted& exerted : step.within) action(exerted.weight, exerted);
  action(step.end.exerted.weight, step.end.exerted);
}

EnergyBalance::Works EnergyBalance::share_of_works(const Step& step, const std::array<double, kForceWorks>& sources, const State& start, const State& end,
                                                   const std::vector<char>* marked) const {
  Works done{};
  double& driven = done[index_of(Work::driven)];
  driven += driven_kinetic_energy(end, marked) - driven_kinetic_energy(start, marked);
  const auto turns = system_.held_turns(start.time, end.time);
  for_each_sample(step, [&](double weight, const Exerted& exerted) {
    for (std::size_t k = 0; k < kForceWorks; ++k) {
      const Field& forces = exerted.forces[k];
      for (int i = 0; i < system_.halo().owned() && !forces.values().empty(); ++i)
        if (counts(marked, i)) done[index_of(kForceWorkKinds[k])] += weight * forces[i].dot(end.q[i] - start.q[i]);
    }
    if (system_.driven().empty()) return;
    for (int i = 0; i < system_.halo().owned(); ++i)
      if (counts(marked, i)) driven -= weight * exerted.on_driven[i].dot(system_.held().held_part(i, end.q[i] - start.q[i]));
    for (const auto& [twist, arc] : turns)
      if (counts(marked, twist)) driven -= weight * exerted.on_driven[twist].x() * arc;
  });
  const auto& [damping, on_driven] = step.damping;
  for (int i = 0; i < system_.halo().owned() && !damping.values().empty(); ++i) {
    if (!counts(marked, i)) continue;
    const Vec3 way = end.q[i] - start.q[i];
    done[index_of(Work::damping)] += damping[i].dot(way);
    if (!on_driven.values().empty()) driven -= on_driven[i].dot(system_.held().held_part(i, way));
  }
  if (!on_driven.values().empty())
    for (const auto& [twist, arc] : turns) {
      if (!counts(marked, twist)) continue;
      done[index_of(Work::damping)] += damping[twist].x() * arc;
      driven -= on_driven[twist].x() * arc;
    }
  for (std::size_t k = 0; k < kForceWorks; ++k) done[index_of(kForceWorkKinds[k])] += sources[k] - now_.sources[k];
  return done;
}

void EnergyBalance::take_flow_losses(const State& end, Works& done) const {
  const std::string softening = kWorkNames[index_of(Work::softening)];
  for (const auto& force : system_.forces()) done[index_of(force->work_name() == softening ? Work::softening : Work::plastic)] -= force->flow_loss(end);
}

EnergyBalance::Works EnergyBalance::works_in(const Step& step, const State& start, const State& end) const {
  Works done = share_of_works(step, step.end.sources, start, end, nullptr);
  take_flow_losses(end, done);
  sum_over_ranks(system_.communicator(), done);
  const double length = end.time - start.time;
  for_each_sample(step, [&](double weight, const Exerted& exerted) {
    done[index_of(Work::driven)] += weight * work_of_obstacles(exerted, start.time, end.time);
    if (step.powers_at_ends) return;
    for (std::size_t k = 0; k < kContactWorkKinds.size(); ++k) done[index_of(kContactWorkKinds[k])] += weight * length * exerted.powers[k];
  });
  for (std::size_t k = 0; k < kContactWorkKinds.size() && step.powers_at_ends; ++k)
    done[index_of(kContactWorkKinds[k])] += length / 2 * (now_.exerted.powers[k] + step.end.exerted.powers[k]);
  return done;
}

double EnergyBalance::change_of_loads(const Account& next, const State& start, const State& end) const {
  const auto loads = static_cast<std::size_t>(std::find(kForceWorkKinds.begin(), kForceWorkKinds.end(), Work::loads) - kForceWorkKinds.begin());
  double sum = 0;
  for (const auto& [forces, half] : {std::pair(&next.exerted.forces[loads], 0.5), std::pair(&now_.exerted.forces[loads], -0.5)})
    for (int i = 0; i < system_.halo().owned() && !forces->values().empty(); ++i) sum += half * (*forces)[i].dot(end.q[i] - start.q[i]);
  return std::abs(sum_over_ranks(system_.communicator(), sum));
}

double EnergyBalance::left_over(const Account& next, const Works& done) const {
  double change = next.kinetic - now_.kinetic;
  for (std::size_t k = 0; k < next.stored.size(); ++k) change += next.stored[k] - (k < now_.stored.size() ? now_.stored[k] : 0);
  for (const double work : done) change -= work;
  return change;
}

EnergyBalance::Step EnergyBalance::step(const State& start, const State& end, std::span<const ContactSummary> contacts, const ContactTrace& trace,
                                        double stiffened) const {
  static const LogEvent event("EnergyBalance");
  const LogEvent::Scope timed(event);
  Step step;
  step.end = account_at(end, contacts, trace.weight_of_end);
  step.weight_of_start = trace.weight_of_start;
  for (const StepSample& sample : trace.within) step.within.push_back(exerted_at(sample.state, sample.contacts, sample.weight));
  if (trace.knows_weights) {
    step.powers_at_ends = false;
    for_each_sample(step, [&](double weight, const Exerted&) { step.powers_at_ends |= weight < 0; });
  }
  step.damping = damping_between(start, end);
  step.done = works_in(step, start, end);
  step.done[index_of(Work::contact_stiffness)] += stiffened;
  step.numerical = left_over(step.end, step.done);
  step.uncertain_loads =
      change_of_loads(step.end, start, end) + uncertain_work_of_jerks(system_, now_.exerted.on_driven, step.end.exerted.on_driven, start, end);
  const Exerted &at_start = now_.exerted, &at_end = step.end.exerted;
  for (std::size_t k = 0; k < at_start.powers.size() && step.powers_at_ends; ++k)
    step.uncertain += (end.time - start.time) * std::abs(at_end.powers[k] - at_start.powers[k]) / 2;
  if (!trace.knows_weights) step.uncertain += std::abs(work_of_obstacles(at_end, start.time, end.time) - work_of_obstacles(at_start, start.time, end.time)) / 2;
  step.cause = contacts_.size();
  double most = -1;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const double before = now_.contact_energies[i], after = step.end.contact_energies[i];
    const auto [least, largest] = std::minmax({before, after, i < trace.least.size() ? trace.least[i] : after, i < trace.most.size() ? trace.most[i] : after});
    step.acts.push_back(now_.touching[i] > 0 || step.end.touching[i] > 0 || trace.acts(i));
    if (!step.acts.back() || largest - least <= most) continue;
    most = largest - least;
    step.cause = i;
  }
  return step;
}

bool EnergyBalance::suggests_jump(const Step& step) const {
  double moved = step.works();
  for (std::size_t k = 0; k < step.end.stored.size(); ++k) moved += std::abs(step.end.stored[k] - now_.stored[k]);
  return std::abs(step.numerical) > std::max(kMissing * moved, kNegligible * scale());
}

// Moves only the marked bodies. The change of all energies that are stored elsewhere than in contacts then belongs to the forces within these bodies.
EnergyBalance::Part EnergyBalance::part_of(const Step& step, const State& start, const State& end, std::span<const char> marks) const {
  const std::vector<int>& body_of = bodies_->body_of();
  std::vector<char> moves(body_of.size());
  State moved = start;
  moved.time = end.time;
  for (std::size_t i = 0; i < body_of.size(); ++i) {
    moves[i] = body_of[i] >= 0 && marks[body_of[i]];
    if (!moves[i]) continue;
    const int vertex = static_cast<int>(i);
    moved.q[vertex] = end.q[vertex];
    moved.v[vertex] = end.v[vertex];
  }
  Part part{kinetic_energy(end, &moves) - kinetic_energy(start, &moves), 0};
  std::array<double, kForceWorks> sources{};
  for (const auto& force : system_.forces()) {
    if (force->energy_name().empty() || force->energy_name() == kContactName) continue;
    const double energy = force->energy(moved);
    part.change += energy;
    if (const auto work = work_of(*force)) sources[*work] += energy;
  }
  Works done = share_of_works(step, sources, start, end, &moves);
  take_flow_losses(moved, done);
  part.change = sum_over_ranks(system_.communicator(), part.change);
  sum_over_ranks(system_.communicator(), done);
  const std::vector<std::string> names = energy_names(system_);
  for (std::size_t k = 0; k < names.size(); ++k)
    if (names[k] != kContactName) part.change -= now_.stored[k];
  for (const double work : done) {
    part.change -= work;
    part.works += std::abs(work);
  }
  return part;
}

void EnergyBalance::distinguish(Step& step, const State& start, const State& end, std::vector<char> touched) const {
  bodies_->extend(touched);
  if (std::find(touched.begin(), touched.end(), 0) == touched.end()) return;
  for (char& mark : touched) mark = !mark;
  const Part elsewhere = part_of(step, start, end, touched);
  step.elsewhere = elsewhere.change;
  step.works_elsewhere = elsewhere.works;
}

void EnergyBalance::add(Step step) {
  Account& next = step.end;
  const Works& done = step.done;
  const double change = step.numerical;
  for (std::size_t k = 0; k < done.size(); ++k) {
    works_[k] += done[k];
    moved_ += std::abs(done[k]);
  }
  numerical_ += change;
  uncertain_ += step.uncertain_loads;
  numerical_by_contact_[step.cause] += step.in_contact();
  numerical_by_contact_.back() += step.elsewhere;
  now_ = std::move(next);
  largest_kinetic_ = std::max(largest_kinetic_, now_.kinetic - std::max(numerical_ - uncertain_, 0.0));
}

}  // namespace traction
