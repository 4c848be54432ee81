// The surfaces on which pressure fields meet, as triangles, a VTKHDF file per frame or one for all: a field set beside those of the bodies and of the contacts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "output/frame_output.h"

namespace traction {

/// Each rank's triangles, as columns; vectors have 3 doubles.
struct SurfaceColumns {
  std::vector<double> points, point_pressure;  ///< three for each triangle [m], [Pa]
  std::vector<double> pressure, traction,
      slip;  ///< for each triangle: the mean pressure [Pa], the traction on the first side [Pa], and the sliding velocity of the first side [m/s]
  std::vector<std::int32_t> contact;  ///< number of the contact in the scene, those with a thickness first
};

/// Writes DIR/contact_surfaces_NNNNNN.hdf and keeps DIR/contact_surfaces.hdf.series up to date, or writes DIR/contact_surfaces.hdf. Throws FileError on all
/// ranks if any rank fails. All functions are collective.
class SurfaceWriter {
 public:
  static constexpr const char* kStem = "contact_surfaces";

  /// `contact_names`: of all contacts, each followed by a newline, the same on all ranks.
  SurfaceWriter(MPI_Comm communicator, const std::string& directory, std::string contact_names, int kept_frames, FrameStorage storage)
      : communicator_(communicator), contact_names_(std::move(contact_names)), frames_(communicator, directory, kStem, kept_frames, storage) {}

  void write_frame(double time, const SurfaceColumns& triangles);
  void flush() { frames_.flush(); }  ///< makes sure that the frames are on the disk

 private:
  MPI_Comm communicator_;
  std::string contact_names_;
  FrameOutput frames_;
};

}  // namespace traction
