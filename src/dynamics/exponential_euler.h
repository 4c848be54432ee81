// Exponential Rosenbrock Euler (docs/theory/integrators.md, "Exponential Rosenbrock Euler"): u1 = u0 + h phi_1(h J) F(u0), J = dF/du at u0, F(u) = (v, M^-1 f).
#pragma once

#include "dynamics/scheme.h"
#include "solver/phi_function.h"

namespace traction {

/// Driven vertices move to their prescribed positions at constant velocity; forces that depend on time are taken at the middle of the step.
class ExponentialEuler : public Scheme {
 public:
  /// `tolerance`: of the exponential, relative to h F in the norm sqrt(m (omega^2 q^2 + v^2)), where omega is about the highest frequency.
  ExponentialEuler(StageSolver& solver, double tolerance) : solver_(solver), system_(solver.system()), tolerance_(tolerance) {}
  void take(Step& step, State& next) override;

 private:
  double highest_frequency(const State& base);

  StageSolver& solver_;
  System& system_;
  double tolerance_;
  std::optional<PhiFunction> phi_;  ///< created by the first step, as are the following members
  State direction_;
  Field force_;
};

}  // namespace traction
