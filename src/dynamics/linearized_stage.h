// A stage solved by one undamped Newton iteration from the last known state: docs/theory/integrators.md, "Semi-implicit schemes".
#pragma once

#include "dynamics/modal_split.h"
#include "solver/newton.h"

namespace traction {

// The part that the split-off modes add to a stage of an additive scheme.
struct StageExponential {
  const ModalSplit* split = nullptr;  // at the base state; none: null
  ModalSplit::Increment increment;    // of the stage [m, m/s]
  bool project_history = true;        // leave the modes' part out of q_hat and v_hat - base: the increment is all of their motion
  double duration = 0;                // from the base state to the stage's time [s]
};

// Solves  u - base - a h J_H (u - base) = u_hat - base + a h H(base) + increment  for u, where the equation's stage gives a h and u_hat, the latter as q_hat,
// v_hat and momentum, and J_H is that of all forces less J_G. `force`: that of all at `base`, which has ghosts valid and the stage's time; there the equation
// must be linearized. Ghosts of `solution` are valid. Collective.
NewtonReport solve_linearized(StageEquation& equation, NewtonSolver& solver, const State& base, Field force, const StageExponential& exponential,
                              State& solution);

}  // namespace traction
