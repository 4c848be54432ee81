// Interface of a family of integrators, which takes their steps and remembers the data of previous steps that the next one needs.
#pragma once

#include "dynamics/integrators.h"
#include "dynamics/stage_solver.h"
#include "dynamics/time_settings.h"
#include "output/archive.h"

namespace traction {

/// Takes the steps of one family of integrators, and keeps in checkpoints what it remembers.
class Scheme {
 public:
  virtual ~Scheme() = default;

  /// Solves for the state at the end of the step; ghosts of `next` are valid. A step may be solved several times before it is accepted. step.report receives
  /// the cost and whether the step was solved. @collective
  virtual void take(Step& step, State& next) = 0;
  /// Checks or computes the things that every first step from `start` needs. Throws InputError, SolverError on all ranks. @collective
  virtual void prepare(const State& /*start*/) {}
  /// Called after every accepted step. `own`: whether this family took it, so that its last solution is the new state.
  virtual void accept(bool /*own*/) {}

  /// Saves the remembered data, under names that belong to this family. load() starts without such data if the archive has none.
  virtual void save(Archive&) const {}
  virtual void load(const Archive&) {}
  /// The most fields that save() writes in the course of a run.
  virtual int saved_fields() const { return 0; }
};

}  // namespace traction
