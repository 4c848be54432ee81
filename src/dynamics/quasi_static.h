// Motions without inertia: the equilibrium at the end of each step (docs/theory/integrators.md, "Without inertia").
#pragma once

#include "dynamics/scheme.h"

namespace traction {

/// Takes steps from one equilibrium to the next. Where a branch of equilibria ends, as when something buckles or snaps over a corner, a step that may settle
/// lets the bodies move to the next equilibrium with their inertia, from rest again and again (docs/theory/integrators.md, "Without inertia"). An equilibrium
/// that is not stable is left in the same way.
class QuasiStatic : public Scheme {
 public:
  explicit QuasiStatic(StageSolver& solver) : solver_(solver) {}
  /// Lets bodies that touch nothing fall until something carries them. `most_iterations`: of Newton's method on the way to an equilibrium that is not near.
  QuasiStatic(StageSolver& solver, int most_iterations) : solver_(solver), lets_fall_(true), most_iterations_(most_iterations) {}
  void take(Step& step, State& next) override;
  /// Whether Newton's method has jumped in a solved step of length h from the branch of equilibria on which it began to another one: the loads of the step's
  /// start then have an equilibrium near `next`, too. Only steps that lead much further than `previous`, the one before, are examined; `report` receives the
  /// cost. begin_step() must follow before another step is solved. @collective
  bool has_jumped(const State& start, const State& next, double h, const std::optional<PreviousStep>& previous, StepReport& report);

 private:
  bool solve(Step& step, State& next);
  /// Lets the bodies descend from the step's start, or from `next` if a motion is given that leads away from there.
  bool settle(Step& step, State& next, std::optional<UnstableMotion> unstable);
  /// Replaces the solution of a step by the place to which the bodies descend from the step's start, if that is nearer to it. @collective
  void prefer_nearer(Step& step, State& next);
  /// A motion that leads away from `equilibrium` if that is unstable; of several, the part that leads back towards `start`. @collective
  std::optional<UnstableMotion> unstable_motion(const State& start, const State& equilibrium);
  /// The displacement by which bodies are pushed off an unstable equilibrium, on owned vertices [m]. @collective
  Field push_off(const State& start, const State& equilibrium, const UnstableMotion& motion);
  /// Throws SolverError on all ranks if a body moves as if nothing held it. @collective
  void require_support(const State& start, const State& end, double h);

  /// Warns once in a run.
  void warn_of_instability(double time);

  StageSolver& solver_;
  bool lets_fall_ = false;
  int most_iterations_ = 4000;
  bool has_warned_ = false;
};

}  // namespace traction
