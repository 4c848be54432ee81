// Frames in one file: what a reader finds at each step are the numbers of that frame, whatever happened between.

#include "output/frame_file.h"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <filesystem>
#include <fstream>

#include "errors.h"
#include "hdf5_handle.h"
#include "output/frame_output.h"
#include "output/undo_file.h"
#include "parallel/collective.h"
#include "support/shared_folder.h"

namespace traction {
namespace {

namespace fs = std::filesystem;

// The points of a frame on a rank: more of them on later ranks, none in each third frame, and their x is the number that follows.
std::int64_t points_on(int rank, int frame) { return frame % 3 == 2 ? 0 : 5 * rank + 7 * frame; }
double value_of(int frame, int rank, std::int64_t point) { return 1e6 * frame + 1e3 * rank + static_cast<double>(point) + 0.1; }

class OneFile : public testing::Test {
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

  FrameFile open(int kept, double planned = 20, MPI_Comm communicator = MPI_COMM_WORLD) const {
    return {communicator, folder_, "points", kept, planned, false};
  }

  // Adds the frame whose number is its time, and which has a point of each rank's rows.
  static void add(FrameFile& file, int frame, MPI_Comm communicator = MPI_COMM_WORLD) {
    const int rank = test::rank_in(communicator);
    const std::int64_t points = points_on(rank, frame), none = 0;
    std::vector<double> positions, values;
    for (std::int64_t point = 0; point < points; ++point) {
      values.push_back(value_of(frame, rank, point));
      positions.insert(positions.end(), {values.back(), 1, 2});
    }
    const std::int64_t offset = 0;
    SlabFile contents;
    contents.groups = {{.path = "/VTKHDF", .vtk_type = "UnstructuredGrid"}, {.path = "/VTKHDF/PointData"}, {.path = "/VTKHDF/CellData"}, {.path = "/Fixed"}};
    contents.slabs = {{"/VTKHDF/NumberOfPoints", NumberType::int64, 0, 1, &points},
                      {"/VTKHDF/NumberOfCells", NumberType::int64, 0, 1, &none},
                      {"/VTKHDF/NumberOfConnectivityIds", NumberType::int64, 0, 1, &none},
                      {"/VTKHDF/Connectivity", NumberType::int64, 0, 0, nullptr},
                      {"/VTKHDF/Offsets", NumberType::int64, 0, 1, &offset},
                      {"/VTKHDF/Types", NumberType::uint8, 0, 0, nullptr},
                      {"/VTKHDF/Points", NumberType::float64, 3, points, positions.data()},
                      {"/VTKHDF/PointData/value", NumberType::float64, 0, points, values.data()},
                      {"/Fixed/name", NumberType::uint8, 0, rank == 0 ? 4 : 0, "name"}};
    file.add(frame, contents);
  }

