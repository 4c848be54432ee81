// Corrects a preconditioner M of the sparse blocks for the few terms c g g^T that couple a whole surface (those of the volume penalty), by the formula of
// Sherman, Morrison and Woodbury (docs/theory/volume.md, "Rank-one correction"):
//   (M + G C G^T)^-1 = M^-1 - Z (I + C G^T Z)^-1 C G^T M^-1,  Z = M^-1 G,  C = diag(c)
#pragma once

#include <petscksp.h>

#include <Eigen/Core>
#include <vector>

#include "parallel/petsc_handle.h"
#include "system/stage_equation.h"

namespace traction {

/// A preconditioner that adds the rank-one terms to another one.
class RankOneCorrection {
 public:
  /// Wraps the preconditioner of `ksp`, including its options; the caller still sets the operators of `ksp`. Must outlive the use of `ksp`. Collective, like
  /// all functions below.
  RankOneCorrection(StageEquation& equation, KSP ksp);
  RankOneCorrection(const RankOneCorrection&) = delete;
  RankOneCorrection& operator=(const RankOneCorrection&) = delete;

  /// Moves a trial v + s of Newton's method, where the equation was last linearized at v, along Z until the quantities of the curved terms (volumes) have their
  /// predicted values: those at v plus their changes along s to first order. This is a second-order correction (docs/theory/newton.md, "Curved volumes").
  /// Returns false, with an undefined trial, if no curved term is strong or the correction fails. @collective
  bool correct(Vec v, Vec trial);

 private:
  /// Functions that PETSc calls. The context of `shell` is this object.
  static PetscErrorCode set_up_shell(PC shell);
  static PetscErrorCode apply_shell(PC shell, Vec x, Vec y);
  static PetscErrorCode view_shell(PC shell, PetscViewer viewer);
  /// Called with each new M: one application of it per term, and one reduction.
  void set_up(PC shell);
  /// Selects the terms of the last linearization, except those too weak to slow a Krylov method down.
  void find_strong_terms();
  /// One application of M and one reduction.
  void apply(Vec x, Vec y);
  /// products[k] = this rank's share of g_k . x, one number per term.
  void multiply_transposed(const std::vector<RankOneTerm>& terms, Vec x, double* products) const;

  StageEquation& equation_;
  PetscHandle<PC> inner_;                 ///< M
  std::vector<RankOneTerm> terms_;        ///< selected terms of the linearization for which M was built
  std::vector<std::size_t> strong_;       ///< their indices among all terms
  std::vector<PetscHandle<Vec>> solved_;  ///< Z
  PetscHandle<Vec> work_;
  Eigen::MatrixXd weights_;  ///< (I + C G^T Z)^-1 C
};

}  // namespace traction
