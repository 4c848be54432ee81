// A sparse L U factorisation by MUMPS in single precision: a preconditioner nearly as good as one in double precision, with factors of half the size and in
// about half of the time. (L D L^T of the symmetric part does not suffice: with stiffness damping at a Poisson ratio near 1/2 it needs ten times the
// iterations.)
#pragma once

#include <petscvec.h>
#include <smumps_c.h>

#include <vector>

#include "system/stage_matrix.h"

namespace traction {

/// A factorisation that solves approximately with a stage's matrix.
class SinglePrecisionFactor {
 public:
  /// `by_first_rank`: the first rank does all of the work, in a fixed order of operations; otherwise all ranks share it, and the last bits depend on the order
  /// in which their messages arrive. Collective, like all functions below.
  explicit SinglePrecisionFactor(StageMatrix& matrix, bool by_first_rank = false);
  ~SinglePrecisionFactor();
  SinglePrecisionFactor(const SinglePrecisionFactor&) = delete;
  SinglePrecisionFactor& operator=(const SinglePrecisionFactor&) = delete;

  /// Factorizes the matrix at the stage's last linearization.
  void factorize();
  /// solution = (factors)^-1 right_side, to single precision; NaN if MUMPS could not factorise.
  void solve(Vec right_side, Vec solution);

  /// The counts of the last analysis, the same on all ranks; 0 before the first one.
  struct Counts {
    double operations = 0;      ///< of a factorisation
    double entries = 0;         ///< of the factors
    double matrix_entries = 0;  ///< of the matrix
  };
  const Counts& counts() const { return counts_of_work_; }

 private:
  void call(int job);
  void gather_entries();
  void count();

  StageMatrix& matrix_;
  SMUMPS_STRUC_C mumps_;
  bool by_first_rank_, takes_part_ = true;
  bool analysed_ = false, failed_ = false;
  double scale_ = 1;                       ///< factor on the matrix, so that no system of units overflows single precision
  std::vector<MUMPS_INT> rows_, columns_;  ///< indices of this rank's entries, from 1
  std::vector<float> entries_, local_, all_;
  std::vector<int> counts_, offsets_;  ///< sizes and offsets of each rank's part of a vector, on rank 0
  int rank_ = 0;
  Counts counts_of_work_;
};

}  // namespace traction
