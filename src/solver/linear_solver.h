// A Krylov method and its preconditioner, for the linear systems of Newton's method.
#pragma once

#include <petscksp.h>

#include "parallel/petsc_handle.h"
#include "solver/preconditioner.h"

namespace traction {

/// Solves with the operator of a stage, preconditioned.
class LinearSolver {
 public:
  /// Configures `ksp`, and keeps it; options may be read afterwards, up to attach(). @collective
  LinearSolver(StageEquation& equation, const SolverSettings& settings, PreconditionerKind kind, KSP ksp);
  /// `shell`: the operator. @collective
  void attach(Mat shell);

  KSP ksp() const { return ksp_; }
  Preconditioner& preconditioner() { return preconditioner_; }
  const Preconditioner& preconditioner() const { return preconditioner_; }
  Mat matrix() const { return matrix_; }  ///< from which the preconditioner is built
  int most_iterations() const { return most_iterations_; }

  /// Brings the preconditioner up to date at the last linearization, for a solve to this tolerance: builds it anew if it must or is no longer of use. Returns
  /// whether it did. @collective
  bool prepare(bool always, double tolerance, int limit);

 private:
  PetscHandle<KSP> ksp_;
  Preconditioner preconditioner_;
  Mat matrix_ = nullptr;
  int most_iterations_ = 0;
};

}  // namespace traction
