// Frames are read back with serial HDF5 calls on rank 0, part by part as a viewer does, and compared with functions of the vertex number.

#include "output/field_writer.h"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "errors.h"
#include "hdf5_handle.h"
#include "output/slab_file.h"
#include "parallel/collective.h"
#include "support/box_mesh.h"
#include "support/shared_folder.h"

namespace traction {
namespace {

namespace fs = std::filesystem;

Vec3 velocity_at(const Vec3& position) { return Vec3(position.y() * position.z(), 1 - position.x(), 3 * position.z()); }
double pressure_at(const Vec3& position) { return 1e5 * position.x() + position.y(); }
Vec3 moved(const Vec3& position, double time) { return Vec3(position.x() * (1 + 0.1 * time), position.y(), position.z() - 0.5 * time); }

// A box cut along x into as many pieces as the number of ranks, except that the last of several ranks has none. Local vertices are numbered backwards, after
// some that no element uses, so that neither order can be mistaken for the other.
struct Part {
  explicit Part(MPI_Comm communicator) : mesh(test::box_mesh("box", Vec3(0, 0, 0), Vec3(2, 1, 1), {6, 3, 3})) {
    const int rank = test::rank_in(communicator), size = test::size_of(communicator), pieces = std::max(1, size - 1);
    constexpr int kUnused = 5;
    local_vertices.assign(kUnused, -1);
    std::map<int, int> local_of;
    std::vector<std::array<int, 4>> elements;
    for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e)
      if (static_cast<int>(e) * pieces / static_cast<int>(mesh.tetrahedra.size()) == rank) elements.push_back(mesh.tetrahedra[e]);
    for (const auto& element : elements)
      for (int vertex : element) local_of[vertex] = 0;
    int next = kUnused + static_cast<int>(local_of.size());
    for (auto& [vertex, local] : local_of) local = --next;
    local_vertices.resize(kUnused + local_of.size());
    std::map<int, int> point_of;
    for (const auto& [vertex, local] : local_of) {
      local_vertices[local] = vertex;
      point_of[vertex] = static_cast<int>(piece.points.size());
      piece.points.push_back(local);
      piece.vertex_ids.push_back(vertex);
    }
    for (const auto& element : elements) {
      std::array<int, 4> points;
      for (int a = 0; a < 4; ++a) points[a] = point_of[element[a]];
      piece.tetrahedra.push_back(points);
      piece.cell_regions.push_back(mesh.vertices[element[0]].z() < 0.5 ? 0 : 1);
    }
  }

  void write(FieldWriter& writer, double time) const {
    std::vector<double> positions(3 * local_vertices.size(), NAN), velocities(positions), pressures(local_vertices.size(), NAN);
    for (std::size_t i = 0; i < local_vertices.size(); ++i) {
      if (local_vertices[i] < 0) continue;
      const Vec3 position = moved(mesh.vertices[local_vertices[i]], time), velocity = velocity_at(position);
      for (int k = 0; k < 3; ++k) positions[3 * i + k] = position[k], velocities[3 * i + k] = velocity[k];
      pressures[i] = pressure_at(position);
    }
    writer.write_frame(time, positions, std::vector<PointField>{{"velocity", 3, velocities}, {"contact_pressure", 1, pressures}});
  }

  Mesh mesh;
  std::vector<int> local_vertices;  // vertex of the mesh, -1 for none
  FieldPiece piece;
};

template <typename Number>
std::vector<Number> read(hid_t file, const std::string& path, hid_t type) {
  const Hdf5Handle dataset(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset) {
    ADD_FAILURE() << "no dataset " << path;
    return {};
  }
  const Hdf5Handle space(H5Dget_space(dataset.get()), H5Sclose);
  std::vector<Number> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get())));
  EXPECT_GE(H5Dread(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0) << path;
  return values;
}

std::vector<std::int64_t> read_integers(hid_t file, const std::string& name) { return read<std::int64_t>(file, "/VTKHDF/" + name, H5T_NATIVE_INT64); }
std::vector<double> read_doubles(hid_t file, const std::string& name) { return read<double>(file, "/VTKHDF/" + name, H5T_NATIVE_DOUBLE); }

