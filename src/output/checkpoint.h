// Restart states in parallel HDF5, in the order of the scene's meshes, so that any rank count reads what any other wrote. A file holds, behind a seal
// (output/file_seal.h) of kind "traction checkpoint 4", one dataset of n x components doubles per field and one double per number, in the group /numbers.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "output/archive.h"
#include "parallel/halo.h"

namespace traction {

// `vertex_ids`: number of each local vertex in the undistributed mesh. Written to a temporary name, sealed, flushed to the disk, then renamed. Throws FileError
// on all ranks if any fails. Collective.
void write_checkpoint(const std::string& path, const Halo& halo, std::span<const int> vertex_ids, Archive archive);

// Why a file is no checkpoint of this version, whole to the last bit; none if it is one. Collective.
std::optional<std::string> checkpoint_fault(MPI_Comm communicator, const std::string& path);

// Throws InputError on all ranks when a file is a whole checkpoint of another version of Traction. Collective.
void refuse_other_version(MPI_Comm communicator, const std::string& path);

// The numbers a checkpoint holds, by name. Throws InputError when it has a fault. Collective.
std::map<std::string, double> read_checkpoint_numbers(const std::string& path, const Halo& halo);

// Fills the given fields, ghosts included, from a file without fault. Throws InputError when one is missing or of another size. Collective.
void read_checkpoint_fields(const std::string& path, const Halo& halo, std::span<const int> vertex_ids, const std::map<std::string, std::span<double>>& fields);
// All fields of a file without fault.
std::map<std::string, std::vector<double>> read_checkpoint_fields(const std::string& path, const Halo& halo, std::span<const int> vertex_ids);

}  // namespace traction
