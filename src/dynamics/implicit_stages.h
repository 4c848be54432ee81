// Integrators that are tables of implicit stages.
#pragma once

#include "dynamics/scheme.h"

namespace traction {

/// Takes steps that consist of one to three implicit stages.
class ImplicitStages : public Scheme {
 public:
  explicit ImplicitStages(StageSolver& solver) : solver_(solver) {}
  void take(Step& step, State& next) override;

 protected:
  /// Solves a stage; families may override it. `row`: the stage's row of the table.
  virtual bool solve_stage(Step& step, Stage stage, const StageRow& row, const State& last, State& solution) {
    return solver_.solve(step, std::move(stage), row.time * step.h, last, solution);
  }
  StageSolver& solver_;

 private:
  /// Estimates the error of positions from a step's start, first stage and end [m].
  double error(const Step& step, const State& middle, const State& end) const;
};

}  // namespace traction
