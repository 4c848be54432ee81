// Settings of time steps and integrators.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/integrators.h"
#include "settings/declaration.h"
#include "settings/given.h"
#include "settings/source.h"

namespace traction {

constexpr auto choices_of(Integrator) {
  std::array<Choice<Integrator>, kIntegratorTable.size()> choices{};
  for (std::size_t i = 0; i < choices.size(); ++i) choices[i] = {kIntegratorTable[i].integrator, kIntegratorTable[i].name, kIntegratorTable[i].summary};
  return choices;
}

/// A piece of the schedule: steps of one length, and perhaps an integrator of their own.
struct StepSettings {
  static constexpr SettingsDescription kDescription{"step_piece", "From a time on, steps of one length."};
  SETTING(double, from, 0, "Time from which the step applies; 0 for the first piece, ascending.", unit("s"),
          required("give the time in s from which the step applies"));
  SETTING(double, step, 0, "Length of the time step.", unit("s"), positive, required("give the length of the step in s"),
          hint("a zero-length or negative time step leads nowhere; give a positive number of seconds"));
  SETTING(std::optional<Integrator>, integrator, {}, "Integrator of this piece, if it is not the scene's: a few damped steps calm a rough start.");
};

/// Settings that belong to single integrators.
struct SchemeSettings {
  SETTING(bool, inertia, true,
          "Whether bodies have inertia. Without it a run is a sequence of equilibria and takes no integrator; time then sets the pace of loads, driven parts "
          "and friction.");
  SETTING(bool, semi_implicit, false, "One undamped Newton iteration per stage, from the last known state; for all integrators that are not exponential.",
          written_if(self.inertia));
  SETTING(double, spectral_radius, 0.8, "Factor by which generalized_alpha multiplies the fastest oscillations in a step.", at_least(0), at_most(1),
          hint("1 damps nothing, 0 most"), written_if(self.inertia));
  SETTING(double, exponential_tolerance, 1e-8, "Error of a step of ere, relative to its change of the motion.", at_least(1e-14), below(1),
          hint("a usual value is 1e-8"), written_if(self.inertia));
  SETTING(int, modes, 10, "Number of lowest modes that siere to str_sbdf2ere split off.", at_least(0), written_if(self.inertia));
  SETTING(int, refresh_modes, 0, "Number of steps after which modes are computed again; 0: the modes of the start are kept, and turn with free bodies.",
          at_least(0), written_if(self.inertia));
  SETTING(bool, published_history, false, "The modes' motion stays in the history of bdf2ere and its relatives, as published (P1); they then gain energy.",
          written_if(self.inertia));

  Source modes_source{"time.modes"};  ///< where the number of modes was given
};

/// Settings of the integrator asynchronous (docs/theory/asynchronous.md, "Clocks").
struct AsynchronousSettings {
  static constexpr SettingsDescription kDescription{"asynchronous", "The clocks of the integrator asynchronous."};
  using Steps = std::map<std::string, double>;
  SETTING(double, safety, 0.2, "Step of an element, spring or volume, relative to the largest that is stable.", above(0), below(1),
          hint("smaller steps keep the energy more closely"));
  SETTING(double, contact_safety, 0.1, "Step of a layer of contact, relative to the largest that is stable for one pair alone.", above(0), below(1),
          hint("a vertex may touch in many pairs at once"));
  SETTING(Steps, longest, {}, "The longest step, in s, of everything that acts only within a region, as in `ball.core`, or within a body.",
          names(Names::regions));

  void complete(const Given& given) const;
};

/// A setting that a scene gives and nothing uses.
struct IdleSetting {
  std::string text;               ///< a sentence that begins with the place and ends with a remedy
  bool is_override = false;       ///< --set gives it
  bool through_override = false;  ///< whether an override (--set) makes it idle
};

/// The schedule of a run: steps, their end, and the integrator.
struct TimeSettings : SchemeSettings {
  static constexpr SettingsDescription kDescription{"time", "Steps and integrator.",
                                                    R"([{"if": {"required": ["inertia"], "properties": {"inertia": {"const": false}}},
           "then": {"not": {"anyOf": [{"required": ["integrator"]}, {"required": ["error_tolerance"]}, {"required": ["semi_implicit"]}, {"required": ["spectral_radius"]},
                                      {"required": ["exponential_tolerance"]}, {"required": ["modes"]}, {"required": ["refresh_modes"]}, {"required": ["published_history"]}]}}}])"};
  SETTING(std::vector<StepSettings>, steps, {}, "Length of the time step, or a list of pieces.", key("step"), unit("s"), one_or_more, shorthand("step"),
          required("give the length of a time step in s"), not_empty("the schedule is empty; give a number, or a list of {from: ..., step: ...}"));
  SETTING(double, end, 0, "Time at which to stop.", unit("s"), positive, required("give the time in s at which to stop"));
  SETTING(Integrator, integrator, Integrator::tr_sdirk2,
          "How a step is taken. With asynchronous, the step is the longest of all clocks, and what a row of the history covers.", written_if(self.inertia));
  SETTING(int, maximum_halvings, 12, "How many times in a row a step is halved if it fails, or if its error is too large.", at_least(0));
  SETTING(std::optional<double>, error_tolerance, {},
          "Estimated error of positions in a step, root mean square over the worst body: steps are halved until they are within it. For sdirk2, tr_bdf2 and "
          "tr_sdirk2.",
          unit("m"), positive, written_if(self.inertia));
  SETTINGS_OF(SchemeSettings);
  SETTING(AsynchronousSettings, asynchronous, {}, "", written_if(self.integrator == Integrator::asynchronous));

  std::vector<IdleSetting> idle;  ///< found when the settings are read

  void complete(const Given& given);

 private:
  void find_idle_settings(const Given& given);
  void check_asynchronous(const Given& given) const;
  void leave_out_integrators(const Given& given);
};

}  // namespace traction
