#include "output/field_writer.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>

#include "errors.h"
#include "output/slab_file.h"
#include "parallel/collective.h"

namespace traction {

namespace {

namespace fs = std::filesystem;

constexpr std::uint8_t kVtkTetrahedron = 10;
constexpr std::string_view kFirstTopology = "fields_mesh.h5";

std::string frame_name(int frame) { return fmt::format("fields_{:06d}.hdf", frame); }
std::string series_path(const std::string& directory) { return directory + "/fields.hdf.series"; }

// A continued run may have another partition, and the frames before it still need theirs: each continuation has a topology of its own.
std::string topology_name(int first_frame) {
  return first_frame == 0 ? std::string(kFirstTopology) : fmt::format("fields_mesh_{:06d}.h5", first_frame);
}

// N of a file called `prefix`N`suffix`.
std::optional<int> number_in(std::string_view name, std::string_view prefix, std::string_view suffix) {
  if (name.size() <= prefix.size() + suffix.size() || !name.starts_with(prefix) || !name.ends_with(suffix)) return {};
  const std::string_view digits = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
  if (digits.size() > 9 || !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; })) return {};
  return std::stoi(std::string(digits));
}

void remove_from_frame(const std::string& directory, int first_frame) {
  std::vector<fs::path> outdated;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    const auto frame = number_in(name, "fields_", ".hdf");
    const auto topology = number_in(name, "fields_mesh_", ".h5");
    if ((frame && *frame >= first_frame) || (topology && *topology >= first_frame)) outdated.push_back(entry.path());
  }
  if (first_frame == 0) outdated.emplace_back(series_path(directory));
  for (const fs::path& path : outdated) fs::remove(path);
}

std::vector<double> read_series(const std::string& directory) {
  const std::string path = series_path(directory);
  std::vector<double> times;
  try {
    for (const YAML::Node& file : YAML::LoadFile(path)["files"]) {  // JSON is a part of YAML
      const std::string name = file["name"].as<std::string>(), expected = frame_name(static_cast<int>(times.size()));
      if (name != expected) throw FileError(fmt::format("{}: lists '{}' where '{}' should be", path, name, expected));
      times.push_back(file["time"].as<double>());
    }
  } catch (const YAML::Exception& error) {
    throw FileError(path + ": cannot read the series of frames: " + error.what());
  }
  return times;
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

}  // namespace

int frames_until(const std::string& directory, double time) {
  if (!fs::exists(series_path(directory))) return 0;
  const std::vector<double> times = read_series(directory);
  return static_cast<int>(std::count_if(times.begin(), times.end(), [&](double frame) { return frame <= time; }));
}

FieldWriter::FieldWriter(MPI_Comm communicator, std::string directory, FieldPiece piece, int first_frame)
    : communicator_(communicator), directory_(std::move(directory)), piece_(std::move(piece)), topology_frame_(first_frame) {
  on_first_rank(communicator_, [&] {
    if (first_frame > 0) times_ = read_series(directory_);
    const int kept = static_cast<int>(times_.size());
    if (kept < first_frame)
      throw FileError(fmt::format("{}: lists {} frames, cannot go on from frame {}", series_path(directory_), kept, first_frame));
    times_.resize(static_cast<std::size_t>(first_frame));
  });
  broadcast(communicator_, times_);
  if (first_frame > 0) write_series();
  on_first_rank(communicator_, [&] { remove_from_frame(directory_, first_frame); });
  write_topology();
}

void FieldWriter::remove_frames(const std::string& directory) {
  remove_from_frame(directory, 0);
  fs::remove(directory + "/" + std::string(kFirstTopology));
}

void FieldWriter::write_frame(double time, std::span<const double> positions, std::span<const PointField> fields) {
  SlabFile file;
  file.groups = {{.path = "/VTKHDF", .vtk_type = "UnstructuredGrid"}, {.path = "/VTKHDF/PointData"}, {.path = "/VTKHDF/CellData"}};
  for (const char* name : {"NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds", "Connectivity", "Offsets", "Types",
                           "PointData/vertex_id", "CellData/partition", "CellData/region"})
    file.links.push_back({std::string("/VTKHDF/") + name, topology_name(topology_frame_), std::string("/") + name});

  const auto rows = static_cast<std::int64_t>(piece_.points.size());
  std::vector<std::vector<double>> values = {values_at(piece_.points, positions, 3)};
  for (const PointField& field : fields) values.push_back(values_at(piece_.points, field.values, field.components));
  file.slabs.push_back({"/VTKHDF/Points", NumberType::float64, 3, rows, values[0].data()});
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const int columns = fields[i].components == 1 ? 0 : fields[i].components;
    file.slabs.push_back({"/VTKHDF/PointData/" + fields[i].name, NumberType::float64, columns, rows, values[i + 1].data()});
  }
  write_slab_file(communicator_, directory_ + "/" + frame_name(frames()), file);
  times_.push_back(time);
  write_series();
}

void FieldWriter::write_topology() const {
  int rank = 0;
  MPI_Comm_rank(communicator_, &rank);
  const auto cells = static_cast<std::int64_t>(piece_.tetrahedra.size());
  const auto points = static_cast<std::int64_t>(piece_.points.size());
  const std::int64_t connectivity_ids = 4 * cells;
  std::vector<std::int64_t> connectivity, offsets = {0};
  for (const std::array<int, 4>& tetrahedron : piece_.tetrahedra) {
    connectivity.insert(connectivity.end(), tetrahedron.begin(), tetrahedron.end());
    offsets.push_back(offsets.back() + 4);
  }
  const std::vector<std::uint8_t> types(piece_.tetrahedra.size(), kVtkTetrahedron);
  const std::vector<std::int32_t> partition(piece_.tetrahedra.size(), rank);
  const std::vector<std::int32_t> regions(piece_.cell_regions.begin(), piece_.cell_regions.end());

  SlabFile file;
  file.groups = {{.path = "/PointData"}, {.path = "/CellData"}};
  file.slabs = {
      {"/NumberOfPoints", NumberType::int64, 0, 1, &points},
      {"/NumberOfCells", NumberType::int64, 0, 1, &cells},
      {"/NumberOfConnectivityIds", NumberType::int64, 0, 1, &connectivity_ids},
      {"/Connectivity", NumberType::int64, 0, connectivity_ids, connectivity.data()},
      {"/Offsets", NumberType::int64, 0, cells + 1, offsets.data()},
      {"/Types", NumberType::uint8, 0, cells, types.data()},
      {"/PointData/vertex_id", NumberType::int64, 0, points, piece_.vertex_ids.data()},
      {"/CellData/partition", NumberType::int32, 0, cells, partition.data()},
      {"/CellData/region", NumberType::int32, 0, cells, regions.data()},
  };
  write_slab_file(communicator_, directory_ + "/" + topology_name(topology_frame_), file);
}

void FieldWriter::write_series() const {
  on_first_rank(communicator_, [&] {
    std::string text = "{\"file-series-version\":\"1.0\",\"files\":[";
    for (std::size_t i = 0; i < times_.size(); ++i)
      text += fmt::format("{}\n{{\"name\":\"{}\",\"time\":{}}}", i == 0 ? "" : ",", frame_name(static_cast<int>(i)), times_[i]);
    replace_text_file(series_path(directory_), text + "\n]}\n");
  });
}

}  // namespace traction
