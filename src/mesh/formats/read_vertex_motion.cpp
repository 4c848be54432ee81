// Reads where and how fast vertices start, from VTK's grids or from the frames that runs write.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>

#include "errors.h"
#include "hdf5_handle.h"
#include "mesh/formats/mesh_formats.h"
#include "mesh/read_mesh.h"
#include "settings/file_ending.h"
#include "settings/missing_file.h"

namespace traction {

namespace {

// A frame of a run (output/field_writer.h); of a file that has all frames (output/frame_file.h) the last one.
class Frame {
 public:
  explicit Frame(const std::string& path) : path_(path), file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose) {
    if (!file_) fail("is not a frame of a run. Give a file fields_NNNNNN.hdf of its output folder, or fields.hdf for the last frame in it");
    if (H5Lexists(file_.get(), "VTKHDF", H5P_DEFAULT) <= 0 || H5Lexists(file_.get(), "/VTKHDF/Steps", H5P_DEFAULT) <= 0) return;
    const auto times = read<double>("/VTKHDF/Steps/Values", H5T_NATIVE_DOUBLE, 0);
    if (times.empty()) fail("has no frames. Give another file");
    last_ = times.size() - 1;
    const auto count = [&](const char* dataset) { return read_rows<std::int64_t>(dataset, H5T_NATIVE_INT64, 0, *last_, 1).at(0); };
    const std::int64_t first_part = count("/VTKHDF/Steps/PartOffsets"), parts = count("/VTKHDF/Steps/NumberOfParts");
    for (const std::int64_t points : read_rows<std::int64_t>("/VTKHDF/NumberOfPoints", H5T_NATIVE_INT64, 0, first_part, parts)) points_ += points;
  }

  // Reads all numbers of a dataset with `columns` columns; 0 for a one-dimensional dataset.
  template <typename T>
  std::vector<T> read(const std::string& dataset, hid_t type, hsize_t columns) const {
    return read_rows<T>(dataset, type, columns, 0, std::numeric_limits<std::int64_t>::max());
  }

  // Reads the numbers of the frame's points; `offsets`: the dataset in Steps with the row where they begin in a file that has all frames.
  template <typename T>
  std::vector<T> read_points(const std::string& dataset, hid_t type, hsize_t columns, const std::string& offsets) const {
    if (!last_) return read<T>(dataset, type, columns);
    const std::int64_t first = read_rows<std::int64_t>("/VTKHDF/Steps/" + offsets, H5T_NATIVE_INT64, 0, *last_, 1).at(0);
    return read_rows<T>(dataset, type, columns, first, points_);
  }

  bool names_bodies() const { return H5Lexists(file_.get(), "/Bodies", H5P_DEFAULT) > 0; }  // older versions wrote no names

  [[noreturn]] void fail(const std::string& what) const { throw InputError(fmt::format("{}: {}", path_, what)); }

 private:
  // Rows from `first` on, at most `most` of them.
  template <typename T>
  std::vector<T> read_rows(const std::string& dataset, hid_t type, hsize_t columns, std::int64_t first, std::int64_t most) const {
    const Hdf5Handle data(H5Dopen2(file_.get(), dataset.c_str(), H5P_DEFAULT), H5Dclose);
    if (!data) fail(fmt::format("has no {}. Give a frame of a run that writes it, with the files beside it that its folder had", dataset));
    const Hdf5Handle space(H5Dget_space(data.get()), H5Sclose);
    hsize_t size[2] = {0, 0};
    const bool fits = H5Sget_simple_extent_ndims(space.get()) == (columns > 0 ? 2 : 1) && H5Sget_simple_extent_dims(space.get(), size, nullptr) >= 0;
    if (!fits || size[1] != columns || first < 0 || size[0] < static_cast<hsize_t>(first))
      fail("holds a " + dataset + " of the wrong size. Give another frame");
    const hsize_t start[2] = {static_cast<hsize_t>(first), 0}, count[2] = {std::min(size[0] - start[0], static_cast<hsize_t>(most)), columns};
    if (count[0] > std::numeric_limits<int>::max()) fail("holds a " + dataset + " of the wrong size. Give another frame");
    std::vector<T> values(count[0] * std::max<hsize_t>(columns, 1));
    if (values.empty()) return values;
    const Hdf5Handle memory(H5Screate_simple(columns > 0 ? 2 : 1, count, nullptr), H5Sclose);
    if (H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start, nullptr, count, nullptr) < 0 ||
        H5Dread(data.get(), type, memory.get(), space.get(), H5P_DEFAULT, values.data()) < 0)
      fail("is damaged at " + dataset + ". Give another frame");
    return values;
  }

