// A seal on a finished file: its first 512 bytes contain the file's kind, length and the checksum of the rest, so that a truncated or altered file is
// recognised before any library reads it. HDF5 looks for its own beginning behind them (a "user block").
#pragma once

#include <mpi.h>

#include <optional>
#include <string>

namespace traction {

constexpr long kSealBytes = 512;

/// Writes the seal into the first 512 bytes of a closed file, which must be reserved for it, and flushes the file to the disk. `kind`: one line of text that
/// includes the format's version. The ranks share the reading. Throws FileError on all ranks. @collective
void seal_file(MPI_Comm communicator, const std::string& path, const std::string& kind);

/// The reason why a file is not intact or not of this `kind`; empty if it is. @collective
std::optional<std::string> seal_fault(MPI_Comm communicator, const std::string& path, const std::string& kind);

/// The kind in a file's seal: its first line, which may be that of any other file; empty if it is too long for a kind. Serial.
std::string seal_kind(const std::string& path);

/// Makes sure that a file, or a folder's list of names, is on the disk. Serial; throws FileError.
void flush_to_disk(const std::string& path);

}  // namespace traction
