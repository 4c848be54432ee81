// A temporary folder that all ranks of a communicator see under one name.
#pragma once

#include <mpi.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace traction::test {

inline int rank_in(MPI_Comm communicator) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  return rank;
}

inline int size_of(MPI_Comm communicator) {
  int size = 1;
  MPI_Comm_size(communicator, &size);
  return size;
}

// Made by rank 0 and removed by it once all ranks are done with it.
class SharedFolder {
 public:
  explicit SharedFolder(MPI_Comm communicator) : communicator_(communicator) {
    std::array<char, 256> name{};
    const std::string pattern = (std::filesystem::temp_directory_path() / "traction_test_XXXXXX").string();
    std::copy(pattern.begin(), pattern.end(), name.begin());
    if (rank_in(communicator_) == 0 && !mkdtemp(name.data())) MPI_Abort(communicator_, 1);
    MPI_Bcast(name.data(), 256, MPI_CHAR, 0, communicator_);
    path_ = name.data();
  }
  ~SharedFolder() {
    MPI_Barrier(communicator_);
    std::error_code ignored;
    if (rank_in(communicator_) == 0) std::filesystem::remove_all(path_, ignored);
  }
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;

  std::string path(const std::string& name) const { return path_ + "/" + name; }
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) result.push_back(entry.path().filename().string());
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  MPI_Comm communicator_;
  std::string path_;
};

}  // namespace traction::test
