// What moves the bodies of a simulation through time.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dynamics/step_record.h"
#include "output/archive.h"
#include "solver/interruption.h"
#include "system/state.h"

namespace traction {

class Driver {
 public:
  virtual ~Driver() = default;

  virtual bool done() const = 0;
  // Takes the next step; throws SolverError on all ranks when there is no way to take it, Interrupted after a signal. State and stiffnesses are then those of
  // the last good step. Collective.
  virtual StepRecord advance() = 0;
  // Finds out what the next step would be refused for whatever its outcome: options of PETSc, more modes than a body has. Takes about as long as one iteration,
  // and leaves all as it was. Throws InputError, SolverError on all ranks. Collective.
  virtual void rehearse() = 0;
  // `interruption` is asked between the iterations of a step, and before each attempt at one.
  virtual void set_interruption(Interruption interruption) = 0;
  virtual const State& state() const = 0;    // ghosts valid
  virtual long steps() const = 0;            // taken so far
  virtual void start_from(State state) = 0;  // before the first step, instead of from state(); ghosts valid

  // What it adds to each row of the history, of the last step: the same names in the same order at all times.
  virtual std::vector<std::pair<std::string, double>> history() const { return {}; }
  // What became of the run's energy so far: names and joules; empty where no account is kept.
  virtual std::vector<std::pair<std::string, double>> energy_balance() const { return {}; }
  // Sentences for the user about the whole run, at its end.
  virtual std::vector<std::string> closing_warnings() const { return {}; }
  // What it adds to the costs in run.json. Of this run, not of those that it continues.
  virtual std::vector<std::pair<std::string, long>> counts() const { return {}; }

  // All that the next steps depend on but the contacts' stiffnesses, at any rank count.
  virtual void save(Archive& archive) const = 0;
  // Continues where an earlier run stood. Throws InputError on all ranks when the archive lacks a part.
  virtual void load(const Archive& archive) = 0;
  // How many fields of the bodies' size that comes to in the course of the run.
  virtual int saved_fields() const = 0;
};

}  // namespace traction
