// The commands of the program, once the command line is understood. All are collective.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "app/session.h"
#include "app/stop_request.h"
#include "output/folder_lock.h"
#include "scene/scene.h"

namespace traction {

enum class SceneOrigin {
  user,         ///< somebody wrote it for this run
  earlier_run,  ///< a run wrote it, with the overrides that it had
};

/// Reads the scene file on rank 0 and parses it on all ranks. Throws InputError on all ranks alike. A time setting without effect is an error, too, but not in
/// a scene that the program has written: there an earlier override may have made the setting idle. @collective
Scene load_scene(MPI_Comm communicator, const std::string& path, const SceneOptions& options, SceneOrigin origin = SceneOrigin::user);

/// Passes the scene's `petsc:` block to PETSc's options database; options of the command line have priority. Throws InputError on all ranks when the block has
/// too many options, or PETSc cannot write to where -log_view leads. @collective
void apply_petsc_options(const Scene& scene);

enum class Start {
  afresh,       ///< of a folder without an unfinished run
  overwriting,  ///< whatever the folder contains
  resumed       ///< from a checkpoint
};

/// Simulates a scene into `directory`, which is locked until the end (output/folder_lock.h). `lock`, on the first rank: the lock if it is held already.
/// `changes`: differences between the scene and the checkpoint's, for the log. Returns the exit code: 0, or 128 plus the number of the signal (stop_signals.h)
/// that stopped the run, whose state is saved. Throws SolverError, after saving the state, when a step fails for good. @collective
int run_scene(MPI_Comm communicator, const StopRequest& stop, const Scene& scene, const std::string& directory, Start how, const std::string& checkpoint = {},
              std::unique_ptr<FolderLock> lock = nullptr, const std::vector<std::string>& changes = {});

/// Continues from the newest checkpoint in `directory`; returns as run_scene does. @collective
int resume_run(MPI_Comm communicator, const StopRequest& stop, const std::string& directory, const SceneOptions& options);

/// Checks everything that a run checks before its first step, except whether bodies find an equilibrium to start in. Writes the same log as the start of a run,
/// and prints the resolved scene, the mesh's size and, if asked, what a run on these ranks will take (app/run_estimate.h). @collective
void check_scene(MPI_Comm communicator, const Scene& scene, bool estimate);

/// Computes the scene's lowest `count` modes of vibration about its initial state, without contact, and writes them into `directory`: modes.csv, a frame of
/// fields for each, and modes.png if postprocess/ and its Python packages are installed. Throws InputError on all ranks when the folder holds the results of a
/// run. @collective
void write_modes(MPI_Comm communicator, const Scene& scene, const std::string& directory, int count);

/// Partitions the scene's mesh, writes the partition file and, unless its name is empty, the table of counts per part, and prints the quality table. Serial
/// work on rank 0.
void partition_scene(MPI_Comm communicator, const Scene& scene, int parts, const std::string& file, const std::string& table);

}  // namespace traction
