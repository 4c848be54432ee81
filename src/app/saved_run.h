// The files of a run while it proceeds.
#pragma once

#include <optional>
#include <string>

#include "app/recorder.h"
#include "app/reserved_room.h"
#include "app/run_report.h"
#include "app/saved_state.h"
#include "dynamics/step_record.h"
#include "simulation/simulation.h"

namespace traction {

/// The history and frames of a run, its checkpoints and run.json, and room for its last state on a disk that fills up. All functions are collective.
class SavedRun {
 public:
  /// Begins the files of a run in `directory`, or continues those of the run whose checkpoint holds `earlier`. `scene`: the text of scene.yaml, which is
  /// written only if the run fits the existing results. `start`: when the run's set-up began [s, as MPI_Wtime]. Throws InputError and FileError on all ranks
  /// alike.
  SavedRun(Simulation& simulation, std::string directory, const std::string& scene, const std::optional<RunRecord>& earlier, double start);

  /// Counts the cost of a step. `seconds`: what it took.
  void count(const StepRecord& step, double seconds);
  /// Writes the history's row of a step, and a frame when one is due; returns whether one was. If that fails, saves the state after the step, and throws
  /// SolverError or FileError with its place and the remedy on all ranks alike.
  bool record(const StepRecord& step);
  /// Writes a checkpoint and run.json with this status; returns the path of the checkpoint. Throws FileError on all ranks alike.
  std::string save(const char* status);
  /// The same for a run that continues, with new room for the next state.
  void save_and_continue();
  /// Saves the state, and returns the error to throw: `reason`, and where the state is. `state`: what it is, for the message. Throws FileError if the state
  /// cannot be saved.
  SolverError given_up(const std::string& reason, const std::string& state);

  const RunCosts& costs() const { return costs_; }

 private:
  std::string write(const char* status);
  /// Saves the state; returns the message that `reason` begins and the path of the checkpoint ends.
  std::string saved_after(const std::string& reason, const std::string& state, const char* status);

  Simulation& simulation_;
  std::string directory_;
  RunCosts earlier_, costs_;  ///< until this part of the run, and with it
  Recorder recorder_;
  std::optional<ReservedRoom> room_;  ///< empty until the files have begun
};

}  // namespace traction
