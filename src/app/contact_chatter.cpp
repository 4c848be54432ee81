#include "app/contact_chatter.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "system/body_motion.h"

namespace traction {

namespace {

constexpr double kLow = 0.7, kHigh = 1.3;  // a swing leads from below the first to above the second part of the mean force
constexpr int kManySwings = 10;            // number of swings with sliding and without a break; a body that lands and comes to rest has fewer
constexpr double kLeastLoad = 0.2;         // part of a body's weight that presses on a steep slope
constexpr double kLargestLoad = 1.5;       // multiple of the weight of all bodies: larger loads come from other forces

}  // namespace

void ContactChatter::look(const StepRecord& step) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    Episode& episode = present_[i];
    if (!(contacts_[i].largest_load > 0)) continue;
    if (step.contacts[i].active == 0) {
      episode = {};
      continue;
    }
    if (!(episode.end > 0)) episode.begin = step.time - step.dt;
    const double force = step.contacts[i].force.norm();
    episode.end = step.time;
    episode.impulse += force * step.dt;
    episode.friction_work -= step.contacts[i].friction_power * step.dt;
    const double mean = episode.mean();
    if (force < kLow * mean) episode.is_low = true;
    if (!(force > kHigh * mean) || !episode.is_low) continue;
    episode.is_low = false;
    const bool slides = episode.friction_work > contacts_[i].creep * (episode.impulse - episode.impulse_before);
    episode.friction_work = 0;
    episode.impulse_before = episode.impulse;
    if (!slides) continue;
    if (episode.swings++ == 0) episode.first = step.time;
    episode.last = step.time;
    if (episode.swings > worst_[i].swings && mean >= contacts_[i].least_load && mean <= contacts_[i].largest_load) worst_[i] = episode;
  }
}

std::vector<std::string> ContactChatter::warnings() const {
  std::vector<std::string> warnings;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Episode& worst = worst_[i];
    if (worst.swings < kManySwings) continue;
    warnings.push_back(
        fmt::format("contact '{}' chatters: it carries {:.3g} N in the mean, and from t = {:.4g} s to {:.4g} s its force has risen {} times from less than "
                    "{:.0f} % of this to more than {:.0f} % while bodies slid. In this time friction does not hold them as it should: they creep, or stop "
                    "late. Start them in equilibrium (initial: {{equilibrium: true}}), or give the contact `damping`",
                    contacts_[i].name, worst.mean(), worst.first, worst.last, worst.swings, 100 * kLow, 100 * kHigh));
  }
  return warnings;
}

std::vector<ContactChatter::Contact> carrying_contacts(const Simulation& simulation) {
  const System& system = *simulation.system;
  const State& state = simulation.loop->state();
  const double gravity = simulation.scene.gravity.norm();
  const std::vector<BodyMotion> motions = body_motions(system, state.q, state.v);
  double all = 0;
  for (const BodyMotion& body : motions) all += body.held ? 0 : gravity * body.mass;
  std::vector<ContactChatter::Contact> contacts;
  for (const auto& contact : simulation.contacts) {
    ContactChatter::Contact& watched = contacts.emplace_back(ContactChatter::Contact{contact->name()});
    if (contacts.size() > simulation.scene.contacts.size() || !system.has_inertia() || !(all > 0) || !contact->unweighted_law().friction) continue;
    const ContactSettings& settings = simulation.scene.contacts[contacts.size() - 1];
    if (settings.all) continue;  // the sum of the forces of many bodies shows no swings
    double lightest = std::numeric_limits<double>::infinity();
    for (std::size_t b = 0; b < motions.size(); ++b)
      if (!motions[b].held && settings.names(simulation.scene.bodies[b].name)) lightest = std::min(lightest, gravity * motions[b].mass);
    if (lightest <= all) watched = {contact->name(), kLeastLoad * lightest, kLargestLoad * all, contact->friction_tolerance()};
  }
  return contacts;
}

}  // namespace traction
