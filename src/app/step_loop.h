// The loop over the steps of a run.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "app/checkpoint_clock.h"
#include "app/contact_chatter.h"
#include "app/contact_jumps.h"
#include "app/creep_watch.h"
#include "app/crossing_watch.h"
#include "app/saved_run.h"
#include "app/solid_watch.h"
#include "app/step_watch.h"
#include "app/stop_request.h"
#include "dynamics/step_record.h"
#include "simulation/simulation.h"

namespace traction {

/// Takes the steps of a run, watches what happens in them, logs it, and saves them. All functions are collective.
class StepLoop {
 public:
  /// All arguments must outlive this. `is_new`: whether the run is at its start.
  StepLoop(Simulation& simulation, SavedRun& saved, StepWatch& watch, const StopRequest& stop, bool is_new);

  /// Takes all steps that remain. Returns the signal that stopped it, or 0 at the end of the run. Throws SolverError and FileError on all ranks alike, after
  /// saving the state.
  int run();
  /// Sentences for the user about all steps together.
  std::vector<std::string> closing_warnings() const { return chatter_.warnings(); }
  /// The contacts between two things in which nothing has touched at the end of any step of the run; none for a run that was continued, and for asynchronous
  /// ones.
  std::vector<std::string> untouched() const;

 private:
  StepRecord take_step();
  void look_at(StepRecord& step, const State& before);  ///< `before`: the state at the step's start
  void log_of(const StepRecord& step, const std::vector<std::string>& warnings) const;
  void record(const StepRecord& step);

  Simulation& simulation_;
  SavedRun& saved_;
  StepWatch& watch_;
  const StopRequest& stop_;
  MPI_Comm communicator_;
  bool first_ = false;  ///< whether this is the first rank, which logs
  ContactJumps jumps_;
  ContactChatter chatter_;
  CreepWatch creep_;
  CrossingWatch crossings_;
  SolidWatch solids_;
  CheckpointClock due_;
  std::vector<char> touched_;  ///< for each contact; empty if untouched() names none
  bool options_checked_ = false;
};

}  // namespace traction
