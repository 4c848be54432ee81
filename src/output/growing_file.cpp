#include "output/growing_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "errors.h"
#include "output/file_seal.h"
#include "output/undo_file.h"
#include "parallel/collective.h"

namespace traction {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kOfOneDataset = 1 << 12;  // bytes of HDF5's own data for a dataset, at most

std::string failure(const std::string& what, const std::string& path) {
  return "cannot " + what + " " + path + "; check that the folder is writable and the disk is not full";
}

int dimensions_of(const Slab& slab) { return slab.columns == 0 ? 1 : 2; }

hsize_t in_whole_chunks(hsize_t rows, hsize_t chunk_rows) { return (rows + chunk_rows - 1) / chunk_rows * chunk_rows; }

hsize_t rows_of_dataset(hid_t dataset) {
  const Hdf5Handle space(dataset >= 0 ? H5Dget_space(dataset) : -1, H5Sclose);
  hsize_t size[2] = {0, 0};
  return space && H5Sget_simple_extent_ndims(space.get()) <= 2 && H5Sget_simple_extent_dims(space.get(), size, nullptr) >= 0 ? size[0] : 0;
}

bool make_dataset(hid_t file, const GrowingDataset& dataset) {
  const Slab& slab = dataset.slab;
  const auto columns = static_cast<hsize_t>(slab.columns);
  const hsize_t rows = dataset.rows_ahead == 0 ? dataset.rows : in_whole_chunks(dataset.rows + dataset.rows_ahead, dataset.chunk_rows);
  const hsize_t size[2] = {rows, columns}, most[2] = {H5S_UNLIMITED, columns}, chunk[2] = {dataset.chunk_rows, columns};
  const Hdf5Handle space(H5Screate_simple(dimensions_of(slab), size, most), H5Sclose);
  const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const bool laid_out = space && creation && H5Pset_chunk(creation.get(), dimensions_of(slab), chunk) >= 0 &&
                        H5Pset_alloc_time(creation.get(), H5D_ALLOC_TIME_EARLY) >= 0 && H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER) >= 0 &&
                        H5Pset_obj_track_times(creation.get(), false) >= 0;
  if (!laid_out) return false;
  return static_cast<bool>(
      Hdf5Handle(H5Dcreate2(file, slab.path.c_str(), stored_type(slab.type), space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Dclose));
}

bool make_fixed_dataset(hid_t file, const Slab& slab) {
  const hsize_t size[2] = {static_cast<hsize_t>(slab.rows), static_cast<hsize_t>(slab.columns)};
  const Hdf5Handle space(H5Screate_simple(dimensions_of(slab), size, nullptr), H5Sclose);
  const Hdf5Handle dataset(space ? H5Dcreate2(file, slab.path.c_str(), stored_type(slab.type), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) : -1,
                           H5Dclose);
  return dataset && (slab.rows == 0 || H5Dwrite(dataset.get(), memory_type(slab.type), H5S_ALL, H5S_ALL, H5P_DEFAULT, slab.data) >= 0);
}

Hdf5Handle open_existing(const std::string& path) {
  Hdf5Handle file = open_for_reading(path);
  require(static_cast<bool>(file), path + ": cannot be read; restore it from a copy, or run the scene from its start");
  return file;
}

hsize_t rows_per_chunk(hid_t dataset) {
  const Hdf5Handle creation(H5Dget_create_plist(dataset), H5Pclose);
  hsize_t chunk[2] = {0, 0};
  return creation && H5Pget_layout(creation.get()) == H5D_CHUNKED && H5Pget_chunk(creation.get(), 2, chunk) > 0 ? chunk[0] : 0;
}

// Adds the chunks of a dataset to a list; other objects have none.
herr_t collect_chunks(hid_t group, const char* name, const H5L_info_t*, void* found) {
  const Hdf5Handle dataset(H5Dopen2(group, name, H5P_DEFAULT), H5Dclose);
  const hsize_t chunk_rows = dataset ? rows_per_chunk(dataset.get()) : 0;
  if (chunk_rows == 0) return 0;
  const hsize_t rows = rows_of_dataset(dataset.get());
  for (hsize_t row = 0; row < rows; row += chunk_rows) {
    const hsize_t place[2] = {row, 0};
    unsigned filters = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t bytes = 0;
    if (H5Dget_chunk_info_by_coord(dataset.get(), place, &filters, &address, &bytes) < 0) return -1;
    if (address != HADDR_UNDEF) static_cast<std::vector<ByteRange>*>(found)->push_back({address, address + bytes});
  }
  return 0;
}

// The rows to which a dataset grows when it needs room.
hsize_t rows_with_room(hid_t id, const GrowingDataset& dataset) {
  const hsize_t needed = dataset.first_row + dataset.rows;
  return dataset.rows_ahead == 0 ? needed : in_whole_chunks(needed + dataset.rows_ahead, rows_per_chunk(id));
}

// An upper bound on the bytes by which a file grows when its datasets get room.
std::uintmax_t growth_of(const std::string& path, const std::vector<GrowingDataset>& datasets) {
  const Hdf5Handle file = open_existing(path);
  std::uintmax_t bytes = 0;
  for (const GrowingDataset& dataset : datasets) {
    const Hdf5Handle id(H5Dopen2(file.get(), dataset.slab.path.c_str(), H5P_DEFAULT), H5Dclose);
    require(static_cast<bool>(id), failure("open " + dataset.slab.path + " in", path));
    const hsize_t rows = rows_of_dataset(id.get());
    if (rows >= dataset.first_row + dataset.rows) continue;
    const hsize_t new_rows = in_whole_chunks(rows_with_room(id.get(), dataset), std::max<hsize_t>(1, rows_per_chunk(id.get())));
    bytes += 2 * kOfOneDataset + (new_rows - rows) * std::max(1, dataset.slab.columns) * H5Tget_size(stored_type(dataset.slab.type));
  }
  return bytes;
}

// The parts of a file outside the chunks of datasets: HDF5's own data, and small fixed datasets.
std::vector<ByteRange> all_but_chunks(const std::string& path) {
  std::vector<ByteRange> chunks, rest;
  {
    const Hdf5Handle file = open_existing(path);
    const herr_t visited = H5Lvisit(file.get(), H5_INDEX_NAME, H5_ITER_NATIVE, collect_chunks, &chunks);
    require(visited >= 0, failure("read the places of chunks in", path));
  }
  std::sort(chunks.begin(), chunks.end(), [](const ByteRange& a, const ByteRange& b) { return a.first < b.first; });
  chunks.push_back({fs::file_size(path), 0});  // ends the last gap
  std::uint64_t end = 0;
  for (const ByteRange& chunk : chunks) {
    if (chunk.first > end) rest.push_back({end, chunk.first});
    end = std::max(end, chunk.end);
  }
  return rest;
}

}  // namespace

