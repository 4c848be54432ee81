#include "solver/preconditioner.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "parallel/log_event.h"

namespace traction {

namespace {

PetscErrorCode solve_with_blocks(PC shell, Vec x, Vec y) {
  void* context = nullptr;
  PetscCall(PCShellGetContext(shell, &context));
  static_cast<BlockDiagonal*>(context)->solve(x, y);
  return 0;
}

void set_shell(PC pc, void* context, PetscErrorCode (*apply)(PC, Vec, Vec), const char* name) {
  check_petsc(PCSetType(pc, PCSHELL));
  check_petsc(PCShellSetContext(pc, context));
  check_petsc(PCShellSetApply(pc, apply));
  check_petsc(PCShellSetName(pc, name));
}

// The cost of building, in iterations of the linear solver: kept blocks are discarded once they have cost more than that. It is counted, not timed, so that two
// runs of a scene take the same decisions.
int build_cost(PreconditionerKind kind) {
  switch (kind) {
    case PreconditionerKind::gamg:
    case PreconditionerKind::hypre:
    case PreconditionerKind::ml: return 15;
    case PreconditionerKind::mumps_single: return 20;
    case PreconditionerKind::block_jacobi: return 2;
    default: return 10;
  }
}

// A solve with kept blocks is given up when it has cost this multiple of what new blocks and a solve with them would have cost.
constexpr int kGivenUp = 4;

// Double precision is tried once a solve with a fresh factor in single precision takes more iterations per digit than this. It is kept if it divides them by
// the second number, at least. Such a solve is given up at the third number times the bound.
constexpr double kPoorPerDigit = 10;
constexpr double kWorthDouble = 2;
constexpr double kHopeless = 8;
constexpr double kDearerInDouble = 2;  // costs of a factor in double precision, relative to one in single precision

double digits_of(double reduction) { return std::max(1.0, -std::log10(reduction)); }

// Whether the preconditioner is built from a matrix that couples bodies in contact. This saved iterations in all measured cases, but with ml it costs half as
// many again where cloth lies on a limb.
bool couples_bodies(PreconditionerKind kind) { return kind != PreconditionerKind::ml; }

}  // namespace

bool needs_couplings(const System& system) {
  return std::any_of(system.forces().begin(), system.forces().end(),
                     [](const auto& force) { return force->assembly() && force->assembly()->needs_couplings(); });
}

PreconditionerKind choose_preconditioner(PreconditionerKind requested, PetscInt vertices, bool reproducible) {
  if (requested != PreconditionerKind::automatic) return requested;
  constexpr PetscInt kDirectLimit = 80000;
  if (vertices < kDirectLimit) return PreconditionerKind::mumps_single;
  return reproducible ? PreconditionerKind::hypre : PreconditionerKind::ml;
}

KrylovMethod choose_krylov(KrylovMethod requested, PreconditionerKind preconditioner) {
  if (requested != KrylovMethod::automatic) return requested;
  switch (preconditioner) {
    case PreconditionerKind::none:
    case PreconditionerKind::block_jacobi:
    case PreconditionerKind::ilu:
    case PreconditionerKind::asm_ilu: return KrylovMethod::bicgstab;
    default: return KrylovMethod::fgmres;
  }
}

Preconditioner::Preconditioner(StageEquation& equation, PreconditionerKind kind, bool reproducible)
    : equation_(equation),
      kind_(choose_preconditioner(kind, equation.system().halo().global_count(), reproducible)),
      reproducible_(reproducible),
      matrix_(equation, couples_bodies(kind_) || needs_couplings(equation.system())),
      chooses_precision_(kind == PreconditionerKind::automatic && kind_ == PreconditionerKind::mumps_single),
      poor_(kPoorPerDigit) {}

Preconditioner::~Preconditioner() = default;

PetscErrorCode Preconditioner::solve_with_factor(PC shell, Vec x, Vec y) {
  void* context = nullptr;
  PetscCall(PCShellGetContext(shell, &context));
  static const LogEvent event("FactorSolve");
  const LogEvent::Scope timed(event);
  auto* self = static_cast<Preconditioner*>(context);
  if (self->double_) self->double_->solve(x, y);
  else if (self->single_) self->single_->solve(x, y);
  else self->dense_->solve(x, y);
  return 0;
}

void Preconditioner::configure(PC pc) {
  auto option = [&](const char* name, const char* value) { default_options_.add(name, value); };
  switch (kind_) {
    case PreconditionerKind::none: check_petsc(PCSetType(pc, PCNONE)); break;
    case PreconditionerKind::block_jacobi:
      blocks_.emplace(matrix_);
      set_shell(pc, &*blocks_, petsc_callback<&solve_with_blocks>, "blocks of vertices");
      break;
    case PreconditionerKind::ilu:
      check_petsc(PCSetType(pc, PCBJACOBI));
      option("-sub_pc_type", "ilu");
      option("-sub_pc_factor_levels", "1");
      break;
    case PreconditionerKind::asm_ilu:
      check_petsc(PCSetType(pc, PCASM));
      option("-sub_pc_type", "ilu");
      option("-sub_pc_factor_levels", "1");
      break;
    case PreconditionerKind::gamg:
      check_petsc(PCSetType(pc, PCGAMG));
      option("-pc_gamg_threshold", "0.01");
      option("-pc_use_amat", "false");  // smoothing uses the assembled matrix, instead of five times as many exact products
      break;
    case PreconditionerKind::ml:
      check_petsc(PCSetType(pc, PCML));
      option("-pc_use_amat", "false");
      option("-pc_mg_cycle_type", "w");
      break;
    case PreconditionerKind::hypre:
      check_petsc(PCSetType(pc, PCHYPRE));
      option("-pc_hypre_type", "boomeramg");
      option("-pc_hypre_boomeramg_strong_threshold", "0.25");
      option("-pc_hypre_boomeramg_coarsen_type", "HMIS");
      option("-pc_hypre_boomeramg_interp_type", "ext+i");
      option("-pc_hypre_boomeramg_P_max", "4");
      option("-pc_hypre_boomeramg_relax_type_all", "SOR/Jacobi");
      break;
    case PreconditionerKind::mumps_single:
      dense_.emplace(matrix_);
      set_shell(pc, this, petsc_callback<&Preconditioner::solve_with_factor>, "MUMPS in single precision, or in double precision where that does not suffice");
      break;
    default:
      check_petsc(PCSetType(pc, PCLU));
      check_petsc(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
      option("-mat_mumps_icntl_14", "60");  // room for pivoting, in percent
      break;
  }
}

Mat Preconditioner::attach(KSP ksp, Mat shell) {
  PC pc = nullptr;
  PetscBool own = PETSC_FALSE, none = PETSC_FALSE, correct = PETSC_TRUE;
  check_petsc(KSPGetPC(ksp, &pc));
  check_petsc(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(pc), PCSHELL, &own));
  check_petsc(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(pc), PCNONE, &none));
  check_petsc(PetscOptionsGetBool(nullptr, nullptr, "-pc_rank_one", &correct, nullptr));
  if (correct && !none && equation_.rank_one_count() > 0) correction_.emplace(equation_, ksp);
  if (own) return shell;
  dense_.reset();
  blocks_.reset();
  chooses_precision_ = false;
  petsc_ = matrix_.create_petsc();
  attach_rigid_body_modes();
  return petsc_;
}

