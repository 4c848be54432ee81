// Contacts as points, a VTKHDF file per frame or one for all: a second field set beside that of the bodies.
#pragma once

#include <cstdint>

#include "output/frame_output.h"

namespace traction {

/// Each rank's contacts, as columns of equal length; vectors have 3 doubles per contact.
struct ContactColumns {
  std::vector<double> points, normal, normal_force, friction;  ///< [m], unit, [N], [N]
  std::vector<double> gap, pressure, sliding_speed;            ///< [m], [Pa], [m/s]
  std::vector<std::int32_t> slips, contact;                    ///< 1 for slip, 0 for stick; number of the contact in the scene
};

/// Writes DIR/contacts_NNNNNN.hdf and keeps DIR/contacts.hdf.series up to date, or writes DIR/contacts.hdf. Throws FileError on all ranks if any rank fails.
/// All functions are collective.
class ContactWriter {
 public:
  ContactWriter(MPI_Comm communicator, const std::string& directory, int kept_frames, FrameStorage storage)
      : frames_(communicator, directory, "contacts", kept_frames, storage) {}

  void write_frame(double time, const ContactColumns& contacts);
  void flush() { frames_.flush(); }  ///< makes sure that the frames are on the disk

  /// The size of a contact in a frame: floating-point numbers of the chosen precision, and bytes of integers.
  static constexpr int kNumbers = 4 * 3 + 3;
  static constexpr int kOtherBytes = 2 * sizeof(std::int32_t) + 2 * sizeof(std::int64_t) + sizeof(std::uint8_t);

 private:
  FrameOutput frames_;
};

}  // namespace traction