void make_growing_file(const std::string& path, const std::vector<SlabGroup>& groups, const std::vector<Slab>& fixed,
                       const std::vector<GrowingDataset>& datasets) {
  const SilentHdf5 silent;
  try {
    {
      std::ofstream empty(path, std::ios::trunc);
      require(static_cast<bool>(empty), path + ": " + std::strerror(errno));
    }
    // Space is tested before HDF5 has anything to write: an HDF5 file that cannot be closed for lack of space makes the program crash at its end.
    reserve_room(path, 0, kOfOneDataset * (datasets.size() + fixed.size() + groups.size()));
    {
      const Hdf5Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
      Hdf5Handle file = open_for_writing(MPI_COMM_SELF, path, creation.get());
      require(static_cast<bool>(file), failure("open", path));
      for (const SlabGroup& group : groups) require(make_group(file.get(), group), failure("make " + group.path + " in", path));
      for (const Slab& slab : fixed) require(make_fixed_dataset(file.get(), slab), failure("make " + slab.path + " in", path));
      for (const GrowingDataset& dataset : datasets) require(make_dataset(file.get(), dataset), failure("make " + dataset.slab.path + " in", path));
      require(file.close(), failure("close", path));
    }
    reserve_room(path, 0, fs::file_size(path));
  } catch (...) {
    std::error_code ignored;
    fs::remove(path, ignored);
    throw;
  }
}

bool has_room(const std::string& path, const std::vector<GrowingDataset>& datasets) {
  const SilentHdf5 silent;
  const Hdf5Handle file = open_existing(path);
  return std::all_of(datasets.begin(), datasets.end(),
                     [&](const GrowingDataset& dataset) { return rows_of(file.get(), dataset.slab.path) >= dataset.first_row + dataset.rows; });
}

