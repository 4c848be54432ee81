// Motions without inertia: the equilibrium at the end of each step (docs/theory/integrators.md, "Without inertia").
#pragma once

#include "dynamics/scheme.h"

namespace traction {

class QuasiStatic : public Scheme {
 public:
  explicit QuasiStatic(StageSolver& solver) : solver_(solver) {}
  void take(Step& step, State& next) override;

 private:
  StageSolver& solver_;
};

}  // namespace traction
