#include "output/frame_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "errors.h"
#include "parallel/collective.h"

namespace traction {

namespace {

std::string one_file(const std::string& directory, const std::string& stem) { return directory + "/" + stem + ".hdf"; }

}  // namespace

FrameOutput::FrameOutput(MPI_Comm communicator, const std::string& directory, const std::string& stem, int kept, FrameStorage storage)
    : communicator_(communicator), numbers_(storage.numbers) {
  if (storage.in_one_file) file_.emplace(communicator, directory, stem, kept, storage.planned, storage.numbers.single_precision);
  else series_.emplace(communicator, directory, stem, kept);
}

void FrameOutput::add(double time, SlabFile contents, std::span<const Slab> shared) {
  if (file_) {
    file_->add(time, contents, shared);
    return;
  }
  contents.storage = numbers_;
  write_slab_file(communicator_, series_->next_path(), contents);
  series_->add(time);
}

void FrameOutput::flush() {
  if (file_) file_->flush();
  else series_->flush();
}

FramesFound frames_found(const std::string& directory, const std::string& stem, double time) {
  const std::string one = one_file(directory, stem);
  if (!std::filesystem::exists(one)) return {frames_until(directory, stem, time), false};
  if (frames_until(directory, stem, time) > 0)
    throw FileError(
        fmt::format("{}: this file holds frames, and {}.hdf.series lists others that are in one file each; move one of the two sets away", one, stem));
  const std::vector<double> times = times_in_file(one);
  return {static_cast<int>(std::count_if(times.begin(), times.end(), [&](double frame) { return frame <= time; })), true};
}

void cut_frames(MPI_Comm communicator, const std::string& directory, const std::string& stem, int kept) {
  bool is_one_file = false;
  on_first_rank(communicator, [&] { is_one_file = std::filesystem::exists(one_file(directory, stem)); });
  MPI_Bcast(&is_one_file, 1, MPI_C_BOOL, 0, communicator);
  FrameOutput(communicator, directory, stem, kept, {.in_one_file = is_one_file});
}

}  // namespace traction
