// An HDF5 file to whose datasets rows are appended. If the program is killed at any moment, everything that was complete before remains.
//
// Rows are written into free room of the datasets, which does not change HDF5's own data. These change in two ways only. Where the room ends, the first rank
// makes more, under the protection of output/undo_file.h. A number, or one dimension, that counts the complete rows is replaced by a single write.
#pragma once

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

#include "output/slab_access.h"
#include "output/slab_file.h"

namespace traction {

/// A dataset to which rows can be appended.
struct GrowingDataset {
  Slab slab;               ///< its path, type and columns, and this rank's rows
  hsize_t rows = 0;        ///< of all ranks
  hsize_t first_row = 0;   ///< row of the file at which the rows of all ranks begin
  hsize_t chunk_rows = 1;  ///< number of rows that are allocated together in a new file
  hsize_t rows_ahead = 0;  ///< number of further rows for which new room is made
};

/// Makes a file with groups, fixed datasets (of which the first rank has all rows) and datasets with room for their rows and those ahead. Serial; throws
/// FileError, and leaves no file then.
void make_growing_file(const std::string& path, const std::vector<SlabGroup>& groups, const std::vector<Slab>& fixed,
                       const std::vector<GrowingDataset>& datasets);

/// Whether the datasets have room for their rows. Serial; throws FileError.
bool has_room(const std::string& path, const std::vector<GrowingDataset>& datasets);

/// Makes room for the rows and those ahead where there is too little. Serial; throws FileError, and leaves the file unchanged then.
void make_room(const std::string& path, const std::vector<GrowingDataset>& datasets);

/// Throws FileError if the file system cannot reserve room, and has too little for the rows now. Serial.
void require_space(const std::string& path, const std::vector<GrowingDataset>& datasets);

/// Writes the rows into the room. Throws FileError on all ranks if any rank fails. @collective
void write_into_room(MPI_Comm communicator, const std::string& path, const std::vector<GrowingDataset>& datasets);

/// Changes HDF5's own data of a file, so that a failure or a kill leaves it unchanged. Serial; throws FileError.
void change_protected(const std::string& path, const std::function<void()>& change);

/// The first rows of a dataset of one dimension; false if it is missing, shorter, or cannot be read. Serial.
bool read_first_integers(hid_t file, const std::string& path, hsize_t rows, std::vector<std::int64_t>& values);
bool read_first_numbers(hid_t file, const std::string& path, hsize_t rows, std::vector<double>& values);
hsize_t rows_of(hid_t file, const std::string& path);  ///< 0 if the dataset is missing

}  // namespace traction