void Preconditioner::fill_petsc() {
  if (matrix_.assemble()) matrix_.preallocate(petsc_);
  matrix_.for_each_row([&](PetscInt row, const std::vector<PetscInt>& columns, const std::vector<Mat3>& blocks) { set_row(petsc_, row, columns, blocks); });
  check_petsc(MatAssemblyBegin(petsc_, MAT_FINAL_ASSEMBLY));
  check_petsc(MatAssemblyEnd(petsc_, MAT_FINAL_ASSEMBLY));
}

void Preconditioner::attach_rigid_body_modes() {
  PetscHandle<Vec> coordinates;
  check_petsc(MatCreateVecs(petsc_, coordinates.receive(), nullptr));
  check_petsc(VecSetBlockSize(coordinates, 3));
  PetscScalar* values = nullptr;
  check_petsc(VecGetArray(coordinates, &values));
  const std::vector<Vec3>& rest = equation_.system().mesh().vertices;
  for (int i = 0; i < equation_.system().halo().owned(); ++i) Eigen::Map<Vec3>(values + 3 * i) = rest[i];
  check_petsc(VecRestoreArray(coordinates, &values));
  PetscHandle<MatNullSpace> modes;
  check_petsc(MatNullSpaceCreateRigidBody(coordinates, modes.receive()));
  check_petsc(MatSetNearNullSpace(petsc_, modes));
}

