#include "app/reserved_room.h"

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "app/output_size.h"
#include "errors.h"
#include "output/slab_access.h"
#include "parallel/collective.h"

namespace traction {

namespace {

constexpr double kMore = 1 << 18;  // bytes for the names in a checkpoint, a row of the history and run.json

// Bytes. One file of all frames finishes the frame that did not fit as soon as there is room.
double room_for(const Simulation& simulation) {
  const OutputSize size = expected_output(simulation);
  return size.checkpoint + kMore + (simulation.scene.output.files == FrameFiles::one ? size.frame : 0);
}

}  // namespace

// The file's name is that of an unfinished checkpoint, which the next run in the folder removes if this one is killed.
ReservedRoom::ReservedRoom(const Simulation& simulation, const std::string& directory)
    : communicator_(simulation.system->communicator()), path_(directory + "/checkpoints/step_reserved.part"), bytes_(room_for(simulation)) {
  take();
}

ReservedRoom::~ReservedRoom() {
  int rank = 0;
  MPI_Comm_rank(communicator_, &rank);
  std::error_code ignored;
  if (rank == 0 && is_taken_) std::filesystem::remove(path_, ignored);
}

void ReservedRoom::take() {
  if (is_taken_) return;
  double taken = 0;
  on_first_rank(communicator_, [&] {
    std::ofstream(path_, std::ios::trunc).close();
    try {
      taken = reserve_room(path_, 0, static_cast<std::uintmax_t>(bytes_)) ? 1 : 0;
    } catch (const FileError&) {}
    std::error_code ignored;
    if (taken == 0) std::filesystem::remove(path_, ignored);
  });
  is_taken_ = maximum_over_ranks(communicator_, taken) > 0;
}

bool ReservedRoom::release() {
  if (!is_taken_) return false;
  on_first_rank(communicator_, [&] {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  });
  is_taken_ = false;
  return true;
}

}  // namespace traction
