#include "output/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "errors.h"
#include "hdf5_handle.h"
#include "output/file_seal.h"
#include "output/slab_file.h"
#include "parallel/collective.h"
#include "parallel/petsc_handle.h"

namespace traction {

namespace {

const std::string kAnyKind = "traction checkpoint ";
const std::string kKind = kAnyKind + "5";  // counts versions of the format
// Two datasets hold all numbers and their names, each of which ends with a zero: a scene with thousands of bodies has tens of thousands of numbers, and
// a dataset for each of them took longer than a step.
const std::string kNumbers = "/numbers", kNames = kNumbers + "/names", kValues = kNumbers + "/values";

// The number of doubles of a field per local vertex. Collective, because ranks without vertices receive it from the others.
int component_count(const IndexMap& vertices, std::span<const double> field) {
  const int here = vertices.local() == 0 ? 0 : static_cast<int>(field.size()) / vertices.local();
  return static_cast<int>(maximum_over_ranks(vertices.communicator(), here));
}

// Vertices in file order, cut into one contiguous slab per rank; moves fields between slabs and local vertices.
class FileOrder {
 public:
  FileOrder(const IndexMap& vertices, std::span<const int> vertex_ids)
      : slabs_(vertices.communicator(), even_share(vertices)), ids_(vertex_ids.begin(), vertex_ids.end()) {}

  std::vector<double> to_slab(std::span<const double> field, int components) {
    std::vector<double> slab(components * count(), -0.0);  // adding to -0 changes no number, not even a negative zero
    scatter(components).add_back(field, slab);
    return slab;
  }
  void from_slab(const std::vector<double>& slab, std::span<double> field, int components) { scatter(components).forward(slab, field); }

  hsize_t begin() const { return slabs_.first_owned(); }
  hsize_t count() const { return slabs_.owned(); }

 private:
  static int even_share(const IndexMap& vertices) {
    PetscInt share = PETSC_DECIDE, all = vertices.global_count();
    check_petsc(PetscSplitOwnership(vertices.communicator(), &share, &all));
    return share;
  }
  const Scatter& scatter(int components) { return scatters_.try_emplace(components, slabs_, ids_, components).first->second; }

