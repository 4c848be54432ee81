// Solves a stage by one undamped Newton iteration from the last known state (docs/theory/integrators.md, "Semi-implicit schemes").
#pragma once

#include "dynamics/modal_split.h"
#include "solver/newton.h"

namespace traction {

/// The contribution of the split-off modes to a stage of an additive scheme.
struct StageExponential {
  const ModalSplit* split = nullptr;  ///< modes at the base state; null without modes
  ModalSplit::Increment increment;    ///< increment of the stage [m, m/s]
  bool project_history = true;        ///< whether to remove the modes' part from q_hat and v_hat - base, because the increment contains all of their motion
  double duration = 0;                ///< from the base state to the stage's time [s]
};

/// Solves  u - base - a h J_H (u - base) = u_hat - base + a h H(base) + increment  for u. The equation's stage provides a h and u_hat, the latter as q_hat,
/// v_hat and momentum; J_H is the Jacobian of all forces minus J_G. `force`: all forces at `base`, whose ghosts are valid and whose time is the stage's; the
/// equation must be linearized there. Ghosts of `solution` are valid afterwards. @collective
NewtonReport solve_linearized(StageEquation& equation, NewtonSolver& solver, const State& base, Field force, const StageExponential& exponential,
                              State& solution);

}  // namespace traction
