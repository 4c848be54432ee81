// Protects changes of a file in place against a kill: the bytes that they replace are first saved beside the file, in FILE.undo, from which the file is
// restored.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace traction {

/// Bytes of a file from `first` to before `end`.
struct ByteRange {
  std::uint64_t first = 0, end = 0;
};

/// Saves these ranges of a file, and its length, on the disk. Until `forget_undo` the file can be brought back to this state. Serial; throws FileError.
void save_for_undo(const std::string& path, const std::vector<ByteRange>& ranges);

/// Makes sure that the changed file is on the disk, and removes the saved bytes. Serial; throws FileError.
void forget_undo(const std::string& path);

/// Brings a file back to the state that was saved, if any is: after a change that failed, or that a kill has interrupted. Returns whether it did. Serial;
/// throws FileError.
bool undo_change(const std::string& path);

std::string undo_path(const std::string& path);  ///< FILE.undo

}  // namespace traction
