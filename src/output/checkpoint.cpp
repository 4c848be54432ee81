#include "output/checkpoint.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <filesystem>

#include "errors.h"
#include "parallel/collective.h"

namespace traction {

namespace {

constexpr double kFormat = 1;

class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

// Vertices in file order, cut into one contiguous slab per rank; moves fields between slabs and local vertices.
class FileOrder {
 public:
  FileOrder(const Halo& halo, std::span<const int> vertex_ids) : halo_(halo) {
    PetscCallAbort(halo.communicator(), PetscLayoutCreateFromSizes(halo.communicator(), PETSC_DECIDE, halo.global_count(), 1, &layout_));
    PetscCallAbort(halo.communicator(), PetscLayoutGetRange(layout_, &begin_, &end_));
    PetscCallAbort(halo.communicator(), PetscSFCreate(halo.communicator(), &forest_));
    const std::vector<PetscInt> ids(vertex_ids.begin(), vertex_ids.end());
    PetscCallAbort(halo.communicator(),
                   PetscSFSetGraphLayout(forest_, layout_, static_cast<PetscInt>(ids.size()), nullptr, PETSC_COPY_VALUES, ids.data()));
    MPI_Type_contiguous(3, MPI_DOUBLE, &vertex_type_);
    MPI_Type_commit(&vertex_type_);
  }
  ~FileOrder() {
    PetscSFDestroy(&forest_);
    PetscLayoutDestroy(&layout_);
    MPI_Type_free(&vertex_type_);
  }
  FileOrder(const FileOrder&) = delete;
  FileOrder& operator=(const FileOrder&) = delete;

  std::vector<double> to_slab(std::span<const double> field) const {
    std::vector<double> slab(3 * static_cast<std::size_t>(end_ - begin_));
    PetscCallAbort(halo_.communicator(), PetscSFReduceBegin(forest_, vertex_type_, field.data(), slab.data(), MPI_REPLACE));
    PetscCallAbort(halo_.communicator(), PetscSFReduceEnd(forest_, vertex_type_, field.data(), slab.data(), MPI_REPLACE));
    return slab;
  }
  void from_slab(const std::vector<double>& slab, std::span<double> field) const {
    PetscCallAbort(halo_.communicator(), PetscSFBcastBegin(forest_, vertex_type_, slab.data(), field.data(), MPI_REPLACE));
    PetscCallAbort(halo_.communicator(), PetscSFBcastEnd(forest_, vertex_type_, slab.data(), field.data(), MPI_REPLACE));
  }

  hsize_t begin() const { return static_cast<hsize_t>(begin_); }
  hsize_t count() const { return static_cast<hsize_t>(end_ - begin_); }

 private:
  const Halo& halo_;
  PetscLayout layout_ = nullptr;
  PetscInt begin_ = 0, end_ = 0;
  PetscSF forest_ = nullptr;
  MPI_Datatype vertex_type_ = MPI_DATATYPE_NULL;
};

hid_t parallel_access(MPI_Comm communicator) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(access, communicator, MPI_INFO_NULL);
  return access;
}

hid_t collective_transfer() {
  const hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
  return transfer;
}

// Reads or writes this rank's slab of a dataset of vertices x 3.
template <typename Operation>
bool on_slab(hid_t dataset, const FileOrder& order, Operation operation) {
  const hsize_t offset[2] = {order.begin(), 0}, count[2] = {order.count(), 3};
  const Handle file_space(H5Dget_space(dataset), H5Sclose);
  const Handle memory_space(H5Screate_simple(2, count, nullptr), H5Sclose);
  if (file_space < 0) return false;
  if (order.count() > 0) H5Sselect_hyperslab(file_space, H5S_SELECT_SET, offset, nullptr, count, nullptr);
  else H5Sselect_none(file_space), H5Sselect_none(memory_space);
  const Handle transfer(collective_transfer(), H5Pclose);
  return operation(memory_space, file_space, transfer) >= 0;
}

bool write_number(hid_t file, const std::string& name, double value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(H5Acreate2(file, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value) >= 0;
}

herr_t collect_number(hid_t file, const char* name, const H5A_info_t*, void* data) {
  auto& numbers = *static_cast<std::map<std::string, double>*>(data);
  const Handle attribute(H5Aopen(file, name, H5P_DEFAULT), H5Aclose);
  const Handle space(H5Aget_space(attribute), H5Sclose);
  double value = 0;
  if (H5Sget_simple_extent_npoints(space) == 1 && H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) >= 0) numbers[name] = value;
  return 0;
}

}  // namespace

