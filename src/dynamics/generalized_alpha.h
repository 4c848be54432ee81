// The generalized-alpha method as one stage (docs/theory/integrators.md, "Generalized-alpha"): second order, with a knob for what it does to fast oscillations.
#pragma once

#include "system/stage_equation.h"

namespace traction {

//   q1 = q0 + h v0 + h^2 ((1/2 - beta) a0 + beta a1),  v1 = v0 + h ((1 - gamma) a0 + gamma a1),
//   M ((1 - alpha_m) a1 + alpha_m a0) = f at alpha_f u0 + (1 - alpha_f) u1.
class GeneralizedAlpha {
 public:
  // `spectral_radius`: of a step for omega h -> infinity, 0 to 1. `h` [s].
  GeneralizedAlpha(double spectral_radius, double h);

  // The stage whose solution is alpha_f u0 + (1 - alpha_f) u1. `acceleration`: a0 [m/s^2].
  Stage stage(const System& system, const State& start, const Field& acceleration) const;
  double stage_time() const { return 1 - alpha_f_; }  // of that solution, as a fraction of the step
  // u1, with its acceleration; driven vertices where they must be.
  State end(const System& system, const State& start, const Field& acceleration, const State& solution) const;

 private:
  double h_, alpha_m_, alpha_f_, beta_, gamma_;
};

// M^-1 f at a state whose ghosts are valid, 0 on driven vertices; ghosts valid. Collective.
Field acceleration_at(const System& system, const State& state);

}  // namespace traction
