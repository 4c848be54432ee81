// Products and rows of blocks added element by element, against the same sum taken over the whole mesh without a matrix.

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

// The contribution of an element to the coupling of two of its vertices: a function of their numbers in the undistributed mesh only, and transposed for the
// opposite coupling if `symmetric`.
Mat3 block_of(int row, int column, int element_key, bool symmetric) {
  if (symmetric && row > column) return block_of(column, row, element_key, true).transpose();
  std::mt19937 generator(static_cast<unsigned>(row * 7919 + column * 104729 + element_key));
  std::uniform_real_distribution<double> number(-1, 1);
  Mat3 block;
  for (int i = 0; i < 9; ++i) block(i) = number(generator);
  return block;
}

Mat3 diagonal_of(int id) { return id % 3 == 0 ? block_of(id, id, 1, false) : Mat3(Mat3::Zero()); }
double mass_of(int id) { return 2.0 + id; }
Vec3 input_of(int id) { return Vec3(std::sin(id + 1.0), std::cos(2.0 * id), 0.1 * id - 1); }

class BlockMatrixTest : public testing::TestWithParam<bool> {
 protected:
  bool symmetric() const { return GetParam(); }

  void fill(BlockMatrix& blocks) const {
    if (!symmetric()) blocks.make_general();
    for (const auto& element : share_.tetrahedra)
      for (int i : element)
        for (int j : element) {
          if (i >= j || i >= share_.halo->owned()) continue;
          std::array<int, 4> ids;
          for (int a = 0; a < 4; ++a) ids[a] = share_.vertex_ids[element[a]];
          const int row = share_.vertex_ids[i], column = share_.vertex_ids[j];
          const Mat3 block = block_of(row, column, key(ids), symmetric()), opposite = block_of(column, row, key(ids), symmetric());
          if (symmetric()) {
            blocks.add_symmetric(i, j, block);
            blocks.add_symmetric(j, i, opposite);  // not read
            continue;
          }
          const int edge = blocks.pattern().find(j, i);
          Eigen::Map<Rows>(blocks.block(edge)) += block;
          Eigen::Map<Rows>(blocks.transposed(edge)) += opposite.transpose();
        }
    for (std::size_t i = 0; i < share_.vertices.size(); ++i) blocks.add_diagonal(static_cast<int>(i), diagonal_of(share_.vertex_ids[i]));
  }
  using Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  static int key(const std::array<int, 4>& ids) { return ids[0] + ids[1] + ids[2] + ids[3]; }

  // The expected product, mass * mass_of(i) p_i + factor (D_i p_i + sum over elements of K_ij (p_j - p_i)), from the undistributed mesh; for fixed vertices
  // only the mass.
  std::vector<Vec3> expected(double mass, double factor, const std::vector<char>& fixed = {}) const {
    const auto is_fixed = [&](std::size_t id) { return !fixed.empty() && fixed[id]; };
    std::vector<Vec3> result(whole_.vertices.size(), Vec3::Zero());
    for (const auto& ids : whole_.tetrahedra)
      for (int row : ids)
        for (int column : ids) {
          if (row == column) continue;
          const Vec3 neighbour = is_fixed(column) ? Vec3(Vec3::Zero()) : input_of(column);
          result[row] += factor * block_of(row, column, key(ids), symmetric()) * (neighbour - input_of(row));
        }
    for (std::size_t i = 0; i < result.size(); ++i) {
      const int id = static_cast<int>(i);
      result[i] += factor * diagonal_of(id) * input_of(id);
      if (is_fixed(i)) result[i].setZero();
      result[i] += mass * mass_of(id) * input_of(id);
    }
    return result;
  }