bool Preconditioner::update(bool always) {
  if (kind_ == PreconditionerKind::none && valid_) return false;
  const double step = equation_.stage().step;
  // Largest ratio of steps for which blocks are still useful. The stages of TR-BDF2, with ratio 4 : 3, share theirs.
  constexpr double kSimilarSteps = 1.5;
  const bool similar_step = valid_ && step < kSimilarSteps * built_step_ && built_step_ < kSimilarSteps * step;
  if (!always && similar_step && excess_ <= build_cost(kind_)) {
    fresh_ = false;
    return false;
  }
  if (dense_) factorize();
  else if (blocks_) blocks_->invert();
  else fill_petsc();
  valid_ = fresh_ = true;
  built_step_ = step;
  baseline_ = -1;
  excess_ = 0;
  ++builds_;
  return true;
}

// A matrix that is singular in single precision may not be so in double precision.
void Preconditioner::factorize() {
  static const LogEvent event("Factorize");
  const LogEvent::Scope timed(event);
  const bool has_new_pattern = matrix_.assemble();
  if (dense_->suits() && dense_->factorize()) {
    single_.reset();
    double_.reset();
    return;
  }
  if (takes_double_ ? !double_ : !single_) {
    single_.reset();
    double_.reset();
    if (takes_double_) double_.emplace(matrix_, reproducible_);
    else single_.emplace(matrix_, reproducible_);
  }
  if (single_ && !single_->factorize(has_new_pattern)) {
    if (!chooses_precision_) return single_->warn_of_failure();
    takes_double_ = true;
    rate_in_single_ = std::numeric_limits<double>::infinity();
    single_.reset();
    double_.emplace(matrix_, reproducible_);
  }
  if (!double_) return;
  ++double_builds_;
  if (!double_->factorize(has_new_pattern)) double_->warn_of_failure();
}

// Decides by the first solve with a factor whether the next factor should have the other precision; returns whether the present one should be replaced at once.
// After each trial of double precision that does not gain enough, the bound for the next one is twice as high.
bool Preconditioner::judge_precision(double iterations_per_digit) {
  if (!chooses_precision_) return false;
  if (single_ && iterations_per_digit > poor_) {
    rate_in_single_ = iterations_per_digit;
    return takes_double_ = true;
  }
  if (double_ && !(kWorthDouble * iterations_per_digit < rate_in_single_)) {
    poor_ *= 2;
    takes_double_ = false;
  }
  return false;
}

int Preconditioner::most_iterations(double reduction, int limit) const {
  if (fresh_ && chooses_precision_ && single_) return std::min<int>(limit, static_cast<int>(kHopeless * poor_ * digits_of(reduction)));
  if (fresh_ || baseline_ < 0 || kind_ == PreconditionerKind::none) return limit;
  return std::min<int>(limit, kGivenUp * (build_cost(kind_) + static_cast<int>(std::ceil(baseline_ * digits_of(reduction)))));
}

void Preconditioner::report(int iterations, double reduction, bool converged) {
  const double digits = digits_of(reduction);
  const bool is_first = baseline_ < 0;
  if (is_first) baseline_ = iterations / digits;
  else excess_ += std::max(0.0, iterations - std::max(1.0, baseline_ * digits));
  if (!converged) excess_ += build_cost(kind_) + 1;
  if (!is_first || !judge_precision(converged ? baseline_ : std::numeric_limits<double>::infinity())) return;
  outdate();
  fresh_ = false;
}

// Fitted to measurements (docs/solver.md, "Measured: choice of preconditioner").
SolverChoice::Costs Preconditioner::costs() const {
  if (kind_ != PreconditionerKind::mumps_single) return {105, 7};  // multigrid, at any number of ranks
  int ranks = 1;
  MPI_Comm_size(equation_.system().communicator(), &ranks);
  const FactorCounts counts = single_ ? single_->counts() : double_ ? double_->counts() : dense_ ? dense_->counts() : FactorCounts{};
  const double dearer = double_ ? kDearerInDouble : 1;
  constexpr double kEntriesOfFactor = 13;  // for solids
  const double vertices = equation_.system().halo().global_count();
  const double operations = counts.operations > 0 ? counts.operations / counts.matrix_entries : 5400 * std::pow(vertices / 2800, 0.9);
  const double entries = counts.entries > 0 ? counts.entries / counts.matrix_entries : kEntriesOfFactor;
  return {dearer * 5 * std::pow(operations, 0.43) * std::pow(ranks, 0.26), dearer * std::min(entries, kEntriesOfFactor) * std::pow(ranks, 0.67)};
}

void Preconditioner::forget() {
  valid_ = fresh_ = takes_double_ = false;
  poor_ = kPoorPerDigit;
}

bool Preconditioner::discard() {
  if (fresh_) return false;
  outdate();
  return true;
}

void Preconditioner::outdate() { excess_ = build_cost(kind_) + 1; }

}  // namespace traction
