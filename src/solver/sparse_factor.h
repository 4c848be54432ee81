// Sparse L U factorisations by MUMPS as preconditioners. One in single precision is nearly as good as one in
// double precision for most matrices, with factors of half the size and in about half of the time. (L D L^T of the symmetric part does not suffice: with
// stiffness damping at a Poisson ratio near 1/2 it needs ten times the iterations.)
#pragma once

#include <dmumps_c.h>
#include <petscvec.h>
#include <smumps_c.h>

#include <type_traits>
#include <vector>

#include "solver/factor_counts.h"
#include "system/stage_matrix.h"

namespace traction {

/// A factorisation that solves approximately with a stage's matrix. `Real`: float or double, the precision of the factors.
template <typename Real>
class SparseFactor {
 public:
  /// `by_first_rank`: the first rank does all of the work, in a fixed order of operations; otherwise all ranks share it, unless there is little of it, and the
  /// last bits depend on the order in which their messages arrive. Collective, like all functions below.
  explicit SparseFactor(const StageMatrix& matrix, bool by_first_rank = false);
  ~SparseFactor();
  SparseFactor(const SparseFactor&) = delete;
  SparseFactor& operator=(const SparseFactor&) = delete;

  /// Factorises the assembled matrix. `has_new_pattern`: whether its pattern differs from that of the last factorisation. Returns false on all ranks if that
  /// failed.
  bool factorize(bool has_new_pattern);
  /// Logs why the last factorisation failed, and the remedy.
  void warn_of_failure() const;
  /// solution = (factors)^-1 right_side, to the precision of the factors; NaN if the factorisation failed.
  void solve(Vec right_side, Vec solution);

  const FactorCounts& counts() const { return counts_of_work_; }

 private:
  using Mumps = std::conditional_t<std::is_same_v<Real, float>, SMUMPS_STRUC_C, DMUMPS_STRUC_C>;

  void call(int job);
  void gather_entries();
  void count();

  const StageMatrix& matrix_;
  Mumps mumps_;
  bool by_first_rank_, takes_part_ = true;
  bool analysed_ = false, failed_ = false;
  double scale_ = 1;                       ///< factor on the matrix, so that no system of units overflows single precision
  std::vector<MUMPS_INT> rows_, columns_;  ///< indices of this rank's entries, from 1
  std::vector<Real> entries_, local_, all_;
  std::vector<int> counts_, offsets_;  ///< sizes and offsets of each rank's part of a vector, on rank 0
  int rank_ = 0;
  FactorCounts counts_of_work_;
};

extern template class SparseFactor<float>;
extern template class SparseFactor<double>;

}  // namespace traction
