#include "output/checkpoint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "errors.h"
#include "mesh_partition/distribute.h"
#include "parallel/collective.h"
#include "support/box_mesh.h"
#include "support/shared_folder.h"

namespace traction {
namespace {

// Numbers with all their digits in use, so that any rounding shows.
double value_of(int id, int component, int field) { return std::sin(1.0 + id + 0.3 * component) * std::pow(10.0, field * 40 - id % 7); }

std::vector<double> field_on(const DistributedMesh& mesh, int number) {
  std::vector<double> values;
  for (int id : mesh.vertex_ids)
    for (int k = 0; k < 3; ++k) values.push_back(value_of(id, k, number));
  return values;
}

int different(const DistributedMesh& mesh, const std::vector<double>& values, int number) {
  const std::vector<double> expected = field_on(mesh, number);
  int count = values.size() == expected.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(values.size(), expected.size()); ++i) count += values[i] != expected[i];
  return count;
}

DistributedMesh share(MPI_Comm communicator, int cells = 4) {
  const Mesh mesh = test::box_mesh("block", Vec3::Zero(), Vec3::Ones(), {cells, cells, cells});
  return distribute(communicator, mesh, partition_elements(mesh, test::size_of(communicator)));
}

class CheckpointFile : public testing::Test {
 protected:
  CheckpointFile() {
    const Archive archive{{{"q", q_}, {"v", v_}}, {{"time", 1.0 / 3}, {"steps", 1234567}, {"kappa.bounce", 6.02e23}}};
    write_checkpoint(path_, *mesh_.halo, mesh_.vertex_ids, archive);
  }

  const DistributedMesh mesh_ = share(PETSC_COMM_WORLD);
  std::vector<double> q_ = field_on(mesh_, 1), v_ = field_on(mesh_, 2);
  const test::SharedFolder folder_{MPI_COMM_WORLD};
  const std::string path_ = folder_.path("000001.h5");
};

// HDF5 writes the metadata of so many datasets before all of them are made.
TEST_F(CheckpointFile, HoldsAnyCountOfNumbers) {
  Archive archive{{{"q", q_}}, {}};
  for (int i = 0; i < 5000; ++i) archive.numbers["number_" + std::to_string(i)] = value_of(i, 0, 0);
  const std::string path = folder_.path("000002.h5");
  write_checkpoint(path, *mesh_.halo, mesh_.vertex_ids, archive);
  EXPECT_EQ(read_checkpoint_numbers(path, *mesh_.halo), archive.numbers);
}

TEST_F(CheckpointFile, ReadsBackToTheLastBit) {
  std::vector<double> q(q_.size(), -1), v(v_.size(), -1);
  read_checkpoint_fields(path_, *mesh_.halo, mesh_.vertex_ids, {{"q", q}, {"v", v}});
  EXPECT_EQ(different(mesh_, q, 1), 0);  // ghosts included
  EXPECT_EQ(different(mesh_, v, 2), 0);
  const std::map<std::string, std::vector<double>> all = read_checkpoint_fields(path_, *mesh_.halo, mesh_.vertex_ids);
  EXPECT_EQ(all, (std::map<std::string, std::vector<double>>{{"q", q}, {"v", v}}));
  const auto numbers = read_checkpoint_numbers(path_, *mesh_.halo);
  EXPECT_EQ(numbers.at("time"), 1.0 / 3);
  EXPECT_EQ(numbers.at("steps"), 1234567);
  EXPECT_EQ(numbers.at("kappa.bounce"), 6.02e23);
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"000001.h5"});
}

// Zeros keep their signs, and ranks may own nothing: there are fewer vertices than ranks.
TEST(Checkpoints, FieldsMayHaveAnyNumberOfComponents) {
  const test::SharedFolder folder(MPI_COMM_WORLD);
  const int rank = test::rank_in(MPI_COMM_WORLD), owned = rank == 0 ? 3 : 0;
  const Halo halo(PETSC_COMM_WORLD, owned, rank == 1 ? std::vector<PetscInt>{2} : std::vector<PetscInt>{});
  const std::vector<int> ids = rank == 0 ? std::vector<int>{1, 2, 0} : std::vector<int>(halo.local(), 0);
  const std::vector<double> scalar = rank == 0 ? std::vector{-0.0, 0.1, -3.0} : std::vector<double>(halo.local(), -3.0);
  std::vector<double> six;
  for (int id : ids)
    for (int k = 0; k < 6; ++k) six.push_back(value_of(id, k, 1));
  write_checkpoint(folder.path("1.h5"), halo, ids, {{{"scalar", scalar}, {"six", six}}, {}});
  std::vector<double> scalar_read(scalar.size(), 7), six_read(six.size(), 7);
  read_checkpoint_fields(folder.path("1.h5"), halo, ids, {{"scalar", scalar_read}, {"six", six_read}});
  EXPECT_EQ(scalar_read, scalar);
  EXPECT_EQ(six_read, six);
  EXPECT_TRUE(rank != 0 || std::signbit(scalar_read[0]));
  std::vector<double> pairs(2 * halo.local());
  EXPECT_THROW(read_checkpoint_fields(folder.path("1.h5"), halo, ids, {{"scalar", pairs}}), InputError);
}

// The same vertices in other partitions: on half of the ranks, and on each rank alone.
TEST_F(CheckpointFile, ReadsBackOnOtherRankCounts) {
  const int rank = test::rank_in(MPI_COMM_WORLD);
  for (const int groups : {2, test::size_of(MPI_COMM_WORLD)}) {
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank % groups, rank, &part);
    {
      const DistributedMesh mesh = share(part);
      std::vector<double> q(3 * mesh.vertex_ids.size(), -1);
      read_checkpoint_fields(path_, *mesh.halo, mesh.vertex_ids, {{"q", q}});
      EXPECT_EQ(different(mesh, q, 1), 0) << groups;
      EXPECT_EQ(read_checkpoint_numbers(path_, *mesh.halo).at("time"), 1.0 / 3);
    }
    MPI_Comm_free(&part);
  }
}

