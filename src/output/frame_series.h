// A series of frames that ParaView opens as one: STEM_000000.hdf, STEM_000001.hdf, ... and STEM.hdf.series with their times.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace traction {

/// Numbers the frames of a run, and keeps the list of their times.
class FrameSeries {
 public:
  /// Continues a series after its first `kept` frames; later ones are removed. Throws FileError on all ranks if the series in the folder is shorter, or cannot
  /// be read. @collective
  FrameSeries(MPI_Comm communicator, std::string directory, std::string stem, int kept);

  int frames() const { return static_cast<int>(times_.size()); }
  std::string next_path() const;  ///< path of the next frame
  void add(double time);          ///< lists that frame. @collective
  void flush();                   ///< flushes the frames added since the last call to the disk. @collective

 private:
  void write() const;

  MPI_Comm communicator_;
  std::string directory_, stem_;
  std::vector<double> times_;
  int flushed_;  ///< number of frames that are on the disk
};

/// The number of frames of a series at or before `time` [s]; 0 if neither a series nor a frame exists. Serial; throws FileError if the series cannot be read.
int frames_until(const std::string& directory, const std::string& stem, double time);

/// Removes the frames from number `first` on; removing the first frame removes the series too, and frames in one file. Serial.
void remove_frames(const std::string& directory, const std::string& stem, int first);

/// N of a file called `prefix`N`suffix`, -1 for any other name.
int number_in_name(const std::string& name, const std::string& prefix, const std::string& suffix);

}  // namespace traction
