// Damped Newton's method for one implicit stage (docs/theory/newton.md, "Inexact Newton"), with a Krylov method (P0 Algorithm 2) or a direct solver (P0
// Algorithm 1).
#pragma once

#include <petscsnes.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "parallel/petsc_calls.h"
#include "parallel/petsc_handle.h"
#include "solver/interruption.h"
#include "solver/linear_solver.h"
#include "solver/solver_choice.h"
#include "solver/vertex_elimination.h"

namespace traction {

/// The result of Newton's method, and its cost.
struct NewtonReport {
  bool converged = false;
  int newton_iterations = 0;
  long linear_iterations = 0;
  int eliminations = 0;  ///< iterates that were improved by solving for vertices in contact only
  double residual = 0;   ///< velocity error of the last iterate [m/s]
  std::string reason;    ///< why the solve failed
};

/// A low-rank change + U W^T of a matrix, with columns u_k and w_k that are zero on driven vertices.
struct LowRankUpdate {
  std::vector<Vec> u, w;
};

/// Solves the equation of a stage for the velocities at its end [m/s].
class NewtonSolver {
 public:
  /// Collective; throws InputError on all ranks when PETSc refuses an option. PETSc's options database overrides every setting (-ksp_type, -pc_type,
  /// -snes_monitor, ...) but the linear tolerance, which is the forcing.
  NewtonSolver(StageEquation& equation, const SolverSettings& settings);
  ~NewtonSolver();
  NewtonSolver(const NewtonSolver&) = delete;
  NewtonSolver& operator=(const NewtonSolver&) = delete;

  /// Performs one iteration of the equation's stage from v = 0, and forgets it, so that options which PETSc refuses are detected before a run begins. Throws
  /// InputError on all ranks. @collective
  void rehearse();

  /// `interruption` is called before each iteration.
  void set_interruption(Interruption interruption) { interruption_ = std::move(interruption); }

  /// Solves the equation's stage from the guess with the smallest residual, preferring the first unless its residual is more than twice that (driven vertices'
  /// entries are set first). On success `solution` is the root; guesses are overwritten. Throws SolverError if PETSc fails, Interrupted after a signal, both on
  /// all ranks. @collective
  NewtonReport solve(std::span<Vec> guesses, Vec solution);

  /// Must be called when other vertices are held than before.
  void outdate_preconditioner();

  /// Called before the stages of a step: with `reproducible` nothing is kept from previous steps.
  void begin_step();

  /// Solves (A + U W^T) solution = right_side, A = dr/dv where the equation was last linearized, to a relative residual of 1e-11: one Newton iteration of a
  /// semi-implicit scheme. Direct solves (`method: newton`) solve with A alone, by the formula of Sherman, Morrison and Woodbury; iterative ones multiply with
  /// the sum. @collective
  NewtonReport solve_linear(Vec right_side, const LowRankUpdate& update, Vec solution);

  /// From now on trials are also judged by the stresses that their step foretells (docs/theory/newton.md, "Foretold stresses"); returns whether any force has
  /// such, which those of shells and rods have. On from the start without inertia and with rods.
  bool foretell_stresses();
  /// Replaces the tolerances of the settings from now on.
  void set_tolerances(double tolerance, double relative_tolerance) { settings_.tolerance = tolerance, settings_.relative_tolerance = relative_tolerance; }

  double tolerance() const { return settings_.tolerance; }  ///< [m/s]

  const Preconditioner& preconditioner() const { return strong_->preconditioner(); }
  /// Number of linear solves that used the blocks of vertices instead, by choice.
  long cheap_solves() const { return cheap_solves_; }

 private:
  /// Throws SolverError with PETSc's message if `calls` fail on any rank. @collective
  void call_petsc(const std::function<PetscErrorCode()>& calls) const;
  static PetscErrorCode function(SNES, Vec v, Vec residual, void* self);
  void set_from_options();
  void set_callbacks(KSP ksp);
  void add_cheap();
  bool may_choose() const;
  void use(LinearSolver& solver);
  PetscErrorCode solve_with_strong(Vec right_side, Vec solution, double tolerance);
  StageEquation::Defect defect(Vec v, Vec residual) const { return equation_.defect(v, residual, settings_.tolerance, settings_.relative_tolerance); }
  bool solve_with_operator(Vec right_side, Vec solution, std::string& reason);
  PetscErrorCode set_forcing(SNES snes);
  std::string blame_on_preconditioner() const;
  void set_primal_dual(bool on);
  static PetscErrorCode jacobian(SNES snes, Vec v, Mat, Mat, void* self);
  static PetscErrorCode product(Mat matrix, Vec direction, Vec result);
  static PetscErrorCode test_convergence(SNES snes, PetscInt iteration, PetscReal, PetscReal, PetscReal norm, SNESConvergedReason* reason, void* self);
  PetscErrorCode try_step(Vec trial, Vec trial_residual, PetscReal& norm);
  PetscErrorCode try_corrected(Vec v, Vec y, PetscReal alpha, Vec trial, Vec trial_residual, PetscReal& norm);
  bool has_stalled(double norm);
  PetscErrorCode try_foretold(Vec trial, Vec trial_residual, PetscReal& merit);
  static PetscErrorCode line_search(SNESLineSearch search, void* self);
  static PetscErrorCode before_linear_solve(KSP ksp, Vec, Vec, void* self);
  static PetscErrorCode after_linear_solve(KSP ksp, Vec, Vec, void* self);

  StageEquation& equation_;
  SolverSettings settings_;
  PetscCalls petsc_calls_;
  Interruption interruption_;  ///< may be empty
  int signal_ = 0;             ///< the signal that the interruption has returned
  bool rehearses_ = false;
  PetscHandle<SNES> snes_;
  PetscHandle<Mat> operator_;
  std::optional<LinearSolver> strong_, cheap_;  ///< the preconditioner of the settings, and the blocks of vertices if `choice_` is present
  std::optional<SolverChoice> choice_;
  LinearSolver* active_ = nullptr;
  bool rebuilt_ = false;  ///< whether the active preconditioner was built for the present solve
  long cheap_solves_ = 0;
  int cheap_since_strong_ = 0;             ///< cheap solves since the last strong one
  const LowRankUpdate* update_ = nullptr;  ///< added to the operator
  PetscHandle<Vec> residual_, trial_residual_, corrected_, corrected_residual_;
  std::optional<VertexElimination> elimination_;  ///< present if the settings ask for it
  StageEquation::Defect defect_;                  ///< at the last convergence test
  double last_norm_ = 0;                          ///< norm of the residual at the previous iteration [kg m/s]
  long linear_iterations_ = 0;
  std::vector<Vec3> held_aside_;  ///< right sides of the solve in progress along directions in which vertices are held in part
  bool primal_dual_ = false;      ///< set after an iteration that reduced the residual too little
  bool careful_ = false;
  std::vector<double> last_norms_;     ///< norms of the residuals in this solve
  bool foretells_ = false;             ///< whether trials are judged by foretold stresses, too
  double foretold_share_ = 1;          ///< share of the last iterate's residual that foretold stresses would leave
  bool primal_dual_just_set_ = false;  ///< set by the last line search
};

}  // namespace traction
