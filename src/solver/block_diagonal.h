// The diagonal blocks of a stage's matrix as a preconditioner: the point-block form of Jacobi's.
#pragma once

#include <petscvec.h>

#include <vector>

#include "system/stage_matrix.h"

namespace traction {

/// The inverses of the 3x3 blocks on the diagonal.
class BlockDiagonal {
 public:
  explicit BlockDiagonal(StageMatrix& matrix) : matrix_(matrix) {}

  /// Takes the blocks at the stage's last linearization. @collective
  void invert();
  /// solution = (blocks)^-1 right_side. @collective
  void solve(Vec right_side, Vec solution) const;

 private:
  StageMatrix& matrix_;
  std::vector<Mat3> inverses_;  ///< of owned vertices
};

}  // namespace traction
