#include "output/slab_access.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "errors.h"

namespace traction {

namespace {

// Open MPI's own file layer, OMPIO, guards every open file by a semaphore of the node that is named after the file alone. A process that is killed while it
// holds one leaves it locked, and each later run on that node, of any user, would wait for ever when it opens a file of that name. ROMIO has no such
// semaphores; where it is missing, OMPIO locks files instead. Open MPI reads this at the first file that it opens. What the user has set in the environment
// prevails, and other MPI libraries ignore both.
void avoid_semaphores_of_files() {
  setenv("OMPI_MCA_io_ompio_priority", "1", 0);
  setenv("OMPI_MCA_sharedfp", "^sm", 0);
}

// MPI takes the text before a colon in a path for the kind of file system, so this kind is named first.
std::string name_for_mpi(const std::string& path) { return path.find(':') == std::string::npos ? path : "ufs:" + path; }

}  // namespace

void require(bool success, const std::string& message) {
  if (!success) throw FileError(message);
}

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

RowRange row_range(MPI_Comm communicator, std::int64_t rows) {
  std::int64_t first = 0, total = 0;
  MPI_Exscan(&rows, &first, 1, MPI_INT64_T, MPI_SUM, communicator);
  MPI_Allreduce(&rows, &total, 1, MPI_INT64_T, MPI_SUM, communicator);
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  return {rank == 0 ? 0 : static_cast<hsize_t>(first), static_cast<hsize_t>(total)};
}

void require_free(const std::string& path, std::uintmax_t bytes) {
  std::error_code reason;
  const std::uintmax_t available = std::filesystem::space(path, reason).available;
  if (reason || available < bytes) throw FileError(path + ": " + (reason ? reason.message() : std::strerror(ENOSPC)));
}

bool reserve_room(const std::string& path, std::uintmax_t first, std::uintmax_t bytes) {
  const int file = open(path.c_str(), O_WRONLY);
  if (file < 0) throw FileError(path + ": " + std::strerror(errno));
  int error = 0;
  do error = bytes == 0 || fallocate(file, 0, static_cast<off_t>(first), static_cast<off_t>(bytes)) == 0 ? 0 : errno;
  while (error == EINTR);  // a signal that asks the run to stop, which happens after the step
  close(file);
  const bool supported = error != EOPNOTSUPP && error != ENOSYS;
  if (error != 0 && supported) throw FileError(path + ": " + std::strerror(error));
  if (!supported) require_free(path, bytes);
  return supported;
}

Hdf5Handle open_for_writing(MPI_Comm communicator, const std::string& path, hid_t creation) {
  avoid_semaphores_of_files();
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  if (!access || H5Pset_fapl_mpio(access.get(), communicator, MPI_INFO_NULL) < 0) return {};
  const std::string name = name_for_mpi(path);
  if (creation >= 0) return {H5Fcreate(name.c_str(), H5F_ACC_TRUNC, creation, access.get()), H5Fclose};
  return {H5Fopen(name.c_str(), H5F_ACC_RDWR, access.get()), H5Fclose};
}

Hdf5Handle open_for_reading(const std::string& path) {
  avoid_semaphores_of_files();
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  if (!access || H5Pset_fapl_mpio(access.get(), MPI_COMM_SELF, MPI_INFO_NULL) < 0) return {};
  return {H5Fopen(name_for_mpi(path).c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose};
}

bool make_group(hid_t file, const SlabGroup& group) {
  const Hdf5Handle id(H5Gcreate2(file, group.path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  if (!id || group.vtk_type.empty()) return static_cast<bool>(id);
  const hsize_t two = 2;
  const Hdf5Handle pair(H5Screate_simple(1, &two, nullptr), H5Sclose);
  const Hdf5Handle version(H5Acreate2(id.get(), "Version", H5T_STD_I64LE, pair.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (!version || H5Awrite(version.get(), H5T_NATIVE_INT64, group.vtk_version.data()) < 0) return false;
  const Hdf5Handle text(H5Tcopy(H5T_C_S1), H5Tclose);
  if (!text || H5Tset_size(text.get(), group.vtk_type.size()) < 0 || H5Tset_strpad(text.get(), H5T_STR_NULLPAD) < 0 ||
      H5Tset_cset(text.get(), H5T_CSET_ASCII) < 0)
    return false;
  const Hdf5Handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle type(H5Acreate2(id.get(), "Type", text.get(), scalar.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return type && H5Awrite(type.get(), text.get(), group.vtk_type.data()) >= 0;
}

bool write_rows(hid_t dataset, const Slab& slab, hsize_t first_row, hsize_t all_rows) {
  if (all_rows == 0) return true;  // on all ranks alike; HDF5 refuses to write to a dataset without storage
  const int dimensions = slab.columns == 0 ? 1 : 2;
  const hsize_t first[2] = {first_row, 0};
  const hsize_t count[2] = {static_cast<hsize_t>(slab.rows), static_cast<hsize_t>(slab.columns)};
  const Hdf5Handle file_space(H5Dget_space(dataset), H5Sclose);
  const Hdf5Handle memory_space(H5Screate_simple(dimensions, count, nullptr), H5Sclose);
  const Hdf5Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
  bool good = file_space && memory_space && transfer && H5Pset_dxpl_mpio(transfer.get(), H5FD_MPIO_COLLECTIVE) >= 0;
  if (slab.rows > 0) good = H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, first, nullptr, count, nullptr) >= 0 && good;
  else good = H5Sselect_none(file_space.get()) >= 0 && H5Sselect_none(memory_space.get()) >= 0 && good;
  // Called even after a failure above, because the other ranks take part in it.
  return H5Dwrite(dataset, memory_type(slab.type), memory_space.get(), file_space.get(), transfer.get(), slab.data) >= 0 && good;
}

std::vector<Slab> in_single_precision(std::vector<Slab> slabs, std::vector<std::vector<float>>& room) {
  room.reserve(slabs.size());
  for (Slab& slab : slabs) {
    if (slab.type != NumberType::float64) continue;
    const auto* numbers = static_cast<const double*>(slab.data);
    room.emplace_back(numbers, numbers + slab.rows * std::max(1, slab.columns));
    slab.type = NumberType::float32;
    slab.data = room.back().data();
  }
  return slabs;
}

}  // namespace traction
