#include "system/block_matrix.h"

#include <algorithm>

namespace traction {

BlockMatrix::BlockMatrix(std::shared_ptr<const Halo> halo, const std::vector<std::array<int, 4>>& elements) : halo_(std::move(halo)) {
  std::vector<std::vector<int>> rows(halo_->owned());
  for (const auto& element : elements)
    for (int a : element)
      if (a < halo_->owned()) rows[a].insert(rows[a].end(), element.begin(), element.end());
  row_start_.push_back(0);
  for (auto& row : rows) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    columns_.insert(columns_.end(), row.begin(), row.end());
    row_start_.push_back(static_cast<int>(columns_.size()));
  }
  blocks_.assign(9 * columns_.size(), 0.0);
}

void BlockMatrix::set_zero() { blocks_.assign(blocks_.size(), 0.0); }

void BlockMatrix::add(int row, int column, const Mat3& block) {
  if (row >= halo_->owned()) return;
  const auto begin = columns_.begin() + row_start_[row], end = columns_.begin() + row_start_[row + 1];
  const auto found = std::lower_bound(begin, end, column);
  if (found == end || *found != column) return;
  const std::size_t slot = found - columns_.begin();
  Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(blocks_.data() + 9 * slot) += block;
}

void BlockMatrix::eliminate(const std::vector<char>& fixed, const std::vector<double>& diagonal) {
  for (int row = 0; row < halo_->owned(); ++row)
    for (int slot = row_start_[row]; slot < row_start_[row + 1]; ++slot) {
      const int column = columns_[slot];
      if (!fixed[row] && !fixed[column]) continue;
      Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> block(blocks_.data() + 9 * static_cast<std::size_t>(slot));
      block.setZero();
      if (row == column) block.diagonal().setConstant(diagonal[row]);
    }
}

Mat BlockMatrix::create_petsc() const {
  const MPI_Comm communicator = halo_->communicator();
  const int owned = halo_->owned();
  std::vector<PetscInt> diagonal_blocks(owned, 0), offdiagonal_blocks(owned, 0);
  for (int row = 0; row < owned; ++row)
    for (int slot = row_start_[row]; slot < row_start_[row + 1]; ++slot) ++(columns_[slot] < owned ? diagonal_blocks : offdiagonal_blocks)[row];
  Mat matrix = nullptr;
  PetscCallAbort(communicator, MatCreate(communicator, &matrix));
  PetscCallAbort(communicator, MatSetSizes(matrix, 3 * owned, 3 * owned, PETSC_DETERMINE, PETSC_DETERMINE));
  PetscCallAbort(communicator, MatSetBlockSize(matrix, 3));
  PetscCallAbort(communicator, MatSetType(matrix, MATAIJ));
  PetscCallAbort(communicator, MatXAIJSetPreallocation(matrix, 3, diagonal_blocks.data(), offdiagonal_blocks.data(), nullptr, nullptr));
  PetscCallAbort(communicator, MatSetOption(matrix, MAT_NO_OFF_PROC_ENTRIES, PETSC_TRUE));
  return matrix;
}

void BlockMatrix::copy_to(Mat matrix) const {
  std::vector<PetscInt> columns;
  std::vector<PetscScalar> values;
  for (int row = 0; row < halo_->owned(); ++row) {
    const int count = row_start_[row + 1] - row_start_[row];
    columns.resize(count);
    values.resize(9 * static_cast<std::size_t>(count));
    for (int k = 0; k < count; ++k) {
      columns[k] = halo_->to_global(columns_[row_start_[row] + k]);
      const double* block = blocks_.data() + 9 * static_cast<std::size_t>(row_start_[row] + k);
      for (int i = 0; i < 3; ++i)   // PETSc wants the three scalar rows of the block row one after the other
        for (int j = 0; j < 3; ++j) values[(static_cast<std::size_t>(i) * count + k) * 3 + j] = block[3 * i + j];
    }
    const PetscInt global_row = halo_->to_global(row);
    PetscCallAbort(halo_->communicator(), MatSetValuesBlocked(matrix, 1, &global_row, count, columns.data(), values.data(), INSERT_VALUES));
  }
  PetscCallAbort(halo_->communicator(), MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  PetscCallAbort(halo_->communicator(), MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
}

}  // namespace traction