  IndexMap slabs_;
  std::vector<PetscInt> ids_;
  std::map<int, Scatter> scatters_;  // by number of components
};

Hdf5Handle open_file(const std::string& path) { return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose}; }

// Opens a dataset; invalid if the file has no such dataset.
Hdf5Handle open_dataset(const Hdf5Handle& file, const std::string& path) {
  if (!file || H5Lexists(file.get(), path.c_str(), H5P_DEFAULT) <= 0) return {};
  return {H5Dopen2(file.get(), path.c_str(), H5P_DEFAULT), H5Dclose};
}

herr_t collect_name(hid_t, const char* name, const H5L_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

// The names of the datasets and groups in a group.
std::vector<std::string> names_in(const Hdf5Handle& file, const std::string& path, const std::string& group) {
  std::vector<std::string> names;
  const bool listed = file && (group == "/" || H5Lexists(file.get(), group.c_str(), H5P_DEFAULT) > 0) &&
                      H5Literate_by_name(file.get(), group.c_str(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect_name, &names, H5P_DEFAULT) >= 0;
  if (!listed) throw FileError(path + ": cannot read it");
  return names;
}

// All elements of a dataset, which must have one dimension; nothing if it cannot be read.
template <typename Number>
std::optional<std::vector<Number>> read_all(const Hdf5Handle& file, const std::string& path, hid_t type) {
  const Hdf5Handle dataset = open_dataset(file, path);
  const Hdf5Handle space(dataset ? H5Dget_space(dataset.get()) : -1, H5Sclose);
  const hssize_t size = space ? H5Sget_simple_extent_npoints(space.get()) : -1;
  if (size < 0) return {};
  std::vector<Number> elements(static_cast<std::size_t>(size));
  if (H5Dread(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements.data()) < 0) return {};
  return elements;
}

std::map<std::string, double> read_numbers(const std::string& path) {
  std::map<std::string, double> numbers;
  const SilentHdf5 silent;
  const Hdf5Handle file = open_file(path);
  const auto names = read_all<char>(file, kNames, H5T_NATIVE_CHAR);
  const auto values = read_all<double>(file, kValues, H5T_NATIVE_DOUBLE);
  if (!names || !values || std::count(names->begin(), names->end(), '\0') != static_cast<std::ptrdiff_t>(values->size()))
    throw FileError(path + ": cannot read its numbers");
  auto name = names->begin();
  for (const double value : *values) {
    const auto end = std::find(name, names->end(), '\0');
    numbers[std::string(name, end)] = value;
    name = end + 1;
  }
  return numbers;
}

}  // namespace

void write_checkpoint(const std::string& path, const Halo& halo, std::span<const int> vertex_ids, Archive archive) {
  FileOrder order(halo, vertex_ids.first(halo.owned()));  // owners write; ghosts may be outdated
  int rank = 0;
  MPI_Comm_rank(halo.communicator(), &rank);
  SlabFile file;
  file.seal = kKind;
  file.groups = {{.path = kNumbers}};
  std::string names;
  std::vector<double> values;
  if (rank == 0)
    for (const auto& [name, value] : archive.numbers) {
      names += name + '\0';
      values.push_back(value);
    }
  file.slabs.push_back({kNames, NumberType::uint8, 0, static_cast<std::int64_t>(names.size()), names.data()});
  file.slabs.push_back({kValues, NumberType::float64, 0, static_cast<std::int64_t>(values.size()), values.data()});
  for (auto& [name, field] : archive.fields) {
    const int components = component_count(halo, field);
    field = order.to_slab(field, components);
    file.slabs.push_back({"/" + name, NumberType::float64, components, static_cast<std::int64_t>(order.count()), field.data()});
  }
  write_slab_file(halo.communicator(), path, file);
}

std::optional<std::string> checkpoint_fault(MPI_Comm communicator, const std::string& path) { return seal_fault(communicator, path, kKind); }

void refuse_other_version(MPI_Comm communicator, const std::string& path) {
  std::string kind;
  on_first_rank(communicator, [&] { kind = seal_kind(path); });
  broadcast(communicator, kind);
  if (!kind.starts_with(kAnyKind) || kind == kKind || seal_fault(communicator, path, kind)) return;
  throw InputError(
      fmt::format("{}: was written by another version of Traction (format {}; this one, {}, reads format {}); resume with that version, or start "
                  "anew in another folder",
                  path, kind.substr(kAnyKind.size()), TRACTION_VERSION, kKind.substr(kAnyKind.size())));
}

std::map<std::string, double> read_checkpoint_numbers(const std::string& path, const Halo& halo) {
  if (const auto fault = checkpoint_fault(halo.communicator(), path)) throw InputError(*fault + "; not a checkpoint of this version, or damaged");
  std::map<std::string, double> numbers;
  on_all_ranks(halo.communicator(), [&] { numbers = read_numbers(path); });
  return numbers;
}

void read_checkpoint_fields(const std::string& path, const Halo& halo, std::span<const int> vertex_ids,
                            const std::map<std::string, std::span<double>>& fields) {
  FileOrder order(halo, vertex_ids);
  for (const auto& each : fields) {
    const std::string& name = each.first;
    const std::span<double> field = each.second;
    const int components = component_count(halo, field);
    std::vector<double> slab(components * order.count());
    on_all_ranks(halo.communicator(), [&] {  // every rank reads its own slab, so that no call below waits for another rank
      const SilentHdf5 silent;
      const Hdf5Handle file = open_file(path), dataset = open_dataset(file, "/" + name);
      const Hdf5Handle space(dataset ? H5Dget_space(dataset.get()) : -1, H5Sclose);
      const hssize_t stored = space ? H5Sget_simple_extent_npoints(space.get()) : 0;
      if (stored != components * static_cast<hssize_t>(halo.global_count()))
        throw InputError(
            fmt::format("{}: '{}' has {} numbers, but the scene's meshes have {} vertices, because a mesh has changed; restore it, or start a new run", path,
                        name, stored, halo.global_count()));
      if (order.count() == 0) return;
      const hsize_t offset[2] = {order.begin(), 0}, count[2] = {order.count(), static_cast<hsize_t>(components)};
      const Hdf5Handle memory(H5Screate_simple(2, count, nullptr), H5Sclose);
      if (H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, offset, nullptr, count, nullptr) < 0 ||
          H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, memory.get(), space.get(), H5P_DEFAULT, slab.data()) < 0)
        throw FileError(path + ": cannot read '" + name + "'");
    });
    order.from_slab(slab, field, components);
  }
}

std::map<std::string, std::vector<double>> read_checkpoint_fields(const std::string& path, const Halo& halo, std::span<const int> vertex_ids) {
  std::map<std::string, std::vector<double>> fields;
  std::map<std::string, std::span<double>> wanted;
  on_all_ranks(halo.communicator(), [&] {
    const SilentHdf5 silent;
    const Hdf5Handle file = open_file(path);
    for (const std::string& name : names_in(file, path, "/")) {
      if ("/" + name == kNumbers) continue;
      const Hdf5Handle dataset = open_dataset(file, "/" + name), space(dataset ? H5Dget_space(dataset.get()) : -1, H5Sclose);
      const hssize_t stored = space ? H5Sget_simple_extent_npoints(space.get()) : 0;
      wanted[name] = fields[name] = std::vector<double>(static_cast<std::size_t>(stored / halo.global_count() * halo.local()));
    }
  });
  read_checkpoint_fields(path, halo, vertex_ids, wanted);
  return fields;
}

}  // namespace traction