std::string read_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Serial; `ranks` wrote the frame.
void check_frame(const std::string& path, const Mesh& mesh, double time, int ranks) {
  const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  ASSERT_TRUE(static_cast<bool>(file)) << path;
  const auto points = read_integers(file.get(), "NumberOfPoints"), cells = read_integers(file.get(), "NumberOfCells"),
             ids = read_integers(file.get(), "NumberOfConnectivityIds"), connectivity = read_integers(file.get(), "Connectivity"),
             offsets = read_integers(file.get(), "Offsets"), types = read_integers(file.get(), "Types"),
             vertex_ids = read_integers(file.get(), "PointData/vertex_id"), partition = read_integers(file.get(), "CellData/partition"),
             region = read_integers(file.get(), "CellData/region");
  const auto positions = read_doubles(file.get(), "Points"), velocity = read_doubles(file.get(), "PointData/velocity"),
             pressure = read_doubles(file.get(), "PointData/contact_pressure");
  ASSERT_EQ(points.size(), static_cast<std::size_t>(ranks));
  ASSERT_EQ(cells.size(), points.size());
  ASSERT_EQ(ids.size(), points.size());
  ASSERT_EQ(offsets.size(), mesh.tetrahedra.size() + points.size());
  ASSERT_EQ(types, std::vector<std::int64_t>(mesh.tetrahedra.size(), 10));
  ASSERT_EQ(partition.size(), types.size());
  ASSERT_EQ(region.size(), types.size());
  if (ranks > 1) {
    EXPECT_EQ(cells.back(), 0);
  }

  std::size_t first_point = 0, first_cell = 0, first_offset = 0, first_id = 0;
  double volume = 0;
  for (std::size_t part = 0; part < points.size(); ++part) {
    EXPECT_EQ(ids[part], 4 * cells[part]);
    for (std::int64_t cell = 0; cell < cells[part]; ++cell) {
      EXPECT_EQ(offsets[first_offset + cell], 4 * cell);
      EXPECT_EQ(partition[first_cell + cell], static_cast<std::int64_t>(part));
      Vec3 corners[4];
      for (int a = 0; a < 4; ++a) {
        const std::int64_t point = connectivity[first_id + 4 * cell + a];
        ASSERT_GE(point, 0);
        ASSERT_LT(point, points[part]);
        corners[a] = Vec3(&positions[3 * (first_point + point)]);
        const int expected_region = mesh.vertices[vertex_ids[first_point + point]].z() < 0.5 ? 0 : 1;
        if (a == 0 && region[first_cell + cell] != expected_region) ADD_FAILURE() << "wrong region of cell " << cell;
      }
      volume += (corners[1] - corners[0]).cross(corners[2] - corners[0]).dot(corners[3] - corners[0]) / 6;
    }
    first_point += points[part], first_cell += cells[part], first_offset += cells[part] + 1, first_id += ids[part];
  }
  ASSERT_EQ(vertex_ids.size(), first_point);
  EXPECT_NEAR(volume, 2 * (1 + 0.1 * time), 1e-12);
  for (std::size_t i = 0; i < vertex_ids.size(); ++i) {
    const Vec3 position = moved(mesh.vertices[vertex_ids[i]], time);
    EXPECT_EQ(Vec3(&positions[3 * i]), position);
    EXPECT_EQ(Vec3(&velocity[3 * i]), velocity_at(position));
    EXPECT_EQ(pressure[i], pressure_at(position));
  }
}

class Fields : public testing::Test {
 protected:
  void SetUp() override {
    on_first_rank(MPI_COMM_WORLD, [&] {
      fs::remove_all(folder_);
      fs::create_directories(folder_);
    });
  }
  void TearDown() override {
    on_first_rank(MPI_COMM_WORLD, [&] { fs::remove_all(folder_); });
  }

