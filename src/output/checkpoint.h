// Restart states in parallel HDF5, in the order of the scene's meshes, so that any rank count reads what any other wrote. A file holds, behind a seal
// (output/file_seal.h) of kind "traction checkpoint 5", one dataset of n x components doubles per field, and all numbers and their names in the group /numbers.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "output/archive.h"
#include "parallel/halo.h"

namespace traction {

/// Writes a checkpoint under a temporary name, seals it, flushes it to the disk and renames it. `vertex_ids`: number of each local vertex in the undistributed
/// mesh. Throws FileError on all ranks if anything fails. @collective
void write_checkpoint(const std::string& path, const Halo& halo, std::span<const int> vertex_ids, Archive archive);

/// The reason why a file is not an intact checkpoint of this version; empty if it is one. @collective
std::optional<std::string> checkpoint_fault(MPI_Comm communicator, const std::string& path);

/// Throws InputError on all ranks if a file is an intact checkpoint of another version of Traction. @collective
void refuse_other_version(MPI_Comm communicator, const std::string& path);

/// The numbers in a checkpoint, by name. Throws InputError if it has a fault. @collective
std::map<std::string, double> read_checkpoint_numbers(const std::string& path, const Halo& halo);

/// Fills the given fields, including ghosts, from an intact file. Throws InputError if one is missing or has another size. @collective
void read_checkpoint_fields(const std::string& path, const Halo& halo, std::span<const int> vertex_ids, const std::map<std::string, std::span<double>>& fields);
/// All fields of an intact file.
std::map<std::string, std::vector<double>> read_checkpoint_fields(const std::string& path, const Halo& halo, std::span<const int> vertex_ids);

}  // namespace traction
