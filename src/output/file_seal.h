// A seal on a finished file: its first 512 bytes say what it is, how long, and the checksum of the rest, so that a file that was cut short or altered is
// recognised before any library reads it. HDF5 looks for its own beginning behind them (a "user block").
#pragma once

#include <mpi.h>

#include <optional>
#include <string>

namespace traction {

constexpr long kSealBytes = 512;

// Fills the first 512 bytes of a closed file, which are free for that, and sees it safely on the disk. `kind`: one line of text, the format's version in it.
// The ranks share the reading. Throws FileError on all ranks. Collective.
void seal_file(MPI_Comm communicator, const std::string& path, const std::string& kind);

// Why a file is not what was sealed as `kind`; none if it is, to the last bit. Collective.
std::optional<std::string> seal_fault(MPI_Comm communicator, const std::string& path, const std::string& kind);

// What a file says it is: the first line of its seal, of whatever kind, or of what else the file is; empty where it is too long to be one. Serial.
std::string seal_kind(const std::string& path);

// Sees a file, or a folder's list of names, safely on the disk. Serial; throws FileError.
void flush_to_disk(const std::string& path);

}  // namespace traction