  // Checks every frame of times 0, 0.5, 1, ...; frame i was written by ranks_of_frame[i] ranks.
  void check_frames(const Mesh& mesh, const std::vector<int>& ranks_of_frame) const {
    on_first_rank(MPI_COMM_WORLD, [&] {
      for (std::size_t i = 0; i < ranks_of_frame.size(); ++i)
        check_frame(folder_ + "/fields_00000" + std::to_string(i) + ".hdf", mesh, 0.5 * static_cast<double>(i), ranks_of_frame[i]);
    });
  }
  void expect_series(const std::string& text) const {
    on_first_rank(MPI_COMM_WORLD, [&] { EXPECT_EQ(read_text(folder_ + "/fields.hdf.series"), text); });
  }
  void expect_file(const std::string& name, bool there) const {
    on_first_rank(MPI_COMM_WORLD, [&] { EXPECT_EQ(fs::exists(folder_ + "/" + name), there) << name; });
  }

  const std::string folder_ = testing::TempDir() + "traction_field_writer_test_" + std::to_string(test::size_of(MPI_COMM_WORLD));
};

const char* const kSeriesOfThree =
    "{\"file-series-version\":\"1.0\",\"files\":[\n{\"name\":\"fields_000000.hdf\",\"time\":0},\n{\"name\":\"fields_000001.hdf\",\"time\":"
    "0.5},\n"
    "{\"name\":\"fields_000002.hdf\",\"time\":1}\n]}\n";

TEST_F(Fields, ReadBackAsWritten) {
  const Part part(MPI_COMM_WORLD);
  FieldWriter writer(MPI_COMM_WORLD, folder_, part.piece);
  for (int i = 0; i < 3; ++i) part.write(writer, 0.5 * i);
  EXPECT_EQ(writer.frames(), 3);
  check_frames(part.mesh, std::vector<int>(3, test::size_of(MPI_COMM_WORLD)));
  expect_series(kSeriesOfThree);
  expect_file("fields_000000.hdf.part", false);
  expect_file("fields_mesh.h5.part", false);
  // Keeps the frames for another reader (check_fields.py).
  if (const char* kept = std::getenv("TRACTION_KEEP_FIELDS")) on_first_rank(MPI_COMM_WORLD, [&] { fs::copy(folder_, kept, fs::copy_options::recursive); });
}

TEST_F(Fields, AFolderCanBeMoved) {
  const Part part(MPI_COMM_WORLD);
  FieldWriter writer(MPI_COMM_WORLD, folder_, part.piece);
  part.write(writer, 0);
  on_first_rank(MPI_COMM_WORLD, [&] {
    const std::string elsewhere = folder_ + "_moved";
    fs::remove_all(elsewhere);
    fs::rename(folder_, elsewhere);
    check_frame(elsewhere + "/fields_000000.hdf", part.mesh, 0, test::size_of(MPI_COMM_WORLD));
    fs::remove_all(elsewhere);
  });
}

TEST_F(Fields, ContinuingDropsTheFramesAfterIt) {
  const Part part(MPI_COMM_WORLD);
  {
    FieldWriter writer(MPI_COMM_WORLD, folder_, part.piece);
    for (double time : {0.0, 0.5, 7.0, 8.0}) part.write(writer, time);
  }
  FieldWriter writer(MPI_COMM_WORLD, folder_, part.piece, 2);
  EXPECT_EQ(writer.frames(), 2);
  expect_file("fields_000003.hdf", false);
  part.write(writer, 1);
  check_frames(part.mesh, std::vector<int>(3, test::size_of(MPI_COMM_WORLD)));
  expect_series(kSeriesOfThree);
}

TEST_F(Fields, CountsTheFramesUpToATime) {
  const Part part(MPI_COMM_WORLD);
  on_first_rank(MPI_COMM_WORLD, [&] { EXPECT_EQ(frames_until(folder_, "fields", 1), 0); });
  FieldWriter writer(MPI_COMM_WORLD, folder_, part.piece);
  for (double time : {0.0, 0.1, 0.2}) part.write(writer, time);
  on_first_rank(MPI_COMM_WORLD, [&] {
    EXPECT_EQ(frames_until(folder_, "fields", -1), 0);
    EXPECT_EQ(frames_until(folder_, "fields", 0.1), 2);
    EXPECT_EQ(frames_until(folder_, "fields", 0.15), 2);
    EXPECT_EQ(frames_until(folder_, "fields", 9), 3);
  });
}

