// The messages to users about energy that numerical errors have added or taken.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dynamics/energy_balance.h"
#include "dynamics/energy_words.h"

namespace traction {

namespace {

constexpr double kGainToWarnOf = 0.01;
constexpr double kNegligibleGain = 1e-4;  // share of all energy that the run has moved; a contact that gains less is not worth a warning
constexpr int kStepsToSettle = 10;        // the number of steps without a doubling after which an energy hardly grows
constexpr double kLossToWarnOf = 1.0 / 3;
constexpr double kLossOfRigidBodies = 0.1;  // the same where no body can ring, so that all of the loss is an error
constexpr double kRunaway = 0.5;            // gain to stop at

// The end of the words about what a gain is compared with.
const char* so_far(bool is_of_contacts) { return is_of_contacts ? "moved in contact so far" : "moved so far"; }

// The end of the advice about energy that is gained: which integrator takes more of it out.
std::string calmer_than(Integrator integrator) {
  if (traits(integrator).family == IntegratorFamily::additive_stages)
    return ", modes of the present state (refresh_modes: 1), or an integrator that takes energy out, such as sdirk2";
  switch (integrator) {
    case Integrator::backward_euler: return "";
    case Integrator::sdirk2:
    case Integrator::sdirk3: return ", or an integrator that takes more energy out, such as backward_euler";
    case Integrator::trapezoidal:
    case Integrator::generalized_alpha: return ", or an integrator that damps fast vibrations and keeps spin, such as tr_sdirk2";
    default: return ", or an integrator that takes energy out, such as sdirk2";
  }
}

// The end of the advice about energy that is lost: which integrator takes less.
std::string livelier_than(Integrator integrator) {
  switch (integrator) {
    case Integrator::backward_euler:
    case Integrator::sdirk2:
    case Integrator::siere:
    case Integrator::beere: return ", or an integrator that takes less, such as tr_sdirk2";
    default: return "";
  }
}

}  // namespace

std::string EnergyBalance::words_of(const GainSoFar& gain, const char* scope, Integrator integrator) const {
  const std::string other = system_.has_inertia() ? calmer_than(integrator) : "";
  const std::string amount =
      fmt::format("numerical errors have added {:.3g} J, {} of the energy {}", gain.energy, percent_text(gain.energy / gain.scale), scope);
  if (gain.cause == contacts_.size()) return fmt::format("{}, most of it while nothing touched; take shorter steps{}", amount, other);
  return fmt::format("{}, most of it while contact '{}' touched; take shorter steps there, a lower stiffness or a greater thickness of the contact{}", amount,
                     contacts_[gain.cause], other);
}

double EnergyBalance::moved_so_far(double speed) const { return std::max(largest_kinetic_, system_.total_mass() * speed * speed / 2) + moved_; }
double EnergyBalance::moved_in_contact(double moved_by_contact) const { return std::min(largest_kinetic_, moved_by_contact) + moved_; }

// In the first steps of a run, or of a motion, next to nothing has moved, so that any error is large beside it.
void EnergyBalance::grow(Growth& growth, double energy) {
  ++growth.steps;
  if (energy > 2 * growth.doubled) growth = {energy, 0};
}

std::vector<double> EnergyBalance::known_gains() const {
  std::vector<double> known;
  for (const std::string& contact : contacts_) known.push_back(warned_of_.known(contact));
  known.push_back(warned_of_.known(""));
  return known;
}

std::vector<EnergyBalance::GainSoFar> EnergyBalance::gains_so_far(double speed, double moved_by_contact, const ContactGains& gains) const {
  const std::vector<double> known = known_gains();
  const double negligible = kNegligibleGain * (largest_kinetic_ + moved_), of_contacts = moved_in_contact(moved_by_contact);
  std::vector<GainSoFar> found;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const double gain = std::max(numerical_by_contact_[i], gains.of_all_episodes(i));
    if (gain > known[i] && !gains.is_growing(i) && gain > std::max(kGainToWarnOf * of_contacts, negligible) && gain > gains.noise(i))
      found.push_back({i, gain, of_contacts, true});
  }
  const double scale = moved_so_far(speed);
  const auto cause = static_cast<std::size_t>(std::max_element(numerical_by_contact_.begin(), numerical_by_contact_.end()) - numerical_by_contact_.begin());
  const bool is_found = std::any_of(found.begin(), found.end(), [&](const GainSoFar& gain) { return gain.cause == cause; });
  if (!is_found && numerical_ - uncertain_ > kGainToWarnOf * scale && numerical_ > known[cause]) found.push_back({cause, numerical_, scale, false});
  return found;
}

