#include "output/field_writer.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "hdf5_handle.h"
#include "output/file_seal.h"
#include "parallel/collective.h"

namespace traction {

namespace {

namespace fs = std::filesystem;

constexpr std::uint8_t kVtkLine = 3, kVtkTriangle = 5, kVtkTetrahedron = 10;
constexpr std::string_view kFirstTopology = "fields_mesh.h5";

// The name of a topology. Each continuation of a run has its own, because it may have another partition while earlier frames still need theirs.
std::string topology_name(int first_frame) { return first_frame == 0 ? std::string(kFirstTopology) : fmt::format("fields_mesh_{:06d}.h5", first_frame); }

// Removes the topologies of continuations from frame `first` on.
void remove_topologies(const std::string& directory, int first) {
  std::vector<fs::path> outdated;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory))
    if (number_in_name(entry.path().filename().string(), "fields_mesh_", ".h5") >= first) outdated.push_back(entry.path());
  for (const fs::path& path : outdated) fs::remove(path);
}

std::vector<double> values_at(const std::vector<int>& points, std::span<const double> values, int components) {
  std::vector<double> gathered;
  gathered.reserve(points.size() * static_cast<std::size_t>(components));
  for (int point : points) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(point) * components;
    gathered.insert(gathered.end(), first, first + components);
  }
  return gathered;
}

// The data that the frames of a run have in common, as columns.
class Topology {
 public:
  Topology(const FieldPiece& piece, MPI_Comm communicator) : piece_(piece) {
    MPI_Comm_rank(communicator, &rank_);
    add_cells(piece.tetrahedra, kVtkTetrahedron);
    add_cells(piece.triangles, kVtkTriangle);
    add_cells(piece.lines, kVtkLine);
    points_ = static_cast<std::int64_t>(piece.points.size());
    cells_ = static_cast<std::int64_t>(types_.size());
    connectivity_ids_ = static_cast<std::int64_t>(connectivity_.size());
    partition_.assign(types_.size(), rank_);
    regions_.assign(piece.cell_regions.begin(), piece.cell_regions.end());
  }

  // Both refer to this object.
  std::vector<Slab> slabs(const std::string& group) const {
    return {
        {group + "/NumberOfPoints", NumberType::int64, 0, 1, &points_},
        {group + "/NumberOfCells", NumberType::int64, 0, 1, &cells_},
        {group + "/NumberOfConnectivityIds", NumberType::int64, 0, 1, &connectivity_ids_},
        {group + "/Connectivity", NumberType::int64, 0, connectivity_ids_, connectivity_.data()},
        {group + "/Offsets", NumberType::int64, 0, cells_ + 1, offsets_.data()},
        {group + "/Types", NumberType::uint8, 0, cells_, types_.data()},
        {group + "/PointData/vertex_id", NumberType::int64, 0, points_, piece_.vertex_ids.data()},
        {group + "/CellData/partition", NumberType::int32, 0, cells_, partition_.data()},
        {group + "/CellData/region", NumberType::int32, 0, cells_, regions_.data()},
    };
  }
  std::vector<Slab> of_bodies() const {
    const bool first = rank_ == 0;
    return {{"/Bodies/names", NumberType::uint8, 0, first ? static_cast<std::int64_t>(piece_.body_names.size()) : 0, piece_.body_names.data()},
            {"/Bodies/first_vertex", NumberType::int64, 0, first ? static_cast<std::int64_t>(piece_.first_vertices.size()) : 0, piece_.first_vertices.data()}};
  }

 private:
  template <typename Elements>
  void add_cells(const Elements& elements, std::uint8_t type) {
    for (const auto& element : elements) {
      connectivity_.insert(connectivity_.end(), element.begin(), element.end());
      offsets_.push_back(static_cast<std::int64_t>(connectivity_.size()));
      types_.push_back(type);
    }
  }

  const FieldPiece& piece_;
  int rank_ = 0;
  std::int64_t points_ = 0, cells_ = 0, connectivity_ids_ = 0;
  std::vector<std::int64_t> connectivity_, offsets_ = {0};
  std::vector<std::uint8_t> types_;
  std::vector<std::int32_t> partition_, regions_;
};