  std::string path_;
  Hdf5Handle file_;
  std::optional<std::size_t> last_;  // the frame, in a file that has all
  std::int64_t points_ = 0;          // how many that frame has
};

VertexMotion read_frame(const std::string& path, const std::string& body, std::size_t vertices, bool with_velocities) {
  const SilentHdf5 silent;
  const Frame frame(path);
  const auto ids = frame.read_points<std::int64_t>("/VTKHDF/PointData/vertex_id", H5T_NATIVE_INT64, 0, "PointDataOffsets/vertex_id");
  const auto points = frame.read_points<double>("/VTKHDF/Points", H5T_NATIVE_DOUBLE, 3, "PointOffsets");
  const auto velocities = with_velocities ? frame.read_points<double>("/VTKHDF/PointData/velocity", H5T_NATIVE_DOUBLE, 3, "PointDataOffsets/velocity")
                                          : std::vector<double>(points.size(), 0.0);
  if (points.size() != 3 * ids.size() || velocities.size() != points.size()) frame.fail("holds arrays of different lengths. Give another frame");

  // Selects the body of this name, or all vertices if the frame names no bodies.
  const auto text = frame.names_bodies() ? frame.read<char>("/Bodies/names", H5T_NATIVE_CHAR, 0) : std::vector<char>{};
  const auto starts = text.empty() ? std::vector<std::int64_t>{} : frame.read<std::int64_t>("/Bodies/first_vertex", H5T_NATIVE_INT64, 0);
  const std::int64_t last = ids.empty() ? -1 : *std::max_element(ids.begin(), ids.end());
  if (last >= std::numeric_limits<int>::max()) frame.fail("numbers its vertices wrongly. Give another frame");
  std::int64_t first = 0, end = last + 1;
  std::size_t number = 0;
  for (auto at = text.begin(); at != text.end() && number < starts.size(); ++number) {
    const auto stop = std::find(at, text.end(), '\n');
    if (std::string(at, stop) == body) {
      first = starts[number];
      end = number + 1 < starts.size() ? starts[number + 1] : last + 1;
    }
    at = stop == text.end() ? stop : stop + 1;
  }
  if (end - first != static_cast<std::int64_t>(vertices))
    frame.fail(fmt::format("holds {} vertices of '{}', whose mesh has {}. Give a frame of a run with the same mesh", end - first, body, vertices));
  const Vec3 missing = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
  VertexMotion motion{std::vector<Vec3>(vertices, missing), std::vector<Vec3>(vertices, missing)};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < first || ids[i] >= end) continue;
    motion.positions[ids[i] - first] = Eigen::Map<const Vec3>(points.data() + 3 * i);
    motion.velocities[ids[i] - first] = Eigen::Map<const Vec3>(velocities.data() + 3 * i);
  }
  return motion;
}

}  // namespace

VertexMotion read_vertex_motion(const std::string& path, const std::string& body, std::size_t vertices, bool with_velocities, double unit) {
  if (!std::filesystem::exists(path)) throw InputError(fmt::format("{}: no such file; {}", path, remedy_for_missing_file(path)));
  VertexMotion motion = file_ending(path) == ".hdf" ? read_frame(path, body, vertices, with_velocities) : read_vtk_points(path, with_velocities);
  if (motion.positions.size() != vertices)
    throw InputError(fmt::format("{}: holds {} points, but the mesh of '{}' has {} vertices. Write one point for each, in the mesh's order", path,
                                 motion.positions.size(), body, vertices));
  for (std::size_t v = 0; v < vertices; ++v)
    if (!motion.positions[v].allFinite() || !motion.velocities[v].allFinite())
      throw InputError(fmt::format("{}: the position or velocity of vertex {} is missing or not finite. Write finite numbers for every vertex", path, v + 1));
  if (file_ending(path) != ".hdf")  // frames of a run are in metres
    for (std::size_t v = 0; v < vertices; ++v) {
      motion.positions[v] *= unit;
      motion.velocities[v] *= unit;
    }
  return motion;
}

}  // namespace traction
