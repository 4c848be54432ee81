#include <fmt/format.h>

#include <cstdint>
#include <filesystem>

#include "errors.h"
#include "hdf5_handle.h"
#include "mesh_partition/partition.h"

namespace traction {

namespace {

constexpr int kFormat = 1;

bool write_attribute(hid_t file, const char* name, std::uint64_t value) {
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle attribute(H5Acreate2(file, name, H5T_STD_U64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return attribute && H5Awrite(attribute.get(), H5T_NATIVE_UINT64, &value) >= 0;
}

bool read_attribute(hid_t file, const char* name, std::uint64_t& value) {
  if (H5Aexists(file, name) <= 0) return false;
  const Hdf5Handle attribute(H5Aopen(file, name, H5P_DEFAULT), H5Aclose);
  const Hdf5Handle space(attribute ? H5Aget_space(attribute.get()) : -1, H5Sclose);
  return space && H5Sget_simple_extent_npoints(space.get()) == 1 && H5Aread(attribute.get(), H5T_NATIVE_UINT64, &value) >= 0;
}

}  // namespace

// FNV-1a over the connectivity.
std::uint64_t fingerprint(const Mesh& mesh) {
  std::uint64_t hash = 1469598103934665603ull;
  for (std::size_t e = 0; e < mesh.elements(); ++e)
    for (int vertex : mesh.element(e)) hash = (hash ^ static_cast<std::uint64_t>(vertex)) * 1099511628211ull;
  return hash;
}

void write_partition(const std::string& path, const Mesh& mesh, const Partition& partition) {
  const SilentHdf5 silent;
  const std::string temporary = path + ".part";
  bool good = false;
  {
    const Hdf5Handle file(H5Fcreate(temporary.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    const hsize_t count = partition.element_part.size();
    const Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Hdf5Handle data(file ? H5Dcreate2(file.get(), "element_part", H5T_STD_I32LE, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) : -1, H5Dclose);
    good = data && H5Dwrite(data.get(), H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, partition.element_part.data()) >= 0 &&
           write_attribute(file.get(), "format", kFormat) && write_attribute(file.get(), "parts", static_cast<std::uint64_t>(partition.parts)) &&
           write_attribute(file.get(), "fingerprint", fingerprint(mesh)) && H5Fflush(file.get(), H5F_SCOPE_GLOBAL) >= 0;
  }
  std::error_code failure;
  if (good) std::filesystem::rename(temporary, path, failure);
  if (!good || failure) throw FileError(path + ": cannot write the partition; check that the folder is writable and the disk is not full");
}

Partition read_partition(const std::string& path, const Mesh& mesh) {
  const SilentHdf5 silent;
  const std::string remedy = "; make one with traction-partition";
  std::error_code unknown;  // set for names that are too long, or in folders that may not be read
  if (!std::filesystem::exists(path, unknown)) throw InputError(path + ": no such partition file" + remedy);
  const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file) throw InputError(path + ": not an HDF5 file" + remedy);
  std::uint64_t format = 0, parts = 0, print = 0;
  if (!read_attribute(file.get(), "format", format) || !read_attribute(file.get(), "parts", parts) || !read_attribute(file.get(), "fingerprint", print) ||
      format != kFormat)
    throw InputError(path + ": not a partition file of this version" + remedy);
  const std::size_t elements = mesh.elements();
  const Hdf5Handle data(H5Lexists(file.get(), "element_part", H5P_DEFAULT) > 0 ? H5Dopen2(file.get(), "element_part", H5P_DEFAULT) : -1, H5Dclose);
  const Hdf5Handle space(data ? H5Dget_space(data.get()) : -1, H5Sclose);
  if (!space) throw InputError(path + ": holds no dataset element_part" + remedy);
  const hssize_t stored = H5Sget_simple_extent_npoints(space.get());
  if (stored != static_cast<hssize_t>(elements) || print != fingerprint(mesh))
    throw InputError(fmt::format("{}: is the partition of another mesh ({} elements, the scene has {}){}", path, stored, elements, remedy));
  Partition partition{static_cast<int>(parts), std::vector<int>(elements)};
  if (H5Dread(data.get(), H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, partition.element_part.data()) < 0)
    throw InputError(path + ": cannot read element_part" + remedy);
  if (parts < 1 || parts > elements) throw InputError(fmt::format("{}: contains {} parts for {} elements{}", path, parts, elements, remedy));
  for (int part : partition.element_part)
    if (part < 0 || part >= partition.parts)
      throw InputError(fmt::format("{}: an element is in part {}, but the file has {} parts{}", path, part, parts, remedy));
  return partition;
}

}  // namespace traction
