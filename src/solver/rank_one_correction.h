// What the few terms c g g^T that reach across a whole surface (the volume penalty's) change in a preconditioner M of the sparse blocks, by the formula of
// Sherman, Morrison and Woodbury (docs/theory/volume.md, "Rank-one correction"):
//   (M + G C G^T)^-1 = M^-1 - Z (I + C G^T Z)^-1 C G^T M^-1,  Z = M^-1 G,  C = diag(c)
#pragma once

#include <petscksp.h>

#include <Eigen/Core>
#include <vector>

#include "system/stage_equation.h"

namespace traction {

class RankOneCorrection {
 public:
  // Puts itself around the preconditioner that `ksp` has, options and all; whoever solves with `ksp` still sets its operators. Must live as long as that.
  // Collective, like all below.
  RankOneCorrection(StageEquation& equation, KSP ksp);
  ~RankOneCorrection();
  RankOneCorrection(const RankOneCorrection&) = delete;
  RankOneCorrection& operator=(const RankOneCorrection&) = delete;

  // Moves a trial v + s of Newton's method, where the equation was last linearized at v, along Z until the terms' quantities (volumes) are what they were
  // foretold to be, those at v and their changes along s to first order: a second-order correction (docs/theory/newton.md, "Curved volumes"). Returns false,
  // and leaves the trial without meaning, where no term is strong or that fails. Collective.
  bool correct(Vec v, Vec trial);

 private:
  // With each new M: one application of it per term, and one reduction.
  void set_up(PC shell);
  // Takes the terms at the last linearization, but those too weak to slow a Krylov method down.
  void find_strong_terms();
  std::vector<RankOneTerm> strong_of(const std::vector<RankOneTerm>& terms) const;
  // One application of M and one reduction.
  void apply(Vec x, Vec y);
  // products[k] = this rank's share of g_k . x, one number per term.
  void multiply_transposed(const std::vector<RankOneTerm>& terms, Vec x, double* products) const;

  StageEquation& equation_;
  PC inner_ = nullptr;               // M
  std::vector<RankOneTerm> terms_;   // of the linearization for which M was built
  std::vector<std::size_t> strong_;  // their numbers among all
  std::vector<Vec> solved_;          // Z
  Vec work_ = nullptr;
  Eigen::MatrixXd weights_;  // (I + C G^T Z)^-1 C
};

}  // namespace traction
