// All frames of a kind in one file, DIR/STEM.hdf: VTKHDF 2.0 with the group Steps, which ParaView 5.12 or newer reads.
#pragma once

#include <mpi.h>

#include <map>
#include <span>
#include <string>
#include <vector>

#include "output/growing_file.h"
#include "output/slab_file.h"

namespace traction {

/// Appends frames to one file. A frame belongs to the file once Steps/NSteps counts it and Steps/Values has its time; until then nothing in the file refers to
/// its numbers, so that a kill leaves the frames before it. Throws FileError on all ranks if any rank fails.
class FrameFile {
 public:
  /// Continues a file after its first `kept` frames; later ones are dropped. `planned`: expected number of frames, for which room is made ahead. Throws
  /// FileError on all ranks if the file has fewer frames or cannot be read. @collective
  FrameFile(MPI_Comm communicator, const std::string& directory, const std::string& stem, int kept, double planned, bool single_precision);

  int frames() const { return frames_; }
  /// Adds a frame. Datasets in /VTKHDF grow by the slabs of `contents`; the others are written with the first frame of the file. `shared`: datasets in /VTKHDF
  /// that this frame and the following ones have in common. @collective
  void add(double time, const SlabFile& contents, std::span<const Slab> shared = {});
  void flush();  ///< makes sure that the frames are on the disk. @collective

 private:
  struct Rows {
    hsize_t first = 0, count = 0;
  };
  std::vector<GrowingDataset> datasets(std::span<const Slab> slabs, bool are_shared) const;
  std::vector<GrowingDataset> steps(std::vector<std::int64_t>& values) const;
  void create(double time, const SlabFile& contents, const std::vector<GrowingDataset>& datasets);
  void commit(double time) const;
  double frames_ahead() const;

  MPI_Comm communicator_;
  std::string path_;
  int frames_;
  double planned_;
  bool single_precision_;
  bool flushed_ = true;
  std::map<std::string, hsize_t> ends_;  ///< for each dataset: the row after the last frame
  std::map<std::string, Rows> rows_;     ///< for each dataset: the rows of the present frame
};

/// Times of the frames in one file [s], after it is restored if a kill has interrupted a change. Serial; throws FileError.
std::vector<double> times_in_file(const std::string& path);

/// The data of the frames in a file, one in each line: point and cell data that are not shared, and their types. Serial; throws FileError.
std::vector<std::string> fields_in_file(const std::string& path, bool& single_precision);

}  // namespace traction