TEST_F(CheckpointFile, WrittenByOneRankReadByAll) {
  const std::string alone = folder_.path("alone.h5");
  if (test::rank_in(MPI_COMM_WORLD) == 0) {
    const DistributedMesh mesh = share(PETSC_COMM_SELF);
    std::vector<double> q = field_on(mesh, 1);
    write_checkpoint(alone, *mesh.halo, mesh.vertex_ids, {{{"q", q}}, {}});
  }
  MPI_Barrier(MPI_COMM_WORLD);
  std::vector<double> q(q_.size(), -1);
  read_checkpoint_fields(alone, *mesh_.halo, mesh_.vertex_ids, {{"q", q}});
  EXPECT_EQ(different(mesh_, q, 1), 0);
}

TEST_F(CheckpointFile, ANewFileTakesTheOldOnesPlace) {
  std::vector<double> zeros(q_.size(), 0);
  write_checkpoint(path_, *mesh_.halo, mesh_.vertex_ids, {{{"q", zeros}}, {{"time", 2}}});
  std::vector<double> q(q_.size(), -1);
  read_checkpoint_fields(path_, *mesh_.halo, mesh_.vertex_ids, {{"q", q}});
  EXPECT_EQ(q, zeros);
  EXPECT_EQ(read_checkpoint_numbers(path_, *mesh_.halo).at("time"), 2);
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"000001.h5"});
}

TEST_F(CheckpointFile, AMissingFieldIsAnInputErrorOnAllRanks) {
  std::vector<double> q(q_.size(), -1), other(q_.size(), -1);
  EXPECT_THROW(read_checkpoint_fields(path_, *mesh_.halo, mesh_.vertex_ids, {{"q", q}, {"previous_q", other}}), InputError);
}

TEST_F(CheckpointFile, AnotherMeshIsAnInputErrorOnAllRanks) {
  const DistributedMesh other = share(PETSC_COMM_WORLD, 3);
  std::vector<double> q(3 * other.vertex_ids.size(), -1);
  std::string message;
  try {
    read_checkpoint_fields(path_, *other.halo, other.vertex_ids, {{"q", q}});
  } catch (const InputError& error) {
    message = error.what();
  }
  EXPECT_NE(message.find("64 vertices"), std::string::npos) << message;
}

TEST_F(CheckpointFile, DamagedAndMissingFilesAreInputErrorsOnAllRanks) {
  const std::string cut = folder_.path("cut.h5");
  on_first_rank(MPI_COMM_WORLD, [&] {
    std::filesystem::copy_file(path_, cut);
    std::filesystem::resize_file(cut, std::filesystem::file_size(path_) / 2);
    std::ofstream(folder_.path("text.h5")) << "step,time\n1,0.5\n";
  });
  std::vector<double> q(q_.size(), -1);
  for (const std::string& path : {cut, folder_.path("text.h5"), folder_.path("none.h5")}) {
    EXPECT_THROW(read_checkpoint_numbers(path, *mesh_.halo), InputError) << path;
    EXPECT_THROW(read_checkpoint_fields(path, *mesh_.halo, mesh_.vertex_ids, {{"q", q}}), InputError) << path;
  }
}

// Alters the first byte of the file, one of the seal's checksum, one of the sealed part, the last one, and one in the middle.
TEST_F(CheckpointFile, AnyByteThatIsAlteredIsAFaultOnAllRanks) {
  EXPECT_FALSE(checkpoint_fault(MPI_COMM_WORLD, path_).has_value());
  const auto size = static_cast<std::streamoff>(std::filesystem::file_size(path_));
  for (const std::streamoff place : {std::streamoff(0), std::streamoff(90), std::streamoff(511), std::streamoff(512), size / 2, size - 1}) {
    const std::string altered = folder_.path("altered.h5");
    on_first_rank(MPI_COMM_WORLD, [&] {
      std::filesystem::copy_file(path_, altered, std::filesystem::copy_options::overwrite_existing);
      std::fstream file(altered, std::ios::binary | std::ios::in | std::ios::out);
      file.seekg(place);
      const char old = static_cast<char>(file.get());
      file.seekp(place);
      file.put(static_cast<char>(old ^ 4));
    });
    EXPECT_TRUE(checkpoint_fault(MPI_COMM_WORLD, altered).has_value()) << place;
    EXPECT_THROW(read_checkpoint_numbers(altered, *mesh_.halo), InputError) << place;
  }
}

TEST_F(CheckpointFile, AFolderThatIsNotThereIsAFileErrorOnAllRanks) {
  const Archive archive{{{"q", q_}}, {{"time", 1}}};
  EXPECT_THROW(write_checkpoint(folder_.path("none") + "/1.h5", *mesh_.halo, mesh_.vertex_ids, archive), FileError);
}

// A folder in the way: the finished file can't get its name.
TEST_F(CheckpointFile, AFailedRenameIsAFileErrorOnAllRanks) {
  on_first_rank(MPI_COMM_WORLD, [&] { std::filesystem::create_directories(folder_.path("taken") + "/inside"); });
  const Archive archive{{{"q", q_}}, {{"time", 1}}};
  EXPECT_THROW(write_checkpoint(folder_.path("taken"), *mesh_.halo, mesh_.vertex_ids, archive), FileError);
}

}  // namespace
}  // namespace traction
