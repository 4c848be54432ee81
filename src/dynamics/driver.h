// Interface of the drivers, which move the bodies of a simulation through time.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dynamics/step_record.h"
#include "output/archive.h"
#include "solver/interruption.h"
#include "system/state.h"

namespace traction {

/// Moves the bodies of a simulation from step to step by a clock of its own.
class Driver {
 public:
  virtual ~Driver() = default;

  virtual bool done() const = 0;
  /// Takes the next step. Throws SolverError on all ranks when no way of taking it succeeds, and Interrupted after a signal; state and stiffnesses are then
  /// those of the last good step. @collective
  virtual StepRecord advance() = 0;
  /// Detects mistakes with which every next step would fail: wrong PETSc options, or more modes than a body has. Takes about as long as one iteration,
  /// and changes nothing. Throws InputError, SolverError on all ranks. @collective
  virtual void rehearse() = 0;
  /// `interruption` is called between the iterations of a step, and before each attempt at one.
  virtual void set_interruption(Interruption interruption) = 0;
  virtual const State& state() const = 0;    ///< ghosts valid
  virtual long steps() const = 0;            ///< number of steps taken so far
  virtual void start_from(State state) = 0;  ///< replaces state() before the first step; ghosts valid

  /// The columns that the driver adds to each row of the history, for the last step: always the same names in the same order.
  virtual std::vector<std::pair<std::string, double>> history() const { return {}; }
  /// The energy account of the run so far, as names and joules; empty if no account is kept.
  virtual std::vector<std::pair<std::string, double>> energy_balance() const { return {}; }
  /// Sentences for the user about the whole run, at its end.
  virtual std::vector<std::string> closing_warnings() const { return {}; }
  /// The counts that the driver adds to the costs in run.json, for this run without those that it continues.
  virtual std::vector<std::pair<std::string, long>> counts() const { return {}; }

  /// The events that the driver foresees per second of simulation, by kind, without those of contact; empty where all forces take the same steps [1/s].
  virtual std::vector<std::pair<std::string, double>> expected_events() const { return {}; }

  /// Saves all that the next steps depend on except the contacts' stiffnesses. It can be loaded at any rank count. @collective
  virtual void save(Archive& archive) const = 0;
  /// Restores what save() wrote. Throws InputError on all ranks when the archive lacks a part. @collective
  virtual void load(const Archive& archive) = 0;
  /// Upper bound on the number of fields of the bodies' size that save() will write in the course of the run.
  virtual int saved_fields() const = 0;
};

}  // namespace traction
