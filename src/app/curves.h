// The commands that write curves of integrators and materials.
#pragma once

#include <mpi.h>

#include <string>

#include "scene/scene.h"

namespace traction {

/// Measures the numerical damping of every integrator and writes it into `directory`: damping.csv, and damping.png if postprocess/ and its Python packages are
/// installed. Throws InputError on all ranks if the folder has files of these names that it did not write. Serial work on rank 0.
void write_damping_curves(MPI_Comm communicator, const std::string& directory);

/// Loads every solid material of the scene in standard tests, over stretches from `least` to `most`, and writes the curves into `directory`: materials.csv,
/// relaxation.csv, cyclic.csv, and materials.png if postprocess/ and its Python packages are installed. Throws InputError on all ranks for a scene without
/// solids, and if the folder has files of these names that it did not write. Serial work on rank 0.
void write_material_curves(MPI_Comm communicator, const Scene& scene, const std::string& directory, double least, double most);

}  // namespace traction
