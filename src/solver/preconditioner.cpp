#include "solver/preconditioner.h"

#include <algorithm>
#include <cmath>

namespace traction {

namespace {

// What building costs, in iterations of the linear solver: the kept blocks are thrown away once they have cost more than that. Counted, not timed, so
// that two runs of a scene take the same decisions.
int build_cost(PreconditionerKind kind) {
  switch (kind) {
    case PreconditionerKind::gamg:
    case PreconditionerKind::hypre: return 15;
    default: return 10;
  }
}

}  // namespace

PreconditionerKind choose_preconditioner(PreconditionerKind requested, PetscInt vertices) {
  if (requested != PreconditionerKind::automatic) return requested;
  constexpr PetscInt kDirectLimit = 150000;
  return vertices < kDirectLimit ? PreconditionerKind::mumps : PreconditionerKind::gamg;
}

Preconditioner::Preconditioner(StageEquation& equation, PreconditionerKind kind)
    : equation_(equation),
      kind_(choose_preconditioner(kind, equation.system().halo().global_count())),
      blocks_(equation.system().mesh().halo, equation.system().mesh().tetrahedra),
      matrix_(blocks_.create_petsc()) {}

Preconditioner::~Preconditioner() { MatDestroy(&matrix_); }

void Preconditioner::configure(PC pc) const {
  const MPI_Comm communicator = equation_.system().communicator();
  auto check = [&](PetscErrorCode error) { PetscCallAbort(communicator, error); };
  auto option = [&](const char* name, const char* value) {   // a default: what the user gave stays
    PetscBool given = PETSC_FALSE;
    check(PetscOptionsHasName(nullptr, nullptr, name, &given));
    if (!given) check(PetscOptionsSetValue(nullptr, name, value));
  };
  switch (kind_) {
    case PreconditionerKind::none: check(PCSetType(pc, PCNONE)); break;
    case PreconditionerKind::block_jacobi: check(PCSetType(pc, PCPBJACOBI)); break;
    case PreconditionerKind::ilu:
      check(PCSetType(pc, PCBJACOBI));
      option("-sub_pc_type", "ilu");
      option("-sub_pc_factor_levels", "1");
      break;
    case PreconditionerKind::asm_ilu:
      check(PCSetType(pc, PCASM));
      option("-sub_pc_type", "ilu");
      option("-sub_pc_factor_levels", "1");
      break;
    case PreconditionerKind::gamg:
      check(PCSetType(pc, PCGAMG));
      option("-pc_gamg_threshold", "0.01");
      break;
    case PreconditionerKind::hypre:
      check(PCSetType(pc, PCHYPRE));
      option("-pc_hypre_type", "boomeramg");
      option("-pc_hypre_boomeramg_nodal_coarsen", "6");
      option("-pc_hypre_boomeramg_vec_interp_variant", "3");
      break;
    default:
      check(PCSetType(pc, PCLU));
      check(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
      option("-mat_mumps_icntl_14", "60");   // room for pivoting, in percent
      break;
  }
}

void Preconditioner::attach_rigid_body_modes() {
  Vec coordinates = nullptr;
  PetscCallAbort(equation_.system().communicator(), MatCreateVecs(matrix_, &coordinates, nullptr));
  PetscCallAbort(equation_.system().communicator(), VecSetBlockSize(coordinates, 3));
  PetscScalar* values = nullptr;
  PetscCallAbort(equation_.system().communicator(), VecGetArray(coordinates, &values));
  const std::vector<Vec3>& rest = equation_.system().mesh().vertices;
  for (int i = 0; i < equation_.system().halo().owned(); ++i) Eigen::Map<Vec3>(values + 3 * i) = rest[i];
  PetscCallAbort(equation_.system().communicator(), VecRestoreArray(coordinates, &values));
  MatNullSpace modes = nullptr;
  PetscCallAbort(equation_.system().communicator(), MatNullSpaceCreateRigidBody(coordinates, &modes));
  PetscCallAbort(equation_.system().communicator(), MatSetNearNullSpace(matrix_, modes));
  PetscCallAbort(equation_.system().communicator(), MatNullSpaceDestroy(&modes));
  PetscCallAbort(equation_.system().communicator(), VecDestroy(&coordinates));
}

bool Preconditioner::update(bool always) {
  if (kind_ == PreconditionerKind::none && valid_) return false;
  const double step = equation_.stage().step;
  // Beyond that ratio blocks are of little use. The stages of TR-BDF2, 4 : 3, share theirs.
  constexpr double kSimilarSteps = 1.5;
  const bool similar_step = valid_ && step < kSimilarSteps * built_step_ && built_step_ < kSimilarSteps * step;
  if (!always && similar_step && excess_ <= build_cost(kind_)) {
    fresh_ = false;
    return false;
  }
  equation_.blocks(blocks_);
  blocks_.copy_to(matrix_);
  if (!valid_) attach_rigid_body_modes();
  valid_ = fresh_ = true;
  built_step_ = step;
  baseline_ = -1;
  excess_ = 0;
  ++builds_;
  return true;
}

void Preconditioner::report(int iterations, double reduction, bool converged) {
  const double digits = std::max(1.0, -std::log10(reduction));
  if (baseline_ < 0) baseline_ = iterations / digits;
  else excess_ += std::max(0.0, iterations - std::max(1.0, baseline_ * digits));
  if (!converged) excess_ += build_cost(kind_) + 1;
}

bool Preconditioner::discard() {
  if (fresh_) return false;
  excess_ = build_cost(kind_) + 1;
  return true;
}

}  // namespace traction
