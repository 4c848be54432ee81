#include "solver/block_diagonal.h"

#include <Eigen/LU>
#include <algorithm>

#include "parallel/petsc_handle.h"

namespace traction {

void BlockDiagonal::invert() {
  matrix_.assemble();
  inverses_.clear();
  inverses_.reserve(matrix_.equation().system().halo().owned());
  matrix_.for_each_row([&](PetscInt row, const std::vector<PetscInt>& columns, const std::vector<Mat3>& blocks) {
    const Mat3& block = blocks[std::find(columns.begin(), columns.end(), row) - columns.begin()];
    Mat3 inverse;
    bool is_regular = false;
    block.computeInverseWithCheck(inverse, is_regular, 0);
    inverses_.push_back(is_regular && inverse.allFinite() ? inverse : Mat3(Mat3::Identity()));
  });
}

void BlockDiagonal::solve(Vec right_side, Vec solution) const {
  const PetscScalar* input = nullptr;
  PetscScalar* output = nullptr;
  check_petsc(VecGetArrayRead(right_side, &input));
  check_petsc(VecGetArrayWrite(solution, &output));
  for (std::size_t i = 0; i < inverses_.size(); ++i) Eigen::Map<Vec3>(output + 3 * i) = inverses_[i] * Eigen::Map<const Vec3>(input + 3 * i);
  check_petsc(VecRestoreArrayWrite(solution, &output));
  check_petsc(VecRestoreArrayRead(right_side, &input));
}

}  // namespace traction