// -1 if the frame cannot be read. Serial.
hssize_t points_of_first_frame(const std::string& directory) {
  const SilentHdf5 silence;
  const Hdf5Handle file(H5Fopen((directory + "/fields_000000.hdf").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const Hdf5Handle points(file ? H5Dopen2(file.get(), "/VTKHDF/Points", H5P_DEFAULT) : -1, H5Dclose);
  const Hdf5Handle space(points ? H5Dget_space(points.get()) : -1, H5Sclose);
  return space ? H5Sget_simple_extent_npoints(space.get()) / 3 : -1;
}

}  // namespace

FieldWriter::FieldWriter(MPI_Comm communicator, std::string directory, FieldPiece piece, int first_frame, FrameStorage storage)
    : communicator_(communicator),
      directory_(std::move(directory)),
      piece_(std::move(piece)),
      storage_(storage.numbers),
      topology_frame_(first_frame),
      frames_(communicator, directory_, "fields", first_frame, storage) {
  if (frames_.is_one_file()) return;
  on_first_rank(communicator_, [&] { remove_topologies(directory_, first_frame); });
  write_topology();
  if (first_frame > 0) restore_first_topology();
}

// The first frames need the first topology. If its file is missing, it can be written again only if the first frames are of one rank and the run continues on
// one, because other numbers of ranks have other orders and more points.
void FieldWriter::restore_first_topology() {
  int size = 1;
  MPI_Comm_size(communicator_, &size);
  double fits = 0;
  on_first_rank(communicator_, [&] {
    const std::string path = directory_ + "/" + std::string(kFirstTopology);
    if (fs::exists(path)) fits = -1;
    else if (size == 1 && points_of_first_frame(directory_) == static_cast<hssize_t>(piece_.points.size())) fits = 1;
    if (fits == 0)
      spdlog::warn("{}: is missing, and without it the first frames cannot be read; restore it from a copy, or run the scene from its start", path);
    else if (fits > 0) spdlog::warn("{}: was missing, and is written again", path);
  });
  if (size > 1 || !(fits > 0)) return;
  const int present = std::exchange(topology_frame_, 0);
  write_topology();
  topology_frame_ = present;
}

void FieldWriter::remove_frames(const std::string& directory) {
  traction::remove_frames(directory, "fields", 0);
  remove_topologies(directory, 0);
  fs::remove(directory + "/" + std::string(kFirstTopology));
}

void FieldWriter::write_frame(double time, std::span<const double> positions, std::span<const PointField> fields, std::span<const CellField> cell_fields) {
  SlabFile file;
  file.groups = {{.path = "/VTKHDF", .vtk_type = "UnstructuredGrid"}, {.path = "/VTKHDF/PointData"}, {.path = "/VTKHDF/CellData"}};
  std::optional<Topology> topology;
  std::vector<Slab> shared;
  if (!frames_.is_one_file()) {
    for (const char* name : {"NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds", "Connectivity", "Offsets", "Types", "PointData/vertex_id",
                             "CellData/partition", "CellData/region"})
      file.links.push_back({std::string("/VTKHDF/") + name, topology_name(topology_frame_), std::string("/") + name});
    file.links.push_back({"/Bodies", topology_name(topology_frame_), "/Bodies"});
  } else if (frames_.frames() == topology_frame_) {
    topology.emplace(piece_, communicator_);
    shared = topology->slabs("/VTKHDF");
    file.groups.push_back({.path = "/Bodies"});
    file.slabs = topology->of_bodies();
  }

  const auto rows = static_cast<std::int64_t>(piece_.points.size());
  std::vector<std::vector<double>> values = {values_at(piece_.points, positions, 3)};
  for (const PointField& field : fields) values.push_back(values_at(piece_.points, field.values, field.components));
  file.slabs.push_back({"/VTKHDF/Points", NumberType::float64, 3, rows, values[0].data()});
  const auto columns = [](int components) { return components == 1 ? 0 : components; };
  for (std::size_t i = 0; i < fields.size(); ++i) {
    file.slabs.push_back({"/VTKHDF/PointData/" + fields[i].name, NumberType::float64, columns(fields[i].components), rows, values[i + 1].data()});
  }
  const auto cells = static_cast<std::int64_t>(piece_.tetrahedra.size() + piece_.triangles.size() + piece_.lines.size());
  for (const CellField& field : cell_fields)
    file.slabs.push_back({"/VTKHDF/CellData/" + field.name, NumberType::float64, columns(field.components), cells, field.values.data()});
  frames_.add(time, std::move(file), shared);
}

void FieldWriter::flush() {
  if (!frames_.is_one_file() && frames_.frames() > topology_frame_)
    on_all_ranks(communicator_, [&] { flush_to_disk(directory_ + "/" + topology_name(topology_frame_)); });
  frames_.flush();
}

void FieldWriter::write_topology() const {
  const Topology topology(piece_, communicator_);
  SlabFile file;
  file.storage = storage_;
  file.groups = {{.path = "/PointData"}, {.path = "/CellData"}, {.path = "/Bodies"}};
  file.slabs = topology.slabs("");
  for (const Slab& slab : topology.of_bodies()) file.slabs.push_back(slab);
  write_slab_file(communicator_, directory_ + "/" + topology_name(topology_frame_), file);
}

}  // namespace traction