void write_checkpoint(const std::string& path, const Halo& halo, std::span<const int> vertex_ids, const Checkpoint& checkpoint) {
  const std::string temporary = path + ".part";
  const FileOrder order(halo, vertex_ids);
  bool good = true;
  {
    const Handle access(parallel_access(halo.communicator()), H5Pclose);
    const Handle file(H5Fcreate(temporary.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
    good = file >= 0;
    // Opening a file succeeds or fails on all ranks together, so the collective calls below stay matched.
    if (good) {
      good = write_number(file, "format", kFormat);
      for (const auto& [name, value] : checkpoint.numbers) good = write_number(file, name, value) && good;
      const hsize_t size[2] = {static_cast<hsize_t>(halo.global_count()), 3};
      const Handle space(H5Screate_simple(2, size, nullptr), H5Sclose);
      for (const auto& [name, field] : checkpoint.fields) {
        const std::vector<double> slab = order.to_slab(field);
        const Handle dataset(H5Dcreate2(file, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
        good = on_slab(dataset, order, [&](hid_t memory, hid_t stored, hid_t transfer) {
                 return H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, stored, transfer, slab.data());
               }) && good;
      }
      good = H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0 && good;
    }
  }
  on_all_ranks(halo.communicator(), [&] {
    if (!good) throw FileError(path + ": cannot write the checkpoint; is the folder writable and the disk not full?");
  });
  on_first_rank(halo.communicator(), [&] {
    std::error_code failure;
    std::filesystem::rename(temporary, path, failure);
    if (failure) throw FileError(path + ": cannot rename the finished checkpoint: " + failure.message());
  });
}

std::map<std::string, double> read_checkpoint_numbers(const std::string& path, const Halo& halo) {
  std::map<std::string, double> numbers;
  const Handle access(parallel_access(halo.communicator()), H5Pclose);
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
  if (file >= 0) H5Aiterate2(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect_number, &numbers);
  on_all_ranks(halo.communicator(), [&] {
    if (numbers.count("format") == 0 || numbers.at("format") != kFormat) throw InputError(path + ": not a checkpoint of this version");
  });
  return numbers;
}

void read_checkpoint_fields(const std::string& path, const Halo& halo, std::span<const int> vertex_ids, const std::map<std::string, std::span<double>>& fields) {
  const FileOrder order(halo, vertex_ids);
  const Handle access(parallel_access(halo.communicator()), H5Pclose);
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
  for (const auto& [name, field] : fields) {
    std::vector<double> slab(3 * order.count());
    on_all_ranks(halo.communicator(), [&] {
      const Handle dataset(file >= 0 && H5Lexists(file, name.c_str(), H5P_DEFAULT) > 0 ? H5Dopen2(file, name.c_str(), H5P_DEFAULT) : -1, H5Dclose);
      const Handle space(dataset >= 0 ? H5Dget_space(dataset) : -1, H5Sclose);
      const hssize_t stored = space >= 0 ? H5Sget_simple_extent_npoints(space) : 0;
      if (stored != 3 * static_cast<hssize_t>(halo.global_count()))
        throw InputError(fmt::format("{}: '{}' has {} numbers, the scene's meshes have {} vertices; was the mesh changed?", path, name, stored,
                                     halo.global_count()));
      const bool good = on_slab(dataset, order, [&](hid_t memory, hid_t file_space, hid_t transfer) {
        return H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, file_space, transfer, slab.data());
      });
      if (!good) throw FileError(path + ": cannot read '" + name + "'");
    });
    order.from_slab(slab, field);
  }
}

}  // namespace traction
