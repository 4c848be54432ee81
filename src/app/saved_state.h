// The checkpoints of a run: DIR/checkpoints/step_NNNNNNNN.h5, each all that the steps after it depend on.
#pragma once

#include <string>
#include <vector>

#include "app/run_report.h"
#include "simulation/simulation.h"

namespace traction {

// Writes a checkpoint into DIR/checkpoints and removes all but the newest `output.keep_checkpoints`; returns its path. Throws FileError on all
// ranks; older ones are then left alone. Collective.
std::string save_state(const Simulation& simulation, const std::string& directory, const RunCosts& costs);

// Puts the simulation where a checkpoint was written; returns what the run had cost until then. Throws InputError on all ranks when the checkpoint does not fit
// the scene. Collective.
RunCosts restore_state(Simulation& simulation, const std::string& checkpoint);

// What contact_costs takes for contacts_per_step, for a mesh of so many vertices: in the steps of the run that wrote a checkpoint, the last above all;
// empty if it has taken none. Throws InputError when the checkpoint is of another mesh. Serial.
std::vector<double> contacts_in_checkpoint(const std::string& checkpoint, std::size_t vertices);

// The newest checkpoint in a run's folder that is whole; throws InputError on all ranks if there is none, or if one that is newer is of another version of
// Traction. Collective.
std::string newest_checkpoint(MPI_Comm communicator, const std::string& directory);

// Removes all of them. Serial.
void remove_checkpoints(const std::string& directory);

// Throws InputError if the folder holds what a run has left. Serial.
void refuse_run(const std::string& directory);

// Throws InputError if the folder holds checkpoints of a run that did not end: a new run would destroy them. Serial.
void refuse_unfinished_run(const std::string& directory);

}  // namespace traction
