// Blocks added element by element, against the same sum taken over the whole mesh without a matrix.

#include "system/block_matrix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "mesh_partition/distribute.h"
#include "support/box_mesh.h"
#include "support/shared_folder.h"

namespace traction {
namespace {

// The block that an element adds between two of its vertices: a function of their numbers in the undistributed mesh alone.
Mat3 block_of(int row, int column, int element_key) {
  std::mt19937 generator(static_cast<unsigned>(row * 7919 + column * 104729 + element_key));
  std::uniform_real_distribution<double> number(-1, 1);
  Mat3 block;
  for (int i = 0; i < 9; ++i) block(i) = number(generator);
  return block;
}

Vec3 input_of(int id) { return Vec3(std::sin(id + 1.0), std::cos(2.0 * id), 0.1 * id - 1); }

class BlockMatrixTest : public testing::Test {
 protected:
  void fill(BlockMatrix& blocks) const {
    for (const auto& element : share_.tetrahedra) {
      std::array<int, 4> ids;
      for (int a = 0; a < 4; ++a) ids[a] = share_.vertex_ids[element[a]];
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b) blocks.add(element[a], element[b], block_of(ids[a], ids[b], key(ids)));
    }
  }
  static int key(const std::array<int, 4>& ids) { return ids[0] + ids[1] + ids[2] + ids[3]; }

  // Sum over all elements; fixed vertices (an empty list for none) as `eliminate` leaves them.
  std::vector<Vec3> expected(const std::vector<char>& fixed, const std::vector<double>& diagonal) const {
    std::vector<Vec3> result(whole_.vertices.size(), Vec3::Zero());
    for (const auto& ids : whole_.tetrahedra)
      for (int row : ids)
        for (int column : ids)
          if (fixed.empty() || (!fixed[row] && !fixed[column])) result[row] += block_of(row, column, key(ids)) * input_of(column);
    for (std::size_t id = 0; id < fixed.size(); ++id)
      if (fixed[id]) result[id] = diagonal[id] * input_of(static_cast<int>(id));
    return result;
  }

  // Largest difference of the matrix's product from `reference` over this rank's rows.
  double difference(Mat matrix, const std::vector<Vec3>& reference) const {
    Vec x = nullptr, y = nullptr;
    MatCreateVecs(matrix, &x, &y);
    PetscScalar* values = nullptr;
    VecGetArray(x, &values);
    for (int i = 0; i < share_.halo->owned(); ++i) Eigen::Map<Vec3>(values + 3 * i) = input_of(share_.vertex_ids[i]);
    VecRestoreArray(x, &values);
    MatMult(matrix, x, y);
    VecGetArray(y, &values);
    double largest = 0;
    for (int i = 0; i < share_.halo->owned(); ++i)
      largest = std::max(largest, (Eigen::Map<const Vec3>(values + 3 * i) - reference[share_.vertex_ids[i]]).norm());
    VecRestoreArray(y, &values);
    VecDestroy(&x);
    VecDestroy(&y);
    return largest;
  }

  const Mesh whole_ = test::box_mesh("block", Vec3::Zero(), Vec3::Ones(), {4, 3, 3});
  const DistributedMesh share_ = distribute(PETSC_COMM_WORLD, whole_, partition_elements(whole_, test::size_of(MPI_COMM_WORLD)));
};

constexpr double kRounding = 1e-12;   // of sums of some hundred terms of at most 30

TEST_F(BlockMatrixTest, ProductIsTheSumOverElements) {
  BlockMatrix blocks(share_.halo, share_.tetrahedra);
  fill(blocks);
  Mat matrix = blocks.create_petsc();
  blocks.copy_to(matrix);
  EXPECT_LT(difference(matrix, expected({}, {})), kRounding);
  PetscInt size = 0, block_size = 0;
  MatGetSize(matrix, &size, nullptr);
  MatGetBlockSize(matrix, &block_size);
  EXPECT_EQ(size, 3 * 5 * 4 * 4);
  EXPECT_EQ(block_size, 3);
  MatDestroy(&matrix);
}

TEST_F(BlockMatrixTest, CopiedAgainItReplacesTheOldValues) {
  BlockMatrix blocks(share_.halo, share_.tetrahedra);
  for (int row = 0; row < share_.halo->owned(); ++row) blocks.add(row, row, 1e6 * Mat3::Identity());
  Mat matrix = blocks.create_petsc();
  blocks.copy_to(matrix);
  blocks.set_zero();
  fill(blocks);
  blocks.copy_to(matrix);
  EXPECT_LT(difference(matrix, expected({}, {})), kRounding);
  MatDestroy(&matrix);
}

TEST_F(BlockMatrixTest, PatternIsThatOfTheElements) {
  const BlockMatrix blocks(share_.halo, share_.tetrahedra);
  Mat matrix = blocks.create_petsc();
  blocks.copy_to(matrix);
  MatInfo info;
  MatGetInfo(matrix, MAT_GLOBAL_SUM, &info);
  std::set<std::pair<int, int>> pairs;
  for (const auto& element : whole_.tetrahedra)
    for (int a : element)
      for (int b : element) pairs.emplace(a, b);
  EXPECT_EQ(info.nz_used, 9.0 * double(pairs.size()));
  EXPECT_EQ(info.nz_allocated, info.nz_used);
  EXPECT_EQ(info.mallocs, 0);
  MatDestroy(&matrix);
}

TEST_F(BlockMatrixTest, EliminatesRowsAndColumns) {
  BlockMatrix blocks(share_.halo, share_.tetrahedra);
  fill(blocks);
  std::vector<char> fixed;
  std::vector<double> diagonal;
  for (std::size_t id = 0; id < whole_.vertices.size(); ++id) {
    fixed.push_back(id % 5 == 0 || id % 7 == 3);
    diagonal.push_back(2.0 + double(id));
  }
  std::vector<char> fixed_here;
  std::vector<double> diagonal_here;
  for (int id : share_.vertex_ids) {
    fixed_here.push_back(fixed[id]);
    diagonal_here.push_back(diagonal[id]);
  }
  blocks.eliminate(fixed_here, diagonal_here);
  Mat matrix = blocks.create_petsc();
  blocks.copy_to(matrix);
  EXPECT_LT(difference(matrix, expected(fixed, diagonal)), kRounding);
  MatDestroy(&matrix);
}

}  // namespace
}  // namespace traction
