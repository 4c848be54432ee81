// Steps in time and integrators: what a user can choose.
#pragma once

#include <optional>
#include <vector>

namespace traction {

// trapezoidal_split is the trapezoidal rule with contact and friction outside of its average, as in the original IPC: for comparison (P0 Sec. IV-E).
enum class Integrator {
  backward_euler,
  trapezoidal,
  bdf2,
  tr_bdf2,
  sdirk2,
  tr_sdirk2,
  trapezoidal_split,
  generalized_alpha,  // Chung and Hulbert 1993
  ere,                // exponential Rosenbrock Euler, P1 Eq. 17; of the rest, what treats the lowest modes with it: P1 Eqs. 19-26
  siere,
  beere,
  bdf2ere,
  sbdf2ere,
  str_sbdf2ere
};

// From time `from` on, steps of length `step`. The first piece starts at 0; pieces are sorted by `from`.
struct StepSettings {
  double from = 0;                       // [s]
  double step = 0;                       // [s]
  std::optional<Integrator> integrator;  // none: that of the scene. A few L-stable steps calm a start that the trapezoidal rule would ring with
};

// Settings of single integrators.
struct SchemeSettings {
  bool semi_implicit = false;           // one undamped Newton iteration per stage, from the last known state; of all that are not exponential
  double spectral_radius = 0.8;         // generalized_alpha: what it leaves of the fastest oscillations in a step, 0 to 1
  double exponential_tolerance = 1e-8;  // ere: error of a step, in parts of its change of the motion
  int modes = 10;                       // siere to str_sbdf2ere: the lowest so many
  int refresh_modes = 0;                // computed anew after so many steps; 0: those of the start are kept
  bool published_history = false;       // the BDF2 ones: as P1 prints them, with the modes' motion in BDF2's history; they then gain energy
};

struct TimeSettings : SchemeSettings {
  std::vector<StepSettings> steps;
  double end = 0;  // [s]
  Integrator integrator = Integrator::sdirk2;
  int maximum_halvings = 8;               // a step that fails, or errs by too much, is halved at most so many times in a row
  std::optional<double> error_tolerance;  // [m] of positions in a step, estimated; none: the steps as scheduled
};

}  // namespace traction
