// Exponential Rosenbrock Euler (docs/theory/integrators.md, "Exponential Rosenbrock Euler"): the exact solution of u' = F(u0, t) + J (u - u0), J = dF/du at u0,
// F(u, t) = (v, M^-1 f).
#pragma once

#include "dynamics/scheme.h"
#include "solver/phi_function.h"

namespace traction {

/// Driven vertices move to their prescribed positions at constant velocity. Forces that depend on time are followed through the step: those with an energy by
/// a parabola in time; contact, given efforts, following tractions and relaxing stress by the rate that they have when the step starts.
class ExponentialEuler : public Scheme {
 public:
  /// `tolerance`: of the exponential, relative to h F in the norm sqrt(m (omega^2 q^2 + v^2)), where omega is about the highest frequency.
  ExponentialEuler(StageSolver& solver, double tolerance) : solver_(solver), system_(solver.system()), tolerance_(tolerance) {}
  void take(Step& step, State& next) override;

 private:
  State resting(const State& base, double start, double time) const;
  void linearize(const State& base, double start, double h);
  void product(const State& direction, Field& change);
  double highest_frequency();

  StageSolver& solver_;
  System& system_;
  double tolerance_;
  std::optional<PhiFunction> phi_;  ///< created by the first step, as are the following members
  State at_start_, in_middle_;      ///< where contact and given efforts, and where all other forces were linearized last
  bool any_other_ = false;          ///< whether any of the former exist
  State direction_;
  Field force_, other_;
};

}  // namespace traction