// Frames from before keep the topology of their own rank count, however often a run is continued.
TEST_F(Fields, ContinueAtAnotherRankCount) {
  const int size = test::size_of(MPI_COMM_WORLD);
  const Part part(MPI_COMM_WORLD), whole(MPI_COMM_SELF);
  auto on_one_rank = [&](int first_frame, const std::vector<double>& times) {
    on_first_rank(MPI_COMM_WORLD, [&] {
      FieldWriter writer(MPI_COMM_SELF, folder_, whole.piece, first_frame);
      for (double time : times) whole.write(writer, time);
    });
  };
  on_one_rank(0, {0, 0.5});
  {
    FieldWriter writer(MPI_COMM_WORLD, folder_, part.piece, 2);
    part.write(writer, 1);
    part.write(writer, 1.5);
  }
  check_frames(part.mesh, {1, 1, size, size});
  on_one_rank(3, {1.5, 2});
  check_frames(part.mesh, {1, 1, size, 1, 1});
  {
    FieldWriter writer(MPI_COMM_WORLD, folder_, part.piece, 1);
    for (double time : {0.5, 1.0, 1.5}) part.write(writer, time);
  }
  check_frames(part.mesh, {1, size, size, size});
  expect_file("fields_000004.hdf", false);
  {
    FieldWriter writer(MPI_COMM_WORLD, folder_, part.piece);
    part.write(writer, 0);
  }
  check_frames(part.mesh, {size});
  expect_file("fields_000001.hdf", false);
  expect_file("fields_mesh_000001.h5", false);
}

TEST_F(Fields, ContinuingWhatIsNotThereIsAFileErrorOnAllRanks) {
  const Part part(MPI_COMM_WORLD);
  EXPECT_THROW(FieldWriter(MPI_COMM_WORLD, folder_, part.piece, 1), FileError);
  {
    FieldWriter writer(MPI_COMM_WORLD, folder_, part.piece);
    part.write(writer, 0);
  }
  EXPECT_THROW(FieldWriter(MPI_COMM_WORLD, folder_, part.piece, 2), FileError);
  on_first_rank(MPI_COMM_WORLD, [&] { replace_text_file(folder_ + "/fields.hdf.series", "{\"files\":[{\"name\":\"fields_0000"); });
  EXPECT_THROW(FieldWriter(MPI_COMM_WORLD, folder_, part.piece, 1), FileError);
}

TEST_F(Fields, AMissingFolderIsAFileErrorOnAllRanks) {
  const Part part(MPI_COMM_WORLD);
  EXPECT_THROW(FieldWriter(MPI_COMM_WORLD, folder_ + "/missing", part.piece), FileError);
}

TEST_F(Fields, AFrameThatCannotBeWrittenIsAFileErrorOnAllRanksAndLeavesTheSeries) {
  const Part part(MPI_COMM_WORLD);
  FieldWriter writer(MPI_COMM_WORLD, folder_, part.piece);
  part.write(writer, 0);
  // A folder in the place of the next frame fails its renaming; one in the place of the temporary file fails its creation.
  for (const char* name : {"/fields_000001.hdf", "/fields_000001.hdf.part"}) {
    on_first_rank(MPI_COMM_WORLD, [&] { fs::create_directories(folder_ + name + "/full"); });
    EXPECT_THROW(part.write(writer, 0.5), FileError) << name;
    on_first_rank(MPI_COMM_WORLD, [&] { fs::remove_all(folder_ + name); });
    expect_file("fields_000001.hdf.part", false);
    EXPECT_EQ(writer.frames(), 1);
  }
  part.write(writer, 0.5);
  part.write(writer, 1);
  check_frames(part.mesh, std::vector<int>(3, test::size_of(MPI_COMM_WORLD)));
  expect_series(kSeriesOfThree);
}

TEST_F(Fields, TwoFieldsOfOneNameAreAFileErrorOnAllRanks) {
  const Part part(MPI_COMM_WORLD);
  FieldWriter writer(MPI_COMM_WORLD, folder_, part.piece);
  const std::vector<double> positions(3 * part.local_vertices.size(), 0.0);
  const PointField field{"velocity", 3, positions};
  EXPECT_THROW(writer.write_frame(0, positions, std::vector<PointField>{field, field}), FileError);
}

}  // namespace
}  // namespace traction
