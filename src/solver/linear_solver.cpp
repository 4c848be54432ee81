#include "solver/linear_solver.h"

namespace traction {

namespace {

constexpr double kDirectTolerance = 1e-10;  // for the linear solves of `method: newton`
constexpr int kDirectRestart = 200;         // vectors of their GMRES

PetscHandle<KSP> shared(KSP ksp) {
  check_petsc(PetscObjectReference(reinterpret_cast<PetscObject>(ksp)));
  return PetscHandle<KSP>(ksp);
}

}  // namespace

LinearSolver::LinearSolver(StageEquation& equation, const SolverSettings& settings, PreconditionerKind kind, KSP ksp)
    : ksp_(shared(ksp)), preconditioner_(equation, kind, settings.reproducible) {
  check_petsc(KSPSetPCSide(ksp, PC_RIGHT));
  check_petsc(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
  if (settings.method == NewtonMethod::newton) {
    // The factor contains the exact blocks, and the preconditioner the volume penalty's rank-one term; GMRES adds the rest: the rotation of contact with the
    // surface.
    check_petsc(KSPSetType(ksp, KSPGMRES));
    check_petsc(KSPGMRESSetRestart(ksp, kDirectRestart));
    check_petsc(KSPSetTolerances(ksp, kDirectTolerance, PETSC_DEFAULT, PETSC_DEFAULT, settings.maximum_linear_iterations));
  } else {
    check_petsc(KSPSetType(ksp, choose_krylov(settings.krylov, preconditioner_.kind()) == KrylovMethod::bicgstab ? KSPBCGS : KSPFGMRES));
    check_petsc(KSPGMRESSetRestart(ksp, settings.restart));
    check_petsc(KSPSetTolerances(ksp, settings.forcing, PETSC_DEFAULT, PETSC_DEFAULT, settings.maximum_linear_iterations));
  }
  PC pc = nullptr;
  check_petsc(KSPGetPC(ksp, &pc));
  preconditioner_.configure(pc);
}

void LinearSolver::attach(Mat shell) {
  PetscInt most = 0;
  check_petsc(KSPGetTolerances(ksp_, nullptr, nullptr, nullptr, &most));
  most_iterations_ = static_cast<int>(most);
  matrix_ = preconditioner_.attach(ksp_, shell);
}

bool LinearSolver::prepare(bool always, double tolerance, int limit) {
  const bool rebuilt = preconditioner_.update(always);
  const int most = preconditioner_.most_iterations(tolerance, limit);
  check_petsc(KSPSetTolerances(ksp_, tolerance, PETSC_DEFAULT, PETSC_DEFAULT, most));
  return rebuilt;
}

}  // namespace traction
