#include "output/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "errors.h"

namespace traction {

namespace {

// Locks the open file description. NFS supports such locks and, unlike those of flock, they hold across nodes.
int lock_open_file(int file) {
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  int error = 0;
  do error = fcntl(file, F_OFD_SETLK, &whole) == 0 ? 0 : errno;
  while (error == EINTR);
  return error;
}

// The previous holder of the lock may have removed the file between our opening and locking it.
bool is_still_there(int file, const std::string& path) {
  struct stat opened {
  }, present{};
  return fstat(file, &opened) == 0 && stat(path.c_str(), &present) == 0 && opened.st_dev == present.st_dev && opened.st_ino == present.st_ino;
}

std::string holder(int file) {
  char text[200] = {};
  const ssize_t length = pread(file, text, sizeof text - 1, 0);
  std::string words(text, text + std::max<ssize_t>(length, 0));
  std::replace_if(
      words.begin(), words.end(), [](unsigned char c) { return c < ' ' || c > '~'; }, ' ');
  while (words.ends_with(' ')) words.pop_back();
  return words.empty() ? "another process" : words;
}

}  // namespace

FolderLock::FolderLock(const std::string& directory) : path_(directory + "/run.lock") {
  for (;;) {
    file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0) throw FileError(path_ + ": cannot make it: " + std::strerror(errno));
    const int error = lock_open_file(file_);
    if (error == EAGAIN || error == EACCES) {
      const std::string words = holder(file_);
      close(file_);
      throw InputError(fmt::format("{}: {} is using this folder; wait until it has ended, or choose another --out", directory, words));
    }
    if (error != 0) spdlog::warn("{}: the file system does not support locks ({}); make sure that no other run uses this folder", path_, std::strerror(error));
    if (error != 0 || is_still_there(file_, path_)) break;
    close(file_);
  }
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  const std::string words = fmt::format("process {} on {}\n", getpid(), host);
  // This text is for people only; on a full disk the file may stay empty.
  if (ftruncate(file_, 0) != 0 || pwrite(file_, words.data(), words.size(), 0) < 0) spdlog::debug("{}: {}", path_, std::strerror(errno));
}

FolderLock::~FolderLock() {
  unlink(path_.c_str());  // before the lock ends, so that whoever opens the file afterwards creates a new one
  close(file_);
}

}  // namespace traction
