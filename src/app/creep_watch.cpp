#include "app/creep_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/repeated_warnings.h"
#include "parallel/collective.h"
#include "system/body_motion.h"

namespace traction {

namespace {

constexpr double kFollows = 5;        // a body creeps if it moves less than this many times as fast as it slides, and more than the inverse of it
constexpr double kNotable = 0.01;     // creep to warn of, in parts of the body's gyration radius
constexpr double kRemaining = 0.1;    // part of that creep which the advised tolerance leaves until the run's end
constexpr double kLeastSpeed = 1e-9;  // [m/s]; no run is so long that slower bodies creep notably

// The largest power of ten, or half of one, up to a number.
double rounded_down(double number) {
  const double power = std::pow(10, std::floor(std::log10(number)));
  return number >= 5 * power ? 5 * power : power;
}

}  // namespace

CreepWatch::CreepWatch(const Simulation& simulation) : simulation_(simulation) {
  const std::vector<ContactSettings>& contacts = simulation.scene.contacts;
  for (std::size_t c = 0; c < std::min(contacts.size(), simulation.contacts.size()); ++c) {
    if (!contacts[c].friction || contacts[c].friction->largest_coefficient() == 0) continue;
    watched_.push_back(c);
    largest_tolerance_ = std::max(largest_tolerance_, contacts[c].friction->tolerance);
  }
  if (watched_.empty()) return;
  const State& state = simulation.loop->state();
  for (const BodyMotion& body : body_motions(*simulation.system, state.q, state.v)) sizes_.push_back(body.gyration_radius());
  crept_.assign(sizes_.size(), 0.0);
}

std::vector<double> CreepWatch::speeds() const {
  const System& system = *simulation_.system;
  const Field& v = simulation_.loop->state().v;
  const std::size_t bodies = system.bodies().size();
  std::vector<double> sums(2 * bodies, 0.0);  // masses, twice the energies
  for (std::size_t b = 0; b < bodies; ++b)
    for (const int vertex : system.bodies()[b]) {
      sums[b] += system.mass()[vertex];
      sums[bodies + b] += system.mass()[vertex] * v[vertex].squaredNorm();
    }
  sum_over_ranks(system.communicator(), sums);
  std::vector<double> speeds(bodies, 0.0);
  for (std::size_t b = 0; b < bodies; ++b)
    if (sums[b] > 0) speeds[b] = std::sqrt(sums[bodies + b] / sums[b]);
  return speeds;
}

std::vector<CreepWatch::Sliding> CreepWatch::sliding(const StepRecord& step) const {
  const System& system = *simulation_.system;
  State state = simulation_.loop->state();
  system.exchange(state.q);
  system.exchange(state.v);
  const std::size_t bodies = system.places().size();
  std::vector<Sliding> result(bodies);
  for (const std::size_t c : watched_) {
    if (step.contacts[c].active == 0) continue;
    Field weighted(system.halo().local()), shares(system.halo().local());
    simulation_.contacts[c]->add_sliding(state, weighted, shares);
    std::vector<double> sums(2 * bodies, 0.0);  // normal forces, weighted speeds
    for (std::size_t b = 0; b < bodies; ++b)
      for (const int vertex : system.places()[b]) {
        sums[b] += shares[vertex].x();
        sums[bodies + b] += weighted[vertex].norm();
      }
    sum_over_ranks(system.communicator(), sums);
    for (std::size_t b = 0; b < bodies; ++b) {
      if (!(sums[b] > 0)) continue;
      Sliding& body = result[b];
      body.force += sums[b];
      body.weighted_speed += sums[bodies + b];
      body.slips = body.slips || sums[bodies + b] >= simulation_.scene.contacts[c].friction->tolerance * sums[b];
      if (sums[b] > body.most) body.most = sums[b], body.contact = c;
    }
  }
  return result;
}

std::vector<std::string> CreepWatch::look(const StepRecord& step) {
  if (std::none_of(watched_.begin(), watched_.end(), [&](std::size_t c) { return step.contacts[c].active > 0; })) return {};
  const std::vector<double> moving = speeds();
  const auto may_creep = [&](double speed) { return speed > kLeastSpeed && speed < kFollows * largest_tolerance_; };
  if (std::none_of(moving.begin(), moving.end(), may_creep)) return {};
  const std::vector<Sliding> bodies = sliding(step);
  RepeatedWarnings warnings;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Sliding& body = bodies[b];
    if (!may_creep(moving[b]) || body.slips || !(body.force > 0)) continue;
    const double speed = body.weighted_speed / body.force;
    if (moving[b] > kFollows * speed || speed > kFollows * moving[b]) continue;
    crept_[b] += speed * step.dt;
    const ContactSettings& contact = simulation_.scene.contacts[body.contact];
    const double limit = std::max(contact.thickness, kNotable * sizes_[b]);
    const std::string& name = simulation_.system->body_names()[b];
    if (crept_[b] <= limit || !warned_.is_due(name, crept_[b])) continue;
    const double until_end = crept_[b] * std::max(1.0, simulation_.scene.time.end / step.time);
    warnings.add(
        "creep", name,
        fmt::format(
            "body '{}' has crept by {:.3g} m where friction should hold it: in the contact '{}' friction holds it only at a part of its tolerance, {:.3g} "
            "m/s. What stands by friction may slide, turn or fall in this way; a friction.tolerance of {:.1g} m/s keeps the creep small for this run",
            name, crept_[b], contact.name, contact.friction->tolerance, rounded_down(contact.friction->tolerance * kRemaining * limit / until_end)));
  }
  return warnings.messages();
}

}  // namespace traction
