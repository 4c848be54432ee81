// A folder for temporary meshes, removed at the end.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "errors.h"

namespace traction {

/// A new folder for temporary files; the destructor removes it with all that it contains.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "traction-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw FileError(pattern + ": cannot make a temporary folder");
    path_ = pattern;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace traction
