// One run at a time in an output folder.
#pragma once

#include <string>

namespace traction {

// Holds the lock DIR/run.lock as long as it lives. The lock is the operating system's, on the open file: it ends with the process, however that ends, so that a
// file that a dead process has left bars nobody. It holds between the nodes of a cluster where their file system passes on locks of files (NFS, Lustre mounted
// with `flock`, GPFS); where it has none, a warning is logged. Serial; the first rank holds it for all.
class FolderLock {
 public:
  // The folder is there. Throws InputError, which names the process that holds it, when another one does, and FileError when no file can be made in it.
  explicit FolderLock(const std::string& directory);
  // Removes the file.
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  std::string path_;
  int file_ = -1;
};

}  // namespace traction
