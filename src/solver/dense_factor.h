// A dense L U factorisation of a stage's matrix in which few vertices are coupled, as preconditioner.
#pragma once

#include <petscvec.h>

#include <Eigen/LU>
#include <vector>

#include "solver/factor_counts.h"
#include "system/stage_matrix.h"

namespace traction {

/// For scenes of a few rigid bodies: factorises the rows of coupled vertices as one dense matrix in double precision, the same on
/// every rank, and inverts the other rows block by block. The fixed costs of MUMPS are much larger.
class DenseFactor {
 public:
  explicit DenseFactor(const StageMatrix& matrix) : matrix_(matrix) {}

  /// Whether the scene has rigid bodies, and its assembled matrix coupled vertices, but so few that this is faster than a sparse factor. @collective
  bool suits();
  /// Factorises the matrix that suits() has seen. Returns false on all ranks if it is singular or contains NaN. @collective
  bool factorize();
  /// solution = (factors)^-1 right_side. @collective
  void solve(Vec right_side, Vec solution) const;

  double unknowns() const { return static_cast<double>(factor_.rows()); }  ///< of coupled vertices
  FactorCounts counts() const { return {2.0 / 3 * unknowns() * unknowns() * unknowns(), unknowns() * unknowns(), unknowns() * unknowns()}; }

 private:
  const StageMatrix& matrix_;
  std::vector<char> coupled_;   ///< for each owned vertex
  std::vector<Mat3> inverses_;  ///< for each owned vertex; of use for those without couplings
  Eigen::PartialPivLU<Eigen::MatrixXd> factor_;
  int first_ = 0;  ///< number of this rank's first coupled vertex among those of all ranks
};

}  // namespace traction
