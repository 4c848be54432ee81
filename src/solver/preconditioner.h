// The preconditioner of the Newton systems: assembled 3x3 blocks of the stage's Jacobian, kept over Newton iterations and steps for as long as they are useful
// (docs/theory/newton.md, "Preconditioners").
#pragma once

#include <petscksp.h>

#include <memory>
#include <optional>
#include <string>

#include "parallel/petsc_handle.h"
#include "solver/block_diagonal.h"
#include "solver/default_options.h"
#include "solver/dense_factor.h"
#include "solver/rank_one_correction.h"
#include "solver/solver_choice.h"
#include "solver/solver_settings.h"
#include "solver/sparse_factor.h"
#include "system/stage_matrix.h"

namespace traction {

/// Assembles and keeps the preconditioner of a linear system.
class Preconditioner {
 public:
  /// `reproducible`: the order of arithmetic does not depend on the order in which messages arrive.
  Preconditioner(StageEquation& equation, PreconditionerKind kind, bool reproducible = false);
  ~Preconditioner();
  Preconditioner(const Preconditioner&) = delete;
  Preconditioner& operator=(const Preconditioner&) = delete;

  /// Sets the type of `pc` and chooses default options for its solver. @collective
  void configure(PC pc);
  /// Default options, which the command line's options override. A Scope of them must exist while options are read: during SetFromOptions, set-up and solve.
  PreconditionerKind kind() const { return kind_; }  ///< not automatic
  const DefaultOptions& default_options() const { return default_options_; }
  /// Called after the options are read: puts the correction for rank-one terms around the preconditioner of `ksp`, and returns the matrix from which it is
  /// built, `shell` if it needs none. This object must outlive the use of `ksp`. @collective
  Mat attach(KSP ksp, Mat shell);

  /// Called at every linearization: assembles the blocks there if the kept ones are no longer useful, and returns whether it did. @collective
  bool update(bool always);
  /// The number of iterations after which a linear solve that should reduce its residual by `reduction` is given up, because the blocks that it kept from
  /// another linearization have become useless. It is at most `limit`, the number for fresh blocks.
  int most_iterations(double reduction, int limit) const;
  /// Reports the cost of the last linear solve, which reduced its residual by `reduction`; decides about the next update.
  void report(int iterations, double reduction, bool converged);
  /// Makes the next update assemble. Returns false, and does nothing, if the preconditioner is fresh.
  bool discard();
  /// Makes the next update assemble, because the matrix has changed much.
  void outdate();
  /// Forgets the data from which it was built, so that later results do not depend on earlier steps.
  void forget();

  /// Calls RankOneCorrection::correct; false if no correction exists.
  bool correct_quantities(Vec v, Vec trial) { return correction_ && correction_->correct(v, trial); }

  int builds() const { return builds_; }
  /// The number of builds in double precision, where single precision did not suffice (docs/theory/newton.md, "Precision of the factor").
  int double_builds() const { return double_builds_; }
  /// The costs of building and of an iteration. The unit is two products with the matrix and two applications of its diagonal blocks.
  SolverChoice::Costs costs() const;

 private:
  static PetscErrorCode solve_with_factor(PC shell, Vec x, Vec y);
  void fill_petsc();
  void attach_rigid_body_modes();
  void factorize();
  bool judge_precision(double iterations_per_digit);

  StageEquation& equation_;
  PreconditionerKind kind_;
  bool reproducible_;
  DefaultOptions default_options_;
  StageMatrix matrix_;
  PetscHandle<Mat> petsc_;  ///< the matrix in PETSc's format
  /// The factor of `mumps_single`: a sparse one in one of both precisions, or the dense one while neither exists. dense_ is empty for other kinds.
  std::optional<DenseFactor> dense_;
  std::optional<SparseFactor<float>> single_;
  std::optional<SparseFactor<double>> double_;
  std::optional<BlockDiagonal> blocks_;
  std::optional<RankOneCorrection> correction_;
  bool valid_ = false;
  bool fresh_ = false;     ///< built, and not yet used at another linearization
  double built_step_ = 0;  ///< a h of the stage for which it was built
  double baseline_ = -1;   ///< iterations per digit of the first solve after it was built
  double excess_ = 0;      ///< iterations above the baseline since then
  int builds_ = 0, double_builds_ = 0;
  bool chooses_precision_;     ///< whether double precision may take over
  bool takes_double_ = false;  ///< the precision of the next build
  double poor_;                ///< the iterations per digit with a fresh factor above which double precision is tried
  double rate_in_single_ = 0;  ///< the iterations per digit because of which double precision took over
};

/// Whether a force of the system couples vertices so strongly that a preconditioner needs the couplings.
bool needs_couplings(const System& system);

/// Resolves `automatic` by the number of vertices of the whole scene; returns any other kind unchanged.
PreconditionerKind choose_preconditioner(PreconditionerKind requested, PetscInt vertices, bool reproducible = false);

/// The Krylov method for a preconditioner, which is not automatic, unless one is requested: BiCGSTAB applies it twice per iteration, but reduces and keeps few
/// vectors and never restarts (docs/solver.md, "Measured: Krylov methods").
KrylovMethod choose_krylov(KrylovMethod requested, PreconditionerKind preconditioner);

}  // namespace traction
