// The preconditioner of the Newton systems: assembled 3x3 blocks of the stage's Jacobian, kept over Newton iterations and steps for as long as they serve
// (docs/theory/newton.md, "Preconditioners").
#pragma once

#include <petscksp.h>

#include <memory>
#include <optional>
#include <string>

#include "solver/default_options.h"
#include "solver/rank_one_correction.h"
#include "solver/single_precision_factor.h"
#include "solver/solver_settings.h"
#include "system/stage_matrix.h"

namespace traction {

class Preconditioner {
 public:
  // `reproducible`: its arithmetic is in an order that does not depend on which messages come first.
  Preconditioner(StageEquation& equation, PreconditionerKind kind, bool reproducible = false);
  ~Preconditioner();
  Preconditioner(const Preconditioner&) = delete;
  Preconditioner& operator=(const Preconditioner&) = delete;

  // Sets the type of `pc` and chooses the options that its solver has by default. Collective.
  void configure(PC pc);
  // The command line's options override these. A Scope of them must live while options are read: with SetFromOptions, set-up and solve.
  const DefaultOptions& default_options() const { return default_options_; }
  // After they have: puts the correction for terms of rank one around the preconditioner of `ksp`, and returns what it is to be built from, `shell` if it needs
  // no matrix. Must outlive what `ksp` solves. Collective.
  Mat attach(KSP ksp, Mat shell);

  // Called at every linearization: assembles the blocks there if the kept ones no longer serve, and tells whether it did. Collective.
  bool update(bool always);
  // What the last linear solve took to reduce its residual by `reduction`; decides about the next update.
  void report(int iterations, double reduction, bool converged);
  // The next update assembles. Does nothing to a fresh preconditioner: returns false then.
  bool discard();
  // The next update assembles, because the matrix has changed much.
  void outdate();
  // What it was built from is forgotten: what comes depends on no earlier step.
  void forget();

  // As RankOneCorrection::correct; false where the terms have none.
  bool correct_quantities(Vec v, Vec trial) { return correction_ && correction_->correct(v, trial); }

  int builds() const { return builds_; }

 private:
  void fill_petsc();
  void attach_rigid_body_modes();

  StageEquation& equation_;
  PreconditionerKind kind_;
  bool reproducible_;
  DefaultOptions default_options_;
  StageMatrix matrix_;
  Mat petsc_ = nullptr;  // the same for PETSc's preconditioners
  std::optional<SinglePrecisionFactor> factor_;
  std::optional<RankOneCorrection> correction_;
  bool valid_ = false;
  bool fresh_ = false;     // built, and not yet used at another linearization
  double built_step_ = 0;  // a h of the stage it was built for
  double baseline_ = -1;   // iterations per digit of the first solve after it was built
  double excess_ = 0;      // iterations spent above the baseline since
  int builds_ = 0;
};

// The kind that `automatic` stands for, from the number of vertices of the whole scene; any other kind is itself.
PreconditionerKind choose_preconditioner(PreconditionerKind requested, PetscInt vertices, bool reproducible = false);

}  // namespace traction
