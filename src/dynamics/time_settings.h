// Steps in time and integrators: what a user can choose.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "settings/declaration.h"
#include "settings/given.h"

namespace traction {

enum class Integrator {
  backward_euler,
  trapezoidal,
  bdf2,
  tr_bdf2,
  sdirk2,
  tr_sdirk2,
  trapezoidal_split,  // as in the original IPC (P0 Sec. IV-E)
  generalized_alpha,  // Chung and Hulbert 1993
  ere,                // P1 Eq. 17; what follows treats the lowest modes with it: P1 Eqs. 19-26
  siere,
  beere,
  bdf2ere,
  sbdf2ere,
  str_sbdf2ere
};

constexpr auto choices_of(Integrator) {
  using enum Integrator;
  return std::to_array<Choice<Integrator>>({
      {backward_euler, "backward_euler", "Of first order; damps most."},
      {trapezoidal, "trapezoidal", "Damps nothing, and rings after a sudden load."},
      {bdf2, "bdf2", "Costs one stage; damps less than backward Euler."},
      {tr_bdf2, "tr_bdf2", "Damps what the step cannot resolve; estimates its error."},
      {sdirk2, "sdirk2", "Damps what the step cannot resolve; estimates its error."},
      {tr_sdirk2, "tr_sdirk2", "Damps what the step cannot resolve, and little else; estimates its error."},
      {trapezoidal_split, "trapezoidal_split", "The trapezoidal rule with contact outside of its average, for comparison only."},
      {generalized_alpha, "generalized_alpha", "Damps fast oscillations as `spectral_radius` says."},
      {ere, "ere", "Exponential Rosenbrock-Euler method."},
      {siere, "siere", "Semi-implicit; the lowest modes are exponential."},
      {beere, "beere", "Backward Euler; the lowest modes are exponential."},
      {bdf2ere, "bdf2ere", "BDF2; the lowest modes are exponential."},
      {sbdf2ere, "sbdf2ere", "Semi-implicit BDF2; the lowest modes are exponential."},
      {str_sbdf2ere, "str_sbdf2ere", "Semi-implicit trapezoidal rule, then BDF2; the lowest modes are exponential."},
  });
}

struct StepSettings {
  static constexpr SettingsDescription kDescription{"step_piece", "From a time on, steps of one length."};
  SETTING(double, from, 0, "Time from which on the step holds; 0 for the first piece, ascending.", unit("s"),
          required("give the time in s from which on the step holds"));
  SETTING(double, step, 0, "Length of the time step.", unit("s"), positive, required("give the length of the step in s"),
          hint("a zero-length or negative time step leads nowhere; give a positive number of seconds"));
  SETTING(std::optional<Integrator>, integrator, {}, "Integrator of this piece, where it is not that of the scene: a few damped steps calm a rough start.");
};

// Settings of single integrators.
struct SchemeSettings {
  SETTING(bool, semi_implicit, false, "One undamped Newton iteration per stage, from the last known state; for all integrators that are not exponential.");
  SETTING(double, spectral_radius, 0.8, "What generalized_alpha leaves of the fastest oscillations in a step.", at_least(0), at_most(1),
          hint("1 damps nothing, 0 most"));
  SETTING(double, exponential_tolerance, 1e-8, "Error of a step of ere, in parts of its change of the motion.", at_least(1e-14), below(1),
          hint("a usual value is 1e-8"));
  SETTING(int, modes, 10, "How many lowest modes siere to str_sbdf2ere split off.", at_least(0));
  SETTING(int, refresh_modes, 0, "After how many steps modes are computed anew; 0: those of the start are kept.", at_least(0));
  SETTING(bool, published_history, false, "The modes' motion stays in the history of bdf2ere and its relatives, as published (P1); they then gain energy.");
};

struct TimeSettings : SchemeSettings {
  static constexpr SettingsDescription kDescription{"time", "Steps and integrator."};
  SETTING(std::vector<StepSettings>, steps, {}, "Length of the time step, or a list of pieces.", key("step"), unit("s"), one_or_more, shorthand("step"),
          required("give the length of a time step in s"), not_empty("the schedule is empty; give a number, or a list of {from: ..., step: ...}"));
  SETTING(double, end, 0, "Time at which to stop.", unit("s"), positive, required("give the time in s at which to stop"));
  SETTING(Integrator, integrator, Integrator::sdirk2, "How a step is taken.");
  SETTING(int, maximum_halvings, 8, "How often in a row a step that fails, or errs by too much, is halved.", at_least(0));
  SETTING(std::optional<double>, error_tolerance, {},
          "Estimated error of positions in a step, root mean square over the worst body: steps are halved until they are within it. For sdirk2, tr_bdf2 and "
          "tr_sdirk2.",
          unit("m"), positive);
  SETTINGS_OF(SchemeSettings);

  void complete(const Given& given) const;
};

}  // namespace traction
