#include "output/slab_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "errors.h"
#include "hdf5_handle.h"
#include "output/file_seal.h"
#include "parallel/collective.h"

namespace traction {

namespace {

void require(bool success, const std::string& message) {
  if (!success) throw FileError(message);
}

std::string system_reason() { return std::strerror(errno); }

hid_t stored_type(NumberType type) {
  switch (type) {
    case NumberType::float64: return H5T_IEEE_F64LE;
    case NumberType::float32: return H5T_IEEE_F32LE;
    case NumberType::int64: return H5T_STD_I64LE;
    case NumberType::int32: return H5T_STD_I32LE;
    case NumberType::uint8: return H5T_STD_U8LE;
  }
  return -1;
}

hid_t memory_type(NumberType type) {
  switch (type) {
    case NumberType::float64: return H5T_NATIVE_DOUBLE;
    case NumberType::float32: return H5T_NATIVE_FLOAT;
    case NumberType::int64: return H5T_NATIVE_INT64;
    case NumberType::int32: return H5T_NATIVE_INT32;
    case NumberType::uint8: return H5T_NATIVE_UINT8;
  }
  return -1;
}

// Reserves disk space for the first `bytes` of a file. A full disk is then detected here, on one rank and with a reason. During a collective write it would
// make ranks wait for each other for ever (Open MPI 4.1), or crash when the file is closed.
void reserve_room(const std::string& path, std::uintmax_t bytes) {
  const int file = open(path.c_str(), O_WRONLY);
  require(file >= 0, path + ": " + system_reason());
  int error = 0;
  do error = fallocate(file, 0, 0, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
  while (error == EINTR);  // a signal that asks the run to stop, which happens after the step
  close(file);
  const bool supported = error != EOPNOTSUPP && error != ENOSYS;
  require(error == 0 || !supported, path + ": " + std::strerror(error));
  require(supported || std::filesystem::space(path).available >= bytes, path + ": " + std::strerror(ENOSPC));
}

constexpr hsize_t kRoomForMetadata = 1 << 16;
constexpr hsize_t kRowsPerChunk = 1 << 15;     // for compressed datasets
constexpr hsize_t kBytesPerDataset = 1 << 10;  // metadata of one, at most

struct RowRange {
  hsize_t first = 0, total = 0;
};

RowRange row_range(MPI_Comm communicator, std::int64_t rows) {
  std::int64_t first = 0, total = 0;
  MPI_Exscan(&rows, &first, 1, MPI_INT64_T, MPI_SUM, communicator);
  MPI_Allreduce(&rows, &total, 1, MPI_INT64_T, MPI_SUM, communicator);
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  return {rank == 0 ? 0 : static_cast<hsize_t>(first), static_cast<hsize_t>(total)};
}

// Open MPI's own file layer, OMPIO, guards every open file by a semaphore of the node that is named after the file alone. A process that is killed while it
// holds one leaves it locked, and each later run on that node, of any user, would wait for ever when it opens a file of that name. ROMIO has no such
// semaphores; where it is missing, OMPIO locks files instead. Open MPI reads this at the first file that it opens. What the user has set in the environment
// prevails, and other MPI libraries ignore both.
void avoid_semaphores_of_files() {
  setenv("OMPI_MCA_io_ompio_priority", "1", 0);
  setenv("OMPI_MCA_sharedfp", "^sm", 0);
}

// MPI takes what stands before a colon in a path for the kind of file system, which is then named first.
std::string name_for_mpi(const std::string& path) { return path.find(':') == std::string::npos ? path : "ufs:" + path; }

// A file under its temporary name. Steps that access the disk end with an agreement between ranks, so that all of them continue, or throw, together.
class SlabFileWriter {
 public:
  SlabFileWriter(MPI_Comm communicator, std::string path, const SlabFile& contents)
      : communicator_(communicator), path_(std::move(path)), temporary_(path_ + ".part"), seal_(contents.seal) {
    hsize_t bytes = kRoomForMetadata;
    for (const Slab& slab : contents.slabs)
      bytes += row_range(communicator_, slab.rows).total * std::max(1, slab.columns) * H5Tget_size(stored_type(slab.type));
    on_first_rank(communicator_, [&] {
      const int file = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
      require(file >= 0, temporary_ + ": " + system_reason());
      close(file);
      // Space is tested before HDF5 has anything to write: an HDF5 file that cannot be closed for lack of space makes the program crash at its end.
      try {
        reserve_room(temporary_, contents.storage.compression > 0 ? hsize_t{kRoomForMetadata} : bytes);
      } catch (const FileError&) {
        std::error_code ignored;
        std::filesystem::remove(temporary_, ignored);
        throw;
      }
    });
    avoid_semaphores_of_files();
    on_all_ranks(communicator_, [&] {
      const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
      require(access && H5Pset_fapl_mpio(access.get(), communicator_, MPI_INFO_NULL) >= 0, failure("open"));
      const Hdf5Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
      require(creation && (seal_.empty() || H5Pset_userblock(creation.get(), kSealBytes) >= 0), failure("open"));
      file_ = Hdf5Handle(H5Fcreate(name_for_mpi(temporary_).c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose);
      require(static_cast<bool>(file_), failure("open"));
    });
  }

  // After a failure all ranks execute this, so that the collective closing of the file is matched.
  ~SlabFileWriter() {
    if (finished_) return;
    datasets_.clear();
    file_.close();
    int rank = 0;
    MPI_Comm_rank(communicator_, &rank);
    std::error_code ignored;
    if (rank == 0) std::filesystem::remove(temporary_, ignored);
  }

  SlabFileWriter(const SlabFileWriter&) = delete;
  SlabFileWriter& operator=(const SlabFileWriter&) = delete;

  void lay_out(const SlabFile& contents) {
    std::vector<RowRange> ranges;
    for (const Slab& slab : contents.slabs) ranges.push_back(row_range(communicator_, slab.rows));
    on_all_ranks(communicator_, [&] {
      for (const SlabGroup& group : contents.groups) create_group(group);
      for (std::size_t i = 0; i < contents.slabs.size(); ++i) create_dataset(contents.slabs[i], ranges[i], contents.storage.compression);
      for (const ExternalLink& link : contents.links) {
        const herr_t linked = H5Lcreate_external(link.target_file.c_str(), link.target_path.c_str(), file_.get(), link.path.c_str(), H5P_DEFAULT, H5P_DEFAULT);
        require(linked >= 0, failure("link " + link.path + " in"));
      }
    });
    hsize_t bytes = 0;
    // HDF5 forgets the size of a file once it has written metadata to it, as it does while it makes a great many of datasets. Compressed data is allocated only
    // when it is written, in whole chunks. In both cases the file needs at most the following.
    if (contents.storage.compression > 0 || H5Fget_filesize(file_.get(), &bytes) < 0) {
      bytes = kBytesPerDataset * ranges.size();
      for (std::size_t i = 0; i < ranges.size(); ++i)
        bytes += (ranges[i].total + (contents.storage.compression > 0 ? kRowsPerChunk : 0)) * std::max(1, contents.slabs[i].columns) *
                 H5Tget_size(stored_type(contents.slabs[i].type));
    }
    on_first_rank(communicator_, [&] { reserve_room(temporary_, bytes + kRoomForMetadata); });
  }

  void write(const std::vector<Slab>& slabs) {
    for (std::size_t i = 0; i < slabs.size(); ++i)
      on_all_ranks(communicator_, [&] { require(write_slab(slabs[i], datasets_[i]), failure("write " + slabs[i].path + " to")); });
  }

  void finish() {
    on_all_ranks(communicator_, [&] {
      bool closed = true;
      for (Dataset& dataset : datasets_) closed = dataset.handle.close() && closed;
      closed = file_.close() && closed;
      require(closed, failure("close"));
    });
    if (!seal_.empty()) seal_file(communicator_, temporary_, seal_);
    on_first_rank(communicator_, [&] {
      std::error_code reason;
      std::filesystem::rename(temporary_, path_, reason);
      require(!reason, path_ + ": cannot rename the finished file: " + reason.message());
      if (!seal_.empty()) flush_to_disk(std::filesystem::absolute(path_).parent_path());
    });
    finished_ = true;
  }

 private:
  struct Dataset {
    Hdf5Handle handle;
    hsize_t first_row = 0, rows = 0;
  };

  std::string failure(const std::string& action) const {
    return path_ + ": cannot " + action + " the file; check that the folder is writable and the disk is not full";
  }

  void create_group(const SlabGroup& group) const {
    const Hdf5Handle id(H5Gcreate2(file_.get(), group.path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    require(static_cast<bool>(id), failure("make " + group.path + " in"));
    if (group.vtk_type.empty()) return;
    const hsize_t count = group.vtk_version.size();
    const Hdf5Handle pair(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Hdf5Handle version(H5Acreate2(id.get(), "Version", H5T_STD_I64LE, pair.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    require(version && H5Awrite(version.get(), H5T_NATIVE_INT64, group.vtk_version.data()) >= 0, failure("write Version to"));
    const Hdf5Handle text(H5Tcopy(H5T_C_S1), H5Tclose);
    require(text && H5Tset_size(text.get(), group.vtk_type.size()) >= 0 && H5Tset_strpad(text.get(), H5T_STR_NULLPAD) >= 0 &&
                H5Tset_cset(text.get(), H5T_CSET_ASCII) >= 0,
            failure("write Type to"));
    const Hdf5Handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
    const Hdf5Handle type(H5Acreate2(id.get(), "Type", text.get(), scalar.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    require(type && H5Awrite(type.get(), text.get(), group.vtk_type.data()) >= 0, failure("write Type to"));
  }

  void create_dataset(const Slab& slab, const RowRange& range, int compression) {
    const hsize_t size[2] = {range.total, static_cast<hsize_t>(slab.columns)};
    const Hdf5Handle space(H5Screate_simple(slab.columns == 0 ? 1 : 2, size, nullptr), H5Sclose);
    const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    // Fill values would be written in full, and before disk space is reserved.
    require(space && creation && H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER) >= 0, failure("lay out"));
    constexpr hsize_t kSmall = 1024;  // datasets with fewer rows are not compressed
    if (compression > 0 && range.total > kSmall) {
      const int dimensions = slab.columns == 0 ? 1 : 2;
      const hsize_t chunk[2] = {std::min(range.total, kRowsPerChunk), size[1]};
      require(H5Pset_chunk(creation.get(), dimensions, chunk) >= 0 && H5Pset_shuffle(creation.get()) >= 0 && H5Pset_deflate(creation.get(), compression) >= 0,
              failure("lay out"));
    }
    Hdf5Handle dataset(H5Dcreate2(file_.get(), slab.path.c_str(), stored_type(slab.type), space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Dclose);
    require(static_cast<bool>(dataset), failure("make " + slab.path + " in"));
    datasets_.push_back({std::move(dataset), range.first, range.total});
  }

  static bool write_slab(const Slab& slab, const Dataset& dataset) {
    if (dataset.rows == 0) return true;  // on all ranks alike; HDF5 refuses to write to a dataset without storage
    const int dimensions = slab.columns == 0 ? 1 : 2;
    const hsize_t first[2] = {dataset.first_row, 0};
    const hsize_t count[2] = {static_cast<hsize_t>(slab.rows), static_cast<hsize_t>(slab.columns)};
    const Hdf5Handle file_space(H5Dget_space(dataset.handle.get()), H5Sclose);
    const Hdf5Handle memory_space(H5Screate_simple(dimensions, count, nullptr), H5Sclose);
    const Hdf5Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
    bool good = file_space && memory_space && transfer && H5Pset_dxpl_mpio(transfer.get(), H5FD_MPIO_COLLECTIVE) >= 0;
    if (slab.rows > 0) good = H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, first, nullptr, count, nullptr) >= 0 && good;
    else good = H5Sselect_none(file_space.get()) >= 0 && H5Sselect_none(memory_space.get()) >= 0 && good;
    // Called even after a failure above, because the other ranks take part in it.
    return H5Dwrite(dataset.handle.get(), memory_type(slab.type), memory_space.get(), file_space.get(), transfer.get(), slab.data) >= 0 && good;
  }

  MPI_Comm communicator_;
  std::string path_, temporary_, seal_;
  Hdf5Handle file_;
  std::vector<Dataset> datasets_;
  bool finished_ = false;
};

}  // namespace

namespace {

// HDF5 could convert while writing, but not in collective writes.
SlabFile in_single_precision(SlabFile contents, std::vector<std::vector<float>>& room) {
  room.reserve(contents.slabs.size());
  for (Slab& slab : contents.slabs) {
    if (slab.type != NumberType::float64) continue;
    const auto* numbers = static_cast<const double*>(slab.data);
    room.emplace_back(numbers, numbers + slab.rows * std::max(1, slab.columns));
    slab.type = NumberType::float32;
    slab.data = room.back().data();
  }
  return contents;
}

}  // namespace

void write_slab_file(MPI_Comm communicator, const std::string& path, const SlabFile& file) {
  const SilentHdf5 silent;
  std::vector<std::vector<float>> room;
  const SlabFile contents = file.storage.single_precision ? in_single_precision(file, room) : file;
  SlabFileWriter writer(communicator, path, contents);
  writer.lay_out(contents);
  writer.write(contents.slabs);
  writer.finish();
}

void replace_text_file(const std::string& path, const std::string& text) {
  const std::string temporary = path + ".part";
  std::ofstream file(temporary, std::ios::trunc);
  file << text;
  file.close();
  std::error_code reason;
  if (file) {
    flush_to_disk(temporary);  // otherwise a crash may leave an empty file under the new name
    std::filesystem::rename(temporary, path, reason);
  }
  require(static_cast<bool>(file) && !reason, path + ": cannot write; check that the folder is writable and the disk is not full");
}

}  // namespace traction
