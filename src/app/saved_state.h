// The checkpoints of a run: DIR/checkpoints/step_NNNNNNNN.h5, each with the whole state that later steps depend on.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/run_report.h"
#include "simulation/simulation.h"

namespace traction {

/// What a checkpoint keeps of a run besides the state of its simulation.
struct RunRecord {
  RunCosts costs;
  std::optional<double> history_checksum{};  ///< Recorder::history_checksum; older versions did not write it
  bool lacks_frame = false;                  ///< Recorder::lacks_frame
};

/// Writes a checkpoint into DIR/checkpoints and removes all but the newest `output.keep_checkpoints`; returns its path. Throws FileError on all
/// ranks; older ones are then left alone. @collective
std::string save_state(const Simulation& simulation, const std::string& directory, const RunRecord& record);

/// Restores the simulation's state from a checkpoint; returns the rest. Throws InputError on all ranks when the checkpoint does not fit the scene. @collective
RunRecord restore_state(Simulation& simulation, const std::string& checkpoint);

/// Reads how often each vertex was in contact in the run that wrote a checkpoint, with the most weight on its last steps: the argument contacts_per_step of
/// contact_costs. Empty if the run had taken no step. Throws InputError when the checkpoint belongs to another mesh. Serial.
std::vector<double> contacts_in_checkpoint(const std::string& checkpoint, std::size_t vertices);

/// Throws InputError for an override, path.to.key=value, of a body's start position or velocity, because a run that continues from a checkpoint does not read
/// these.
void refuse_initial_overrides(const std::vector<std::string>& overrides);

/// Throws InputError on all ranks if a finished run is resumed with changes that would be written into its scene without any effect on its results, or if
/// changes let a prescribed motion jump. `scene`: that of the folder with the changes, as it would be written. @collective
void refuse_unfit_changes(const Simulation& simulation, const std::string& directory, const std::string& scene, const std::vector<std::string>& changes);

/// The newest complete checkpoint in a run's folder. Throws InputError on all ranks if the folder has none, or if a newer one was written by another version of
/// Traction. @collective
std::string newest_checkpoint(MPI_Comm communicator, const std::string& directory);

/// Throws InputError if the folder holds checkpoints of an unfinished run, which a new run would destroy. Serial.
void refuse_unfinished_run(const std::string& directory);

}  // namespace traction