std::optional<std::string> EnergyBalance::warning(double speed, double moved_by_contact, const ContactGains& gains, Integrator integrator) {
  grow(growth_, scale());  // without the energy of slow motions, which does not grow
  grow(growth_in_contact_, moved_in_contact(moved_by_contact));
  const auto warn_of = [&](const GainSoFar& gain, const char* scope) {
    warned_of_.note(gain.cause < contacts_.size() ? contacts_[gain.cause] : "", gain.energy);
    return words_of(gain, scope, integrator);
  };
  const double negligible = kNegligibleGain * (largest_kinetic_ + moved_);
  if (const auto gain = gains.beyond(kGainToWarnOf, known_gains()); gain && gain->energy > negligible)
    return warn_of({gain->contact, gain->energy, gain->moved, true}, "that it moved");
  for (const GainSoFar& gain : gains_so_far(speed, moved_by_contact, gains))
    if ((gain.is_of_contacts ? growth_in_contact_ : growth_).steps >= kStepsToSettle) return warn_of(gain, so_far(gain.is_of_contacts));
  return std::nullopt;
}

std::optional<std::string> EnergyBalance::last_warning(double speed, double moved_by_contact, const ContactGains& gains, Integrator integrator) const {
  const std::vector<GainSoFar> found = gains_so_far(speed, moved_by_contact, gains);
  if (found.empty()) return std::nullopt;
  return words_of(found.front(), so_far(found.front().is_of_contacts), integrator);
}

std::optional<std::string> EnergyBalance::runaway(const Step& step, double speed, Integrator integrator, bool anywhere) const {
  // Where nothing touches, a single step that resolves nothing may count as a gain, so that only gains which last for another step count.
  const double untouched = numerical_by_contact_.back(), change = step.elsewhere + (step.cause == contacts_.size() ? step.in_contact() : 0);
  const double gained = (anywhere ? numerical_ + step.numerical : untouched + std::min(change, 0.0)) - uncertain_ - step.uncertain - step.uncertain_loads;
  const double kinetic = step.end.kinetic - std::max(numerical_ + step.numerical - uncertain_ - step.uncertain_loads, 0.0);
  const double scale = std::max({largest_kinetic_, kinetic, system_.total_mass() * speed * speed / 2}) + moved_ + step.works();
  if (!system_.has_inertia() || !(gained > kRunaway * scale)) return std::nullopt;
  return fmt::format("numerical errors have added {:.3g} J, {} so far: {} is unstable in this motion; take shorter steps{}", gained,
                     part_of_energy_moved(gained, scale), traits(integrator).name, calmer_than(integrator));
}

std::optional<std::string> EnergyBalance::loss(double speed, Integrator integrator, double moved_by_contact) const {
  const bool are_rigid = system_.mesh().frames.size() == system_.bodies().size();
  const auto cause = static_cast<std::size_t>(std::min_element(numerical_by_contact_.begin(), numerical_by_contact_.end()) - numerical_by_contact_.begin());
  const bool is_impact = are_rigid && cause < contacts_.size();
  const double everywhere = moved_so_far(speed), resting = system_.total_mass() * speed * speed / 2;
  const double scale = is_impact ? std::min(everywhere, std::max(resting, moved_in_contact(moved_by_contact))) : everywhere;
  if (!system_.has_inertia() || !(-numerical_ > (are_rigid ? kLossOfRigidBodies : kLossToWarnOf) * scale)) return std::nullopt;
  if (is_impact)
    return fmt::format(
        "the integrator has taken {:.3g} J out of the motion, {}, most of it while contact '{}' touched: impacts of rigid bodies last too few steps. "
        "Where rebounds matter take shorter steps, or give that contact a pressure with which impacts last ten steps or more{}",
        -numerical_, part_of_energy_moved(numerical_, scale, scale < everywhere ? " in contact" : ""), contacts_[cause], livelier_than(integrator));
  return fmt::format("the integrator has taken {:.3g} J out of the motion, {}, as damping that no setting asks for; where that matters take shorter steps{}",
                     -numerical_, part_of_energy_moved(numerical_, scale), livelier_than(integrator));
}

}  // namespace traction
