#include "output/slab_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "errors.h"
#include "hdf5_handle.h"
#include "output/file_seal.h"
#include "output/slab_access.h"
#include "parallel/collective.h"

namespace traction {

namespace {

std::string system_reason() { return std::strerror(errno); }

constexpr hsize_t kRoomForMetadata = 1 << 16;
constexpr hsize_t kRowsPerChunk = 1 << 15;     // for compressed datasets
constexpr hsize_t kBytesPerDataset = 1 << 10;  // metadata of one, at most

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
        reserve_room(temporary_, 0, contents.storage.compression > 0 ? hsize_t{kRoomForMetadata} : bytes);
      } catch (const FileError&) {
        std::error_code ignored;
        std::filesystem::remove(temporary_, ignored);
        throw;
      }
    });
    on_all_ranks(communicator_, [&] {
      const Hdf5Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
      require(creation && (seal_.empty() || H5Pset_userblock(creation.get(), kSealBytes) >= 0), failure("open"));
      file_ = open_for_writing(communicator_, temporary_, creation.get());
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
      for (const SlabGroup& group : contents.groups) require(make_group(file_.get(), group), failure("make " + group.path + " in"));
      for (std::size_t i = 0; i < contents.slabs.size(); ++i) create_dataset(contents.slabs[i], ranges[i], contents.storage.compression);
      for (const ExternalLink& link : contents.links) {
        const herr_t linked = H5Lcreate_external(link.target_file.c_str(), link.target_path.c_str(), file_.get(), link.path.c_str(), H5P_DEFAULT, H5P_DEFAULT);
        require(linked >= 0, failure("link " + link.path + " in"));
      }
    });
    hsize_t bytes = 0;
    // HDF5 forgets the size of a file once it has written metadata to it, which it does while it makes very many datasets. Compressed data is allocated only
    // when it is written, in whole chunks. In both cases the file needs at most the following.
    if (contents.storage.compression > 0 || H5Fget_filesize(file_.get(), &bytes) < 0) {
      bytes = kBytesPerDataset * ranges.size();
      for (std::size_t i = 0; i < ranges.size(); ++i)
        bytes += (ranges[i].total + (contents.storage.compression > 0 ? kRowsPerChunk : 0)) * std::max(1, contents.slabs[i].columns) *
                 H5Tget_size(stored_type(contents.slabs[i].type));
    }
    on_first_rank(communicator_, [&] { reserve_room(temporary_, 0, bytes + kRoomForMetadata); });
  }

  void write(const std::vector<Slab>& slabs) {
    for (std::size_t i = 0; i < slabs.size(); ++i)
      on_all_ranks(communicator_, [&] {
        const Dataset& dataset = datasets_[i];
        require(write_rows(dataset.handle.get(), slabs[i], dataset.first_row, dataset.rows), failure("write " + slabs[i].path + " to"));
      });
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

  void create_dataset(const Slab& slab, const RowRange& range, int compression) {
    const hsize_t size[2] = {range.total, static_cast<hsize_t>(slab.columns)};
    const Hdf5Handle space(H5Screate_simple(slab.columns == 0 ? 1 : 2, size, nullptr), H5Sclose);
    const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    // No fill values, because they would be written in full, and before disk space is reserved.
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

  MPI_Comm communicator_;
  std::string path_, temporary_, seal_;
  Hdf5Handle file_;
  std::vector<Dataset> datasets_;
  bool finished_ = false;
};

}  // namespace

void write_slab_file(MPI_Comm communicator, const std::string& path, const SlabFile& file) {
  const SilentHdf5 silent;
  std::vector<std::vector<float>> room;
  SlabFile contents = file;
  if (file.storage.single_precision) contents.slabs = in_single_precision(std::move(contents.slabs), room);
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
