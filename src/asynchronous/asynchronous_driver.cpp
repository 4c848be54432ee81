#include "asynchronous/asynchronous_driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "dynamics/energy_balance.h"
#include "errors.h"
#include "system/held_spins.h"
#include "system/supported_part.h"

namespace traction {

namespace {

constexpr double kTimeRounding = 1e-9;    // relative to a row
constexpr double kGainToWarnOf = 0.01;    // least gain to warn of, in parts of the largest kinetic energy
constexpr std::size_t kRowsToJudge = 20;  // number of rows in which the gain is judged
constexpr double kStrainOfChords = 1e-5;  // by which what is driven and turns shrinks between the ends of a chord
constexpr double kHeightOfChords = 0.01;  // below the arc, in thicknesses of contact
constexpr double kMostPieces = 1e4;       // that a row is divided into
constexpr double kToWarnAgain = 1.5;      // multiple of the gain that has been warned of from which the end of the run warns again

}  // namespace

AsynchronousDriver::AsynchronousDriver(System& system, const TimeSettings& time, const std::vector<double>& steps, State initial,
                                       std::optional<ContactSetup> contact)
    : system_(system), time_(time), loop_(system, steps, std::move(initial), std::move(contact)) {
  for (const DrivenGroup& group : system_.driven())
    if (std::isfinite(group.until)) releases_.push_back(group.until);
  events_.assign(events_of_row().size(), 0);
  const Potentials& potentials = loop_.potentials();
  for (const std::string& kind : potentials.kinds()) expected_events_.emplace_back(kind, 0);
  for (int p = 0; p < potentials.count(); ++p) expected_events_[static_cast<std::size_t>(potentials.kind(p))].second += 1 / steps[static_cast<std::size_t>(p)];
}

bool AsynchronousDriver::done() const { return state().time >= time_.end * (1 - 1e-12); }

void AsynchronousDriver::start_from(State state) { loop_.set_state(std::move(state)); }

double AsynchronousDriver::end_of_row() const {
  const double step = time_.steps.front().step, now = state().time, rounding = kTimeRounding * step;
  double end = (std::floor(now / step + kTimeRounding) + 1) * step;
  for (const double release : releases_)
    if (release > now + rounding) end = std::min(end, release);
  return end > time_.end - rounding ? time_.end : end;
}

// The number of pieces into which the row is divided so that what turns stays near its arcs, although it moves along their chords in each piece.
int AsynchronousDriver::pieces_until(double end) const {
  const double start = state().time, length = end - start;
  double fastest = 0, sharpest = 0;  // speed of driven turning [rad/s], and acceleration of what turns and may touch [m/s^2]
  const auto look = [&](const Motion& motion, const auto& add) {
    for (const double part : {0.0, 0.5, 1.0})
      if (const Pose pose(motion, start + part * length); pose.angular_velocity.norm() > 0) add(pose);
  };
  const LayeredContact* contact = loop_.contact();
  for (const DrivenGroup& group : system_.driven())
    if (!group.holds_twists)
      look(group.motion, [&](const Pose& pose) {
        fastest = std::max(fastest, pose.angular_velocity.norm());
        for (const Vec3& place : group.starts)
          if (contact) sharpest = std::max(sharpest, pose.acceleration_at(pose.to_world(place)).norm());
      });
  double pieces = fastest * length / std::sqrt(8 * kStrainOfChords);
  if (contact) {
    const ContactSetup& setup = contact->setup();
    for (std::size_t m = 0; m < setup.motions.size(); ++m)
      look(setup.motions[m], [&](const Pose& pose) {
        for (const ContactSetup::ObstaclePoint& point : setup.obstacle_points)
          if (point.motion == static_cast<int>(m)) sharpest = std::max(sharpest, pose.acceleration_at(pose.to_world(point.place)).norm());
      });
    double thinnest = std::numeric_limits<double>::infinity();
    for (const LayeredLaw& law : setup.laws) thinnest = std::min(thinnest, law.thickness);
    pieces = std::max(pieces, length * std::sqrt(sharpest / (8 * kHeightOfChords * thinnest)));  // the height of an arc over its chord is a t^2 / 8
  }
  return static_cast<int>(std::clamp(std::ceil(pieces), 1.0, kMostPieces));
}

// Driven vertices move uniformly from one piece of a row to the next, to the place that their motion prescribes.
void AsynchronousDriver::drive_until(double end) {
  if (system_.driven().empty()) return;
  State target = state();
  target.time = end;
  system_.set_driven_positions(target);
  const double dt = end - state().time;
  for (const DrivenGroup& group : system_.driven())
    for (const int vertex : group.vertices) {
      const Vec3 velocity = (target.q[vertex] - state().q[vertex]) / dt;
      loop_.set_velocity(vertex, system_.held().free_part(vertex, state().v[vertex]) + system_.held().held_part(vertex, velocity));
    }
}

double AsynchronousDriver::kinetic_energy() const {
  const std::map<int, double> spins = HeldSpins(system_).at(state());
  double sum = 0;
  for (int i = 0; i < system_.halo().owned(); ++i) sum += 0.5 * system_.mass()[static_cast<std::size_t>(i)] * with_spin(spins, i, state().v[i]).squaredNorm();
  return sum;
}

std::vector<double> AsynchronousDriver::energies() const {
  const std::vector<std::string> names = energy_names(system_);
  std::vector<double> sums(names.size(), 0.0);
  for (const auto& force : system_.forces()) {
    const auto found = std::find(names.begin(), names.end(), force->energy_name());
    if (found != names.end()) sums[static_cast<std::size_t>(found - names.begin())] += force->energy(state());
  }
  for (const LayeredContact::Summary& contact : contacts()) sums[kContactEnergy] += contact.energy;
  return sums;
}

double AsynchronousDriver::energy_without_contact() const {
  const std::vector<double> stored = energies();
  return std::accumulate(stored.begin(), stored.end(), kinetic_energy() - stored[kContactEnergy]);
}

bool AsynchronousDriver::flows() const {
  return std::any_of(system_.forces().begin(), system_.forces().end(), [](const auto& force) { return force->flowing_terms() != nullptr; });
}

double AsynchronousDriver::flow_loss() const {
  double loss = lost_by_flow_;
  for (const auto& force : system_.forces()) loss += force->flow_loss(state());
  return loss;
}

double AsynchronousDriver::lost() const { return lost_by_restitution_ + lost_by_friction_ + flow_loss(); }

bool AsynchronousDriver::is_driven() const {
  const auto works = [](const auto& force) { return force->work_name() == "loads" || force->work_name() == "pressure"; };
  const auto moves = [](const Motion& motion) { return !motion.empty(); };
  const auto drives = [&](const DrivenGroup& group) { return moves(group.motion); };
  if (std::any_of(system_.forces().begin(), system_.forces().end(), works) || std::any_of(system_.driven().begin(), system_.driven().end(), drives))
    return true;
  return loop_.contact() && std::any_of(loop_.contact()->setup().motions.begin(), loop_.contact()->setup().motions.end(), moves);
}

double AsynchronousDriver::energy_gained(const StepRecord& record) const {
  return std::accumulate(record.energies.begin(), record.energies.end(), record.kinetic_energy + lost() - changed_.total()) -
         std::accumulate(energies_at_start_->begin(), energies_at_start_->end(), 0.0);
}

std::optional<std::string> AsynchronousDriver::gain_to_warn_of(const StepRecord& record) {
  largest_kinetic_ = std::max({largest_kinetic_, record.kinetic_energy, energies_at_start_->front()});
  if (is_driven()) return {};
  gains_.push_back(energy_gained(record));
  if (gains_.size() > kRowsToJudge) gains_.erase(gains_.begin());
  if (warned_of_ > 0 || gains_.size() < kRowsToJudge) return {};
  auto warning = lasting_gain();
  if (warning) warned_of_ = gains_.back();
  return warning;
}

std::vector<std::string> AsynchronousDriver::closing_warnings() const {
  const bool is_old = warned_of_ > 0 && !gains_.empty() && gains_.back() < kToWarnAgain * warned_of_;
  const auto gain = is_driven() || is_old ? std::nullopt : lasting_gain();
  return gain ? std::vector{*gain} : std::vector<std::string>{};
}

std::optional<std::string> AsynchronousDriver::lasting_gain() const {
  if (gains_.empty()) return {};
  const double least = *std::min_element(gains_.begin(), gains_.end());
  if (!(least > kGainToWarnOf * largest_kinetic_)) return {};
  const bool restitutes = loop_.contact() && std::any_of(loop_.contact()->setup().laws.begin(), loop_.contact()->setup().laws.end(),
                                                         [](const LayeredLaw& law) { return law.restitution < 1; });
  return fmt::format(
      "the steps of asynchronous integration have added {:.3g} J by t = {:.4g} s, {:.2g} % of the largest kinetic energy so far; lower "
      "time.asynchronous.safety, and time.asynchronous.contact_safety if contact is involved{}",
      gains_.back(), state().time, 100 * gains_.back() / largest_kinetic_,
      restitutes ? "; where bodies ring, lost_by_restitution is too large with such steps, which appears here as a gain" : "");
}

std::vector<Reaction> AsynchronousDriver::reactions() const {
  std::vector<Reaction> reactions = system_.reactions(state());
  if (!loop_.contact()) return reactions;
  const std::vector<std::size_t> numbers = system_.reaction_numbers();
  for (std::size_t g = 0; g < numbers.size(); ++g) {
    const DrivenGroup& group = system_.driven()[g];
    for (std::size_t k = 0; k < group.vertices.size() && !group.holds_twists && state().time <= group.until; ++k) {
      const Vec3 pressed = loop_.contact()->impulses_on_vertices()[static_cast<std::size_t>(group.vertices[k])] / last_.dt;
      const Vec3 held = supported_part(group, k, pressed);
      reactions[numbers[g]].force -= held;
      reactions[numbers[g]].moment -= state().q[group.vertices[k]].cross(held);
    }
  }
  return reactions;
}

void AsynchronousDriver::begin() {
  if (energies_at_start_) return;
  std::vector<double> all = energies();
  all.insert(all.begin(), kinetic_energy());
  energies_at_start_ = std::move(all);
}

StepRecord AsynchronousDriver::advance() {
  State start = state();
  if (release_with_spins(system_, start))
    for (const int twist : system_.mesh().twists) loop_.set_velocity(twist, start.v[twist]);
  begin();
  const auto memory = system_.remembered();
  const double end = end_of_row();
  StepRecord record;
  record.step = steps() + 1;
  record.time = end;
  record.dt = end - start.time;
  try {
    loop_.advance(end, interruption_, pieces_until(end), [this](double until) { drive_until(until); });
  } catch (...) {  // a continued run repeats this row from its start
    start_from(start);
    system_.recall(memory);
    throw;
  }
  record.solver.converged = true;
  record.kinetic_energy = kinetic_energy();
  record.energies = energies();
  for (const LayeredContact::Summary& contact : contacts()) {
    ContactSummary& summary = record.contacts.emplace_back();
    summary.minimum_gap = summary.yielding_gap = contact.least_gap;
    summary.active = contact.pairs;
    summary.force = contact.force;
    summary.energy = contact.energy;
  }
  const auto events = events_of_row();
  for (std::size_t k = 0; k < events_.size(); ++k) events_[k] += events[k].second;
  if (loop_.contact()) {
    lost_by_restitution_ += loop_.contact()->lost_by_restitution();
    lost_by_friction_ += loop_.contact()->lost_by_friction();
  }
  lost_by_flow_ += loop_.lost_by_flow();
  last_ = record;
  record.solver.reactions = reactions();
  if (const auto warning = changed_.warning("energy_gained")) record.warnings.push_back(*warning);
  if (const auto warning = gain_to_warn_of(record)) record.warnings.push_back(*warning);
  return last_ = record;
}

std::vector<LayeredContact::Summary> AsynchronousDriver::contacts() const {
  return loop_.contact() ? loop_.contact()->summaries() : std::vector<LayeredContact::Summary>{};
}

std::vector<std::pair<std::string, long>> AsynchronousDriver::events_of_row() const {
  std::vector<std::pair<std::string, long>> result;
  const std::vector<std::string>& kinds = loop_.potentials().kinds();
  for (std::size_t k = 0; k < kinds.size(); ++k) result.emplace_back("events_" + kinds[k], loop_.events()[k]);
  if (loop_.contact()) {
    const LayeredContact::Counts& counts = loop_.contact()->counts();
    result.insert(result.end(), {{"events_contact", counts.layers}, {"events_certificates", counts.certificates}, {"events_courses", counts.courses}});
  }
  result.insert(result.end(), {{"spans", loop_.spans()}, {"repeated_spans", loop_.repeated_spans()}});
  return result;
}

std::vector<std::pair<std::string, double>> AsynchronousDriver::history() const {
  std::vector<std::pair<std::string, double>> columns;
  for (const auto& [name, count] : events_of_row()) columns.emplace_back(name, static_cast<double>(count));
  if (loop_.contact()) {
    int layers = 0;
    for (const LayeredContact::Summary& contact : contacts()) layers = std::max(layers, contact.layers);
    columns.insert(columns.end(), {{"layers", layers}, {"lost_by_restitution", lost_by_restitution_}, {"lost_by_friction", lost_by_friction_}});
  }
  if (flows()) columns.emplace_back("lost_by_flow", flow_loss());
  if (!is_driven()) columns.emplace_back("energy_gained", energies_at_start_ && !last_.energies.empty() ? energy_gained(last_) : 0);
  Vec3 momentum = Vec3::Zero(), angular_momentum = Vec3::Zero();
  std::vector<char> is_twist(system_.mass().size(), 0);
  for (const int twist : system_.mesh().twists) is_twist[static_cast<std::size_t>(twist)] = 1;
  for (int i = 0; i < system_.halo().owned(); ++i) {
    if (is_twist[static_cast<std::size_t>(i)]) continue;
    const Vec3 own = system_.mass()[static_cast<std::size_t>(i)] * state().v[i];
    momentum += own;
    angular_momentum += state().q[i].cross(own);
  }
  for (int axis = 0; axis < 3; ++axis) columns.emplace_back(std::string("momentum_") + "xyz"[axis], momentum[axis]);
  for (int axis = 0; axis < 3; ++axis) columns.emplace_back(std::string("angular_momentum_") + "xyz"[axis], angular_momentum[axis]);
  return columns;
}

std::vector<std::pair<std::string, double>> AsynchronousDriver::energy_balance() const {
  if (!energies_at_start_) return {};
  const auto stored = [](const auto& energies) { return std::accumulate(energies.begin(), energies.end(), 0.0); };
  std::vector<std::pair<std::string, double>> items = {{"kinetic_at_start", energies_at_start_->front()},
                                                       {"stored_at_start", stored(*energies_at_start_) - energies_at_start_->front()},
                                                       {"lost_by_restitution", lost_by_restitution_},
                                                       {"lost_by_friction", lost_by_friction_},
                                                       {"lost_by_flow", flow_loss()}};
  if (changed_.total() != 0) items.emplace_back("changed_settings", changed_.total());
  items.insert(items.end(), {{"kinetic_at_end", kinetic_energy()}, {"stored_at_end", stored(energies())}});
  return items;
}

std::vector<std::pair<std::string, long>> AsynchronousDriver::counts() const {
  std::vector<std::pair<std::string, long>> result = events_of_row();
  for (std::size_t k = 0; k < events_.size(); ++k) result[k].second = events_[k];
  return result;
}

void AsynchronousDriver::save(Archive& archive) const {
  archive.save("positions", state().q.values());
  archive.save("velocities", state().v.values());
  for (const auto& [name, values] : system_.remembered()) archive.save(name, values);
  archive.numbers.insert({{"time", state().time},
                          {"step", static_cast<double>(last_.step)},
                          {"lost by restitution", lost_by_restitution_},
                          {"lost by friction", lost_by_friction_},
                          {"lost by flow", lost_by_flow_},
                          {"largest kinetic", largest_kinetic_},
                          {"energy without contact", energy_without_contact()},
                          {"changed energy", changed_.total()},
                          {"warned of gains", warned_of_}});
  if (!energies_at_start_) return;
  archive.numbers["energies at the start"] = static_cast<double>(energies_at_start_->size());
  for (std::size_t k = 0; k < energies_at_start_->size(); ++k) archive.numbers[fmt::format("energy {} at the start", k)] = (*energies_at_start_)[k];
}

// Clocks follow from the time: rows end between events.
void AsynchronousDriver::load(const Archive& archive) {
  State loaded = state();
  archive.load("positions", loaded.q.values());
  archive.load("velocities", loaded.v.values());
  std::map<std::string, std::vector<double>> memory = system_.remembered();
  for (auto& [name, values] : memory) archive.load(name, values);
  system_.recall(memory);
  loaded.time = archive.number("time");
  last_ = {};
  last_.step = static_cast<long>(archive.number("step"));
  system_.release(std::nextafter(loaded.time, 0));  // vertices that are released at exactly this time are free from the next row on
  take_back_spins(system_, loaded);
  start_from(std::move(loaded));
  lost_by_restitution_ = archive.number("lost by restitution");
  lost_by_friction_ = archive.number("lost by friction");
  lost_by_flow_ = archive.numbers.contains("lost by flow") ? archive.number("lost by flow") : 0;
  largest_kinetic_ = archive.number("largest kinetic");
  warned_of_ = archive.number("warned of gains");
  gains_.clear();
  energies_at_start_.reset();
  if (!archive.numbers.contains("energies at the start")) return;
  std::vector<double> energies(static_cast<std::size_t>(archive.number("energies at the start")));
  for (std::size_t k = 0; k < energies.size(); ++k) energies[k] = archive.number(fmt::format("energy {} at the start", k));
  energies_at_start_ = std::move(energies);
  if (!archive.numbers.contains("energy without contact")) return;  // older versions did not write it
  changed_.restore(archive.number("changed energy"));
  const double before = archive.number("energy without contact");
  changed_.add(energy_without_contact() - before, std::abs(before) + largest_kinetic_);
}

int AsynchronousDriver::saved_fields() const {
  double remembered = 0;  // doubles per vertex
  for (const auto& force : system_.forces())
    if (Memory* memory = force->memory()) remembered += memory->components();
  return 2 + static_cast<int>(std::ceil(remembered / 3));
}

}  // namespace traction