  // The file has these frames, each written by as many ranks. Serial.
  void check(const std::vector<int>& ranks) const {
    on_first_rank(MPI_COMM_WORLD, [&] {
      const std::vector<double> times = times_in_file(path_);
      ASSERT_EQ(times.size(), ranks.size());
      const Hdf5Handle file(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
      const auto integers = [&](const std::string& name) {
        std::vector<std::int64_t> values;
        EXPECT_TRUE(read_first_integers(file.get(), "/VTKHDF/" + name, rows_of(file.get(), "/VTKHDF/" + name), values)) << name;
        return values;
      };
      const auto part_offsets = integers("Steps/PartOffsets"), parts = integers("Steps/NumberOfParts"), first = integers("Steps/PointDataOffsets/value"),
                 points_first = integers("Steps/PointOffsets"), counts = integers("NumberOfPoints");
      EXPECT_EQ(rows_of(file.get(), "/VTKHDF/Steps/Values"), ranks.size());
      std::vector<double> values;
      ASSERT_TRUE(read_first_numbers(file.get(), "/VTKHDF/PointData/value", rows_of(file.get(), "/VTKHDF/PointData/value"), values));
      for (std::size_t frame = 0; frame < ranks.size(); ++frame) {
        EXPECT_EQ(times[frame], static_cast<double>(frame));
        EXPECT_EQ(parts[frame], ranks[frame]);
        EXPECT_EQ(points_first[frame], first[frame]);
        std::int64_t row = first[frame];
        for (int rank = 0; rank < ranks[frame]; ++rank) {
          const std::int64_t count = points_on(rank, static_cast<int>(frame));
          EXPECT_EQ(counts[part_offsets[frame] + rank], count);
          for (std::int64_t point = 0; point < count; ++point) EXPECT_EQ(values[row++], value_of(static_cast<int>(frame), rank, point)) << frame;
        }
      }
    });
  }

  const std::string folder_ = testing::TempDir() + "traction_frame_file_test_" + std::to_string(test::size_of(MPI_COMM_WORLD));
  const std::string path_ = folder_ + "/points.hdf";
  const int size_ = test::size_of(MPI_COMM_WORLD);
};

TEST_F(OneFile, GrowsBeyondItsPlan) {
  FrameFile file = open(0, 3);
  for (int frame = 0; frame < 60; ++frame) {
    add(file, frame);
    if (frame % 20 == 0) check(std::vector<int>(frame + 1, size_));
  }
  file.flush();
  EXPECT_EQ(file.frames(), 60);
  check(std::vector<int>(60, size_));
}

TEST_F(OneFile, ContinuesAtAnotherRankCount) {
  {
    FrameFile file = open(0);
    for (int frame = 0; frame < 10; ++frame) add(file, frame);
  }
  on_first_rank(MPI_COMM_WORLD, [&] {
    FrameFile file = open(4, 20, MPI_COMM_SELF);
    for (int frame = 4; frame < 8; ++frame) add(file, frame, MPI_COMM_SELF);
  });
  check({size_, size_, size_, size_, 1, 1, 1, 1});
  {
    FrameFile file = open(6);
    add(file, 6);
  }
  check({size_, size_, size_, size_, 1, 1, size_});
  {
    FrameFile file = open(1);
    EXPECT_EQ(file.frames(), 1);
  }
  check({size_});
  open(0);
  on_first_rank(MPI_COMM_WORLD, [&] { EXPECT_FALSE(fs::exists(path_)); });
}

// A frame that NSteps counts but whose time is missing, as a kill may leave it, does not count, nor does anything after it.
TEST_F(OneFile, AFrameWithoutItsTimeIsNone) {
  {
    FrameFile file = open(0);
    for (int frame = 0; frame < 4; ++frame) add(file, frame);
  }
  on_first_rank(MPI_COMM_WORLD, [&] {
    const Hdf5Handle file(H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    const Hdf5Handle steps(H5Gopen2(file.get(), "/VTKHDF/Steps", H5P_DEFAULT), H5Gclose), number(H5Aopen(steps.get(), "NSteps", H5P_DEFAULT), H5Aclose);
    const std::int64_t five = 5;
    H5Awrite(number.get(), H5T_NATIVE_INT64, &five);
  });
  on_first_rank(MPI_COMM_WORLD, [&] {
    EXPECT_EQ(times_in_file(path_).size(), 4);
    const FramesFound found = frames_found(folder_, "points", 2.5);
    EXPECT_EQ(found.count, 3);
    EXPECT_TRUE(found.in_one_file);
  });
  FrameFile file = open(4);
  add(file, 4);
  check(std::vector<int>(5, size_));
}

TEST_F(OneFile, AChangeThatFailsIsUndone) {
  {
    FrameFile file = open(0);
    for (int frame = 0; frame < 4; ++frame) add(file, frame);
  }
  on_first_rank(MPI_COMM_WORLD, [&] {
    const auto spoil = [&] {
      std::ofstream file(path_, std::ios::binary | std::ios::in | std::ios::app);
      file << "more";
      file.close();
      std::fstream start(path_, std::ios::binary | std::ios::in | std::ios::out);
      start << "no HDF5 any more";
      start.close();
      throw FileError("fails");
    };
    EXPECT_THROW(change_protected(path_, spoil), FileError);
    EXPECT_FALSE(fs::exists(undo_path(path_)));
    EXPECT_FALSE(undo_change(path_));
  });
  check(std::vector<int>(4, size_));
}

TEST_F(OneFile, WhatIsNotThereIsAFileErrorOnAllRanks) {
  EXPECT_THROW(open(1), FileError);
  {
    FrameFile file = open(0);
    add(file, 0);
  }
  EXPECT_THROW(open(2), FileError);
  EXPECT_THROW(FrameFile(MPI_COMM_WORLD, folder_ + "/missing", "points", 0, 5, false), FileError);
  FrameFile elsewhere(MPI_COMM_WORLD, folder_, "others", 0, 5, false);
  on_first_rank(MPI_COMM_WORLD, [&] { fs::create_directories(folder_ + "/others.hdf/full"); });  // fails its renaming
  EXPECT_THROW(add(elsewhere, 0), FileError);
  on_first_rank(MPI_COMM_WORLD, [&] { EXPECT_FALSE(fs::exists(folder_ + "/others.hdf.part")); });
  on_first_rank(MPI_COMM_WORLD, [&] { fs::resize_file(path_, 1000); });
  EXPECT_THROW(open(1), FileError);
}

}  // namespace
}  // namespace traction
