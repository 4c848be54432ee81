// Allows only one run at a time in an output folder.
#pragma once

#include <string>

namespace traction {

/// Holds the lock DIR/run.lock during its lifetime. The operating system keeps the lock on the open file and ends it with the process in every case, so that a
/// file left by a dead process blocks nobody. It works across the nodes of a cluster if their file system supports file locks (NFS, Lustre mounted with
/// `flock`, GPFS); otherwise a warning is logged. Serial; the first rank holds it for all.
class FolderLock {
 public:
  /// The folder must exist. Throws InputError, which names the holding process, if another process holds the lock, and FileError if no file can be created in
  /// the folder.
  explicit FolderLock(const std::string& directory);
  /// Removes the file.
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  std::string path_;
  int file_ = -1;
};

}  // namespace traction
