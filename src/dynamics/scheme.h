// One family of integrators: takes their steps, and remembers what the next step needs of the ones before.
#pragma once

#include "dynamics/integrators.h"
#include "dynamics/stage_solver.h"
#include "dynamics/time_settings.h"
#include "output/archive.h"

namespace traction {

class Scheme {
 public:
  virtual ~Scheme() = default;

  // Solves for the state at the end of the step; ghosts of `next` are valid. A step may be solved several times before it is accepted. Reports what it costs
  // and whether it was solved in step.report. Collective.
  virtual void take(Step& step, State& next) = 0;
  // Looks at, or does, what no first step from `start` could do without. Throws InputError, SolverError on all ranks. Collective.
  virtual void prepare(const State& /*start*/) {}
  // The run goes on from the end of a step that this family took (the last one it solved), or that another one did. Called after every step.
  virtual void accept(bool /*own*/) {}

  // What is remembered, under names of this family's own. `load` starts from nothing where the archive holds nothing.
  virtual void save(Archive&) const {}
  virtual void load(const Archive&) {}
  // How many fields that is in the course of a run.
  virtual int saved_fields() const { return 0; }
};

}  // namespace traction
