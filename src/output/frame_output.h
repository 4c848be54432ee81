// Writes the frames of a kind into a file each (output/frame_series.h), or all into one (output/frame_file.h).
#pragma once

#include <mpi.h>

#include <optional>
#include <span>
#include <string>

#include "output/frame_file.h"
#include "output/frame_series.h"
#include "output/slab_file.h"

namespace traction {

/// How frames are stored.
struct FrameStorage {
  SlabStorage numbers = {};
  bool in_one_file = false;
  double planned = 0;  ///< expected number of frames, including those of an earlier run
};

/// Writes frames. Throws FileError on all ranks if any rank fails. All functions are collective.
class FrameOutput {
 public:
  /// `kept`: number of the frames in the folder that are continued; later ones are removed.
  FrameOutput(MPI_Comm communicator, const std::string& directory, const std::string& stem, int kept, FrameStorage storage);

  /// `shared`: datasets that this frame and the following ones have in common, for one file; frames in files of their own link to them.
  void add(double time, SlabFile contents, std::span<const Slab> shared = {});
  void flush();  ///< makes sure that the frames are on the disk
  int frames() const { return file_ ? file_->frames() : series_->frames(); }
  bool is_one_file() const { return file_.has_value(); }

 private:
  MPI_Comm communicator_;
  SlabStorage numbers_;
  std::optional<FrameSeries> series_;
  std::optional<FrameFile> file_;
};

/// The frames of a kind in a folder: how many are at or before a time, and whether they are in one file.
struct FramesFound {
  int count = 0;
  bool in_one_file = false;
};

/// The frames at or before `time` [s]. Restores a file that a killed run was about to change. Serial; throws FileError if they cannot be read.
FramesFound frames_found(const std::string& directory, const std::string& stem, double time);

/// Drops the frames after the first `kept`, where a run continues that writes none of this kind. @collective
void cut_frames(MPI_Comm communicator, const std::string& directory, const std::string& stem, int kept);

}  // namespace traction
