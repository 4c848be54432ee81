#include "dynamics/time_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace traction {

namespace {

constexpr double kLeastStep = 1e-12;  // relative to the whole time
constexpr int kUsualHalvings = 12;    // the default

// The names as a list: "tr_bdf2, sdirk2 or tr_sdirk2".
std::string estimating_integrators() {
  std::string names, last;
  for (const IntegratorTraits& row : kIntegratorTable) {
    if (!row.estimates_error()) continue;
    if (!last.empty()) names += (names.empty() ? "" : ", ") + last;
    last = row.name;
  }
  return names + " or " + last;
}

}  // namespace

// Where --set takes the inertia away, from a scene or from a run that is resumed, the file's settings of integrators may remain: they are reset, and a warning
// reports those that are not defaults.
void TimeSettings::leave_out_integrators(const Given& given) {
  const TimeSettings usual;
  const auto look = [&](const std::string& key, bool is_usual) {
    if (!given.has(key)) return;
    if (!given.is_override("inertia") || given.is_override(key))
      given.fail(key, "without inertia there is nothing to integrate: a step is one equilibrium; leave it out, or leave `inertia: false` out");
    if (!is_usual) idle.push_back({given.source(key) + ": has no effect without inertia, where a step is one equilibrium; leave it out", false, true});
  };
  look("integrator", integrator == usual.integrator);
  look("error_tolerance", !error_tolerance);
  look("semi_implicit", !semi_implicit);
  look("spectral_radius", spectral_radius == usual.spectral_radius);
  look("exponential_tolerance", exponential_tolerance == usual.exponential_tolerance);
  look("modes", modes == usual.modes);
  look("refresh_modes", refresh_modes == usual.refresh_modes);
  look("published_history", !published_history);
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i].integrator) look("step." + std::to_string(i) + ".integrator", false);
  SchemeSettings none;
  none.inertia = false;
  none.modes_source = modes_source;
  static_cast<SchemeSettings&>(*this) = none;
  integrator = usual.integrator;
  error_tolerance.reset();
  for (StepSettings& piece : steps) piece.integrator.reset();
}

void AsynchronousSettings::complete(const Given& given) const {
  for (const auto& [name, step] : longest)
    if (!(step > 0)) given.fail("longest." + name, "must be a positive number of seconds, found " + given.text("longest." + name) + "; leave it out for none");
}

void TimeSettings::check_asynchronous(const Given& given) const {
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i].integrator == Integrator::asynchronous)
      given.fail("step." + std::to_string(i) + ".integrator", "asynchronous integrates whole runs only; give it as time.integrator");
  if (integrator != Integrator::asynchronous) return;
  if (steps.size() > 1) given.fail("step", "is one number with integrator: asynchronous, whose clocks never change; give one length in s");
  if (semi_implicit) given.fail("semi_implicit", "has no effect with integrator: asynchronous, which solves no equations; leave it out");
}

// An idle setting that has its default is accepted, because a printed scene has all settings.
void TimeSettings::find_idle_settings(const Given& given) {
  const auto uses = [&](const auto& wanted) {
    return std::any_of(steps.begin(), steps.end(), [&](const StepSettings& piece) { return wanted(traits(piece.integrator.value_or(integrator))); });
  };
  const bool other_integrator = given.is_override("integrator") || given.is_override("step") || given.is_override("inertia");
  const auto add = [&](const std::string& key, const std::string& users) {
    idle.push_back({given.source(key) + ": has no effect: it is a setting of " + users + ", which this scene does not use; leave it out, or choose " + users,
                    given.is_override(key), other_integrator});
  };
  const SchemeSettings usual;
  if (!uses([](const IntegratorTraits& row) { return row.family == IntegratorFamily::additive_stages; })) {
    if (modes != usual.modes) add("modes", "siere or a relative of it");
    if (refresh_modes != usual.refresh_modes) add("refresh_modes", "siere or a relative of it");
    if (published_history) add("published_history", "bdf2ere or a relative of it");
  }
  if (spectral_radius != usual.spectral_radius && !uses([](const IntegratorTraits& row) { return row.integrator == Integrator::generalized_alpha; }))
    add("spectral_radius", "generalized_alpha");
  if (exponential_tolerance != usual.exponential_tolerance && !uses([](const IntegratorTraits& row) { return row.integrator == Integrator::ere; }))
    add("exponential_tolerance", "ere");
  if (given.has("asynchronous") && integrator != Integrator::asynchronous) add("asynchronous", "the integrator asynchronous");
  if (maximum_halvings != kUsualHalvings && integrator == Integrator::asynchronous) add("maximum_halvings", "an integrator that solves steps");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::string from = "step." + std::to_string(i) + ".from";
    if (steps[i].from < end || !given.has(from)) continue;
    idle.push_back({given.source(from) + fmt::format(": the piece from {:.6g} s on has no effect: the run ends at {:.6g} s; remove the piece, or end the run "
                                                     "later. To stop early once, give --set time.end instead",
                                                     steps[i].from, end),
                    false, given.is_override("end")});
  }
}

void TimeSettings::complete(const Given& given) {
  if (given.has("modes")) modes_source.text = given.source("modes");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::string from = "step." + std::to_string(i) + ".from";
    if (i == 0 && steps[0].from != 0) given.fail(from, "the first piece must begin at 0, found " + given.text(from) + "; write from: 0");
    if (i > 0 && steps[i].from <= steps[i - 1].from)
      given.fail(from, "must come after the piece before, found " + given.text(from) + "; sort the pieces by increasing time");
    // With more steps than this, rounding errors would stop time from advancing.
    if (steps[i].step < kLeastStep * end) given.fail("end", "takes more than 1e12 steps of the shortest length; lengthen the steps, or stop earlier");
  }
  if (!inertia) leave_out_integrators(given);
  check_asynchronous(given);
  for (const StepSettings& piece : steps) {
    const Integrator used = piece.integrator.value_or(integrator);
    if (error_tolerance && !traits(used).estimates_error())
      given.fail("error_tolerance",
                 std::string(word_of(used)) + " does not estimate the error of its steps; use " + estimating_integrators() + ", or leave error_tolerance out");
    if (semi_implicit && traits(used).is_exponential())
      given.fail("semi_implicit", "applies to integrators that are not exponential; siere, sbdf2ere and str_sbdf2ere are always semi-implicit: remove it");
  }
  find_idle_settings(given);
}

}  // namespace traction
