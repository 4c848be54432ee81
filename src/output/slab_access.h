// The common parts of the writers of HDF5 files: types of numbers, this rank's rows, room on the disk, and collective opening and writing.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>

#include "hdf5_handle.h"
#include "output/slab_file.h"

namespace traction {

/// Throws FileError unless something has succeeded.
void require(bool success, const std::string& message);

hid_t stored_type(NumberType type);  ///< in the file
hid_t memory_type(NumberType type);

/// The first of this rank's rows among those of all ranks, and the number of all rows.
struct RowRange {
  hsize_t first = 0, total = 0;
};
RowRange row_range(MPI_Comm communicator, std::int64_t rows);  ///< @collective

/// Reserves disk space for `bytes` of a file from byte `first` on. A full disk is then detected here, on one rank and with a reason. During a collective write
/// it would make ranks wait for each other for ever (Open MPI 4.1), or crash when the file is closed. Where the file system cannot reserve space, its free
/// space must suffice. Serial; throws FileError. Returns whether the space is reserved.
bool reserve_room(const std::string& path, std::uintmax_t first, std::uintmax_t bytes);

/// Throws FileError unless the file system of a file has this many bytes to spare. Serial.
void require_free(const std::string& path, std::uintmax_t bytes);

/// Opens a file for writing, or makes it where `creation` is given; invalid after a failure on this rank. With MPI_COMM_SELF it is serial, and takes no lock
/// that a viewer's would exclude. @collective
Hdf5Handle open_for_writing(MPI_Comm communicator, const std::string& path, hid_t creation = -1);

/// Opens a file for reading, without a lock; invalid after a failure. Serial.
Hdf5Handle open_for_reading(const std::string& path);

/// Makes a group and its attributes; false after a failure. @collective over the ranks that have opened the file
bool make_group(hid_t file, const SlabGroup& group);

/// Writes this rank's rows of a dataset from `first_row` on; `all_rows` of all ranks together. Returns whether this rank has succeeded. @collective
bool write_rows(hid_t dataset, const Slab& slab, hsize_t first_row, hsize_t all_rows);

/// The contents with float64 converted to float32, whose numbers `room` holds. HDF5 can convert while it writes, but not in collective writes.
std::vector<Slab> in_single_precision(std::vector<Slab> slabs, std::vector<std::vector<float>>& room);

}  // namespace traction
