// Motions without inertia: the equilibrium at the end of each step (docs/theory/integrators.md, "Without inertia").
#pragma once

#include "dynamics/scheme.h"

namespace traction {

/// Takes steps from one equilibrium to the next.
class QuasiStatic : public Scheme {
 public:
  explicit QuasiStatic(StageSolver& solver) : solver_(solver) {}
  void take(Step& step, State& next) override;

 private:
  /// Throws SolverError on all ranks if a body moves as if nothing held it. @collective
  void require_support(const State& start, const State& end, double h);

  StageSolver& solver_;
};

}  // namespace traction
