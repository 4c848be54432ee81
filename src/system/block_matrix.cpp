#include "system/block_matrix.h"

#include <algorithm>

#include <utility>

namespace traction {

BlockMatrix::BlockMatrix(std::shared_ptr<const BlockPattern> pattern)
    : pattern_(std::move(pattern)),
      blocks_(9 * static_cast<std::size_t>(pattern_->edges()) + 1, 0.0),
      diagonal_(pattern_->halo().owned(), Mat3::Zero()),
      has_diagonal_(pattern_->halo().owned(), 0),
      input_(pattern_->halo().owned(), Four{}),
      output_(pattern_->halo().owned(), Four{}) {}

void BlockMatrix::set_zero() {
  blocks_.assign(blocks_.size(), 0.0);
  transposed_.assign(transposed_.size(), 0.0);
  for (int i : on_diagonal_) {
    diagonal_[i].setZero();
    has_diagonal_[i] = 0;
  }
  on_diagonal_.clear();
}

void BlockMatrix::add_diagonal(int i, const Mat3& block) {
  if (i >= pattern_->halo().owned()) return;
  if (!std::exchange(has_diagonal_[i], 1)) on_diagonal_.push_back(i);
  diagonal_[i] += block;
}

void BlockMatrix::add_symmetric(int i, int j, const Mat3& added) {
  const int edge = i < j ? pattern_->find(i, j) : -1;
  if (edge < 0) return;
  Eigen::Map<Mat3Rows>(block(edge)) += added;
  if (is_general()) Eigen::Map<Mat3Rows>(transposed(edge)) += added;
}

void BlockMatrix::make_general() {
  if (!is_general()) transposed_ = blocks_;
}

void BlockMatrix::add_general(int i, int j, const Mat3& added) {
  const int edge = pattern_->find(i, j);
  if (edge < 0) return;
  if (i < j) Eigen::Map<Mat3Rows>(block(edge)) += added;
  else Eigen::Map<Mat3Rows>(transposed(edge)) += added.transpose();
}

// Along a row the three entries of y_i are sums over lanes, which are added at the row's end; y_j receives multiples of the block's rows. Lane 3 of inputs is
// 0; that of outputs is not read.
template <bool general>
void BlockMatrix::multiply_interior() const {
  const int owned = pattern_->halo().owned();
  for (int i = 0; i < owned; ++i) {
    const Four::Data p = input_[i].data;
    Four::Data x{}, y{}, z{};
    for (int edge = pattern_->first_edge(i); edge < pattern_->first_ghost_edge(i); ++edge) {
      const int j = pattern_->upper_vertex(edge);
      const double* K = blocks_.data() + 9 * static_cast<std::size_t>(edge);
      const Four::Data d = input_[j].data - p;
      Four::Data k0 = Four::load(K).data, k1 = Four::load(K + 3).data, k2 = Four::load(K + 6).data;
      x += k0 * d;
      y += k1 * d;
      z += k2 * d;
      if constexpr (general) {
        const double* T = transposed_.data() + 9 * static_cast<std::size_t>(edge);
        k0 = Four::load(T).data, k1 = Four::load(T + 3).data, k2 = Four::load(T + 6).data;
      }
      output_[j].data -= k0 * d[0] + k1 * d[1] + k2 * d[2];
    }
    output_[i].data += Four::Data{(x[0] + x[1]) + x[2], (y[0] + y[1]) + y[2], (z[0] + z[1]) + z[2], 0.0};
  }
}

void BlockMatrix::multiply(Zone zone, const Field& direction, Field& change) const {
  const int owned = pattern_->halo().owned();
  if (zone == Zone::interior) {
    for (int i = 0; i < owned; ++i) {
      const auto p = direction[i];
      input_[i].data = Four::Data{p[0], p[1], p[2], 0.0};
      output_[i].data = Four::Data{};
    }
    is_general() ? multiply_interior<true>() : multiply_interior<false>();
    for (int i = 0; i < owned; ++i) change[i] += Vec3(output_[i].data[0], output_[i].data[1], output_[i].data[2]);
    for (int i : on_diagonal_) change[i] += diagonal_[i] * direction[i];
    return;
  }
  for (int i : pattern_->boundary_vertices()) {
    Vec3 total = Vec3::Zero();
    for (int edge = pattern_->first_ghost_edge(i); edge < pattern_->first_edge(i + 1); ++edge)
      total += coupling(edge) * (direction[pattern_->upper_vertex(edge)] - direction[i]);
    change[i] += total;
  }
}

void set_row(Mat matrix, PetscInt row, const std::vector<PetscInt>& columns, const std::vector<Mat3>& blocks) {
  const std::size_t count = columns.size();
  std::vector<PetscScalar> values(9 * count);
  for (std::size_t k = 0; k < count; ++k)
    for (int r = 0; r < 3; ++r)  // PETSc needs the three scalar rows of the block row one after the other
      for (int c = 0; c < 3; ++c) values[(r * count + k) * 3 + c] = blocks[k](r, c);
  check_petsc(MatSetValuesBlocked(matrix, 1, &row, static_cast<PetscInt>(count), columns.data(), values.data(), INSERT_VALUES));
}

PetscHandle<Mat> BlockMatrix::create_petsc() const {
  const Halo& halo = pattern_->halo();
  const int owned = halo.owned();
  PetscHandle<Mat> matrix;
  check_petsc(MatCreate(halo.communicator(), matrix.receive()));
  check_petsc(MatSetSizes(matrix, 3 * owned, 3 * owned, PETSC_DETERMINE, PETSC_DETERMINE));
  check_petsc(MatSetBlockSize(matrix, 3));
  check_petsc(MatSetType(matrix, MATAIJ));
  preallocate(matrix, std::vector<PetscInt>(owned, 0), std::vector<PetscInt>(owned, 0));
  check_petsc(MatSetOption(matrix, MAT_NO_OFF_PROC_ENTRIES, PETSC_TRUE));
  return matrix;
}

void BlockMatrix::preallocate(Mat matrix, std::vector<PetscInt> own_blocks, std::vector<PetscInt> other_blocks) const {
  const PetscInt owned = pattern_->halo().owned(), others = pattern_->halo().global_count() - owned;
  for (int i = 0; i < owned; ++i) {
    own_blocks[i] += 1 + static_cast<PetscInt>(pattern_->lower_edges(i).size()) + pattern_->first_ghost_edge(i) - pattern_->first_edge(i);
    other_blocks[i] += pattern_->first_edge(i + 1) - pattern_->first_ghost_edge(i);
    own_blocks[i] = std::min(own_blocks[i], owned);  // additional blocks may be in the pattern already, and PETSc refuses more than a row's length
    other_blocks[i] = std::min(other_blocks[i], others);
  }
  check_petsc(MatXAIJSetPreallocation(matrix, 3, own_blocks.data(), other_blocks.data(), nullptr, nullptr));
}

}  // namespace traction