  // Largest difference from `reference` over this rank's rows.
  double difference(const Field& result, const std::vector<Vec3>& reference) const {
    double largest = 0;
    for (int i = 0; i < share_.halo->owned(); ++i) largest = std::max(largest, (result[i] - reference[share_.vertex_ids[i]]).norm());
    return largest;
  }
  Field input() const {
    Field field(share_.halo->local());
    for (int i = 0; i < share_.halo->local(); ++i) field[i] = input_of(share_.vertex_ids[i]);
    return field;
  }
  // The rows from for_each_row, times the input.
  Field product_of_rows(const BlockMatrix& blocks, double factor, const std::vector<char>& fixed) const {
    std::vector<double> mass;
    std::vector<char> fixed_here;
    for (int id : share_.vertex_ids) {
      mass.push_back(mass_of(id));
      fixed_here.push_back(!fixed.empty() && fixed[id]);
    }
    const Field p = input();
    Field result(share_.halo->local());
    int rows = 0;
    blocks.for_each_row(factor, mass, fixed_here, [&](int i, const std::vector<int>& columns, const std::vector<Mat3>& row) {
      EXPECT_EQ(i, rows++);
      EXPECT_TRUE(std::is_sorted(columns.begin(), columns.end()));
      for (std::size_t k = 0; k < columns.size(); ++k) result[i] += row[k] * p[columns[k]];
    });
    EXPECT_EQ(rows, share_.halo->owned());
    return result;
  }
  BlockMatrix matrix() const { return BlockMatrix(std::make_shared<const BlockPattern>(share_.halo, share_.tetrahedra)); }

  const Mesh whole_ = test::box_mesh("block", Vec3::Zero(), Vec3::Ones(), {4, 3, 3});
  const DistributedMesh share_ = distribute(PETSC_COMM_WORLD, whole_, partition_elements(whole_, test::size_of(MPI_COMM_WORLD)));
};

constexpr double kRounding = 1e-12;  // rounding error of sums of some hundred terms of at most 30

TEST_P(BlockMatrixTest, ProductIsTheSumOverElements) {
  BlockMatrix blocks = matrix();
  for (int repeat = 0; repeat < 2; ++repeat) {  // set_zero forgets what was there
    blocks.set_zero();
    fill(blocks);
    Field result(share_.halo->local());
    for (const Zone zone : {Zone::interior, Zone::boundary}) blocks.multiply(zone, input(), result);
    EXPECT_LT(difference(result, expected(0, 1)), kRounding);
  }
}

// The product of a translation is zero by differences, not by cancellation of blocks.
TEST_P(BlockMatrixTest, CouplingsDoNothingToATranslation) {
  BlockMatrix blocks = matrix();
  fill(blocks);
  for (int i = 0; i < share_.halo->owned(); ++i) blocks.add_diagonal(i, -diagonal_of(share_.vertex_ids[i]));
  Field translation(share_.halo->local()), result(share_.halo->local());
  for (int i = 0; i < share_.halo->local(); ++i) translation[i] = Vec3(0.1, 1e9, -3.7);
  for (const Zone zone : {Zone::interior, Zone::boundary}) blocks.multiply(zone, translation, result);
  EXPECT_EQ(result.array().cwiseAbs().maxCoeff(), 0);
}

TEST_P(BlockMatrixTest, RowsAreTheProducts) {
  BlockMatrix blocks = matrix();
  fill(blocks);
  EXPECT_LT(difference(product_of_rows(blocks, -0.3, {}), expected(1, -0.3)), kRounding);
}

TEST_P(BlockMatrixTest, RowsOfFixedVerticesHoldTheirMassAlone) {
  BlockMatrix blocks = matrix();
  fill(blocks);
  std::vector<char> fixed;
  for (std::size_t id = 0; id < whole_.vertices.size(); ++id) fixed.push_back(id % 5 == 0 || id % 7 == 3);
  EXPECT_LT(difference(product_of_rows(blocks, 2, fixed), expected(1, 2, fixed)), kRounding);
}

TEST_P(BlockMatrixTest, PetscMatrixHasThePatternOfTheElements) {
  const BlockMatrix blocks = matrix();
  const PetscHandle<Mat> matrix = blocks.create_petsc();
  MatInfo info;
  MatGetInfo(matrix, MAT_GLOBAL_SUM, &info);
  std::set<std::pair<int, int>> pairs;
  for (const auto& element : whole_.tetrahedra)
    for (int a : element)
      for (int b : element) pairs.emplace(a, b);
  EXPECT_EQ(info.nz_allocated, 9.0 * double(pairs.size()));
  PetscInt size = 0, block_size = 0;
  MatGetSize(matrix, &size, nullptr);
  MatGetBlockSize(matrix, &block_size);
  EXPECT_EQ(size, 3 * 5 * 4 * 4);
  EXPECT_EQ(block_size, 3);
}

INSTANTIATE_TEST_SUITE_P(Couplings, BlockMatrixTest, testing::Bool(),
                         [](const testing::TestParamInfo<bool>& info) { return info.param ? "symmetric" : "general"; });

}  // namespace
}  // namespace traction