void make_room(const std::string& path, const std::vector<GrowingDataset>& datasets) {
  const SilentHdf5 silent;
  change_protected(path, [&] {
    const std::uintmax_t before = fs::file_size(path);
    reserve_room(path, before, growth_of(path, datasets));  // tested before HDF5 has anything to write, as above
    Hdf5Handle file = open_for_writing(MPI_COMM_SELF, path);
    require(static_cast<bool>(file), failure("open", path));
    for (const GrowingDataset& dataset : datasets) {
      const hsize_t needed = dataset.first_row + dataset.rows;
      if (rows_of(file.get(), dataset.slab.path) >= needed) continue;
      const Hdf5Handle id(H5Dopen2(file.get(), dataset.slab.path.c_str(), H5P_DEFAULT), H5Dclose);
      require(static_cast<bool>(id), failure("open " + dataset.slab.path + " in", path));
      const hsize_t size[2] = {rows_with_room(id.get(), dataset), static_cast<hsize_t>(dataset.slab.columns)};
      require(H5Dset_extent(id.get(), size) >= 0, failure("extend " + dataset.slab.path + " in", path));
    }
    require(file.close(), failure("close", path));
    reserve_room(path, before, fs::file_size(path) - before);
  });
}

void require_space(const std::string& path, const std::vector<GrowingDataset>& datasets) {
  if (reserve_room(path, 0, 1)) return;  // all room is reserved
  hsize_t bytes = 0;
  for (const GrowingDataset& dataset : datasets) bytes += dataset.rows * std::max(1, dataset.slab.columns) * H5Tget_size(stored_type(dataset.slab.type));
  require_free(path, bytes);
}

void write_into_room(MPI_Comm communicator, const std::string& path, const std::vector<GrowingDataset>& datasets) {
  const SilentHdf5 silent;
  Hdf5Handle file;
  on_all_ranks(communicator, [&] {
    file = open_for_writing(communicator, path);
    require(static_cast<bool>(file), failure("open", path));
  });
  std::string wrong;
  for (const GrowingDataset& dataset : datasets) {
    const hsize_t first = row_range(communicator, dataset.slab.rows).first + dataset.first_row;
    const Hdf5Handle id(H5Dopen2(file.get(), dataset.slab.path.c_str(), H5P_DEFAULT), H5Dclose);
    if (!(id && write_rows(id.get(), dataset.slab, first, dataset.rows)) && wrong.empty()) wrong = dataset.slab.path;
  }
  on_all_ranks(communicator, [&] {
    const bool closed = file.close();
    require(wrong.empty(), failure("write " + wrong + " to", path));
    require(closed, failure("close", path));
  });
}

void change_protected(const std::string& path, const std::function<void()>& change) {
  const SilentHdf5 silent;
  flush_to_disk(path);  // flushed now, so that the change itself has little to flush
  save_for_undo(path, all_but_chunks(path));
  try {
    change();
  } catch (...) {
    undo_change(path);
    throw;
  }
  forget_undo(path);
}

bool read_first_integers(hid_t file, const std::string& path, hsize_t rows, std::vector<std::int64_t>& values) {
  std::vector<double> numbers;  // exact below 2^53
  if (!read_first_numbers(file, path, rows, numbers)) return false;
  values.assign(numbers.begin(), numbers.end());
  return true;
}

bool read_first_numbers(hid_t file, const std::string& path, hsize_t rows, std::vector<double>& values) {
  const Hdf5Handle dataset(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose), space(dataset ? H5Dget_space(dataset.get()) : -1, H5Sclose);
  values.resize(rows);
  if (!space || H5Sget_simple_extent_ndims(space.get()) != 1 || rows_of_dataset(dataset.get()) < rows) return false;
  if (rows == 0) return true;
  const hsize_t first = 0;
  const Hdf5Handle memory(H5Screate_simple(1, &rows, nullptr), H5Sclose);
  return H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &first, nullptr, &rows, nullptr) >= 0 &&
         H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, memory.get(), space.get(), H5P_DEFAULT, values.data()) >= 0;
}

hsize_t rows_of(hid_t file, const std::string& path) {
  if (H5Lexists(file, path.c_str(), H5P_DEFAULT) <= 0) return 0;
  return rows_of_dataset(Hdf5Handle(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose).get());
}

}  // namespace traction
