#include "solver/instability.h"

#include <petscksp.h>
#include <slepceps.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "parallel/collective.h"
#include "parallel/log_event.h"
#include "parallel/petsc_handle.h"
#include "solver/default_options.h"
#include "system/body_motion.h"
#include "system/stage_matrix.h"

namespace traction {

namespace {

constexpr double kEigenvalueTolerance = 0.01;  // relative tolerance for eigenvalues of the inverse, of which only the sign matters
constexpr int kCycles = 3;                     // number of cycles of Arnoldi's method with 16 vectors each; a single negative eigenvalue converges in the first
constexpr int kMostMotions = 6;                // number of motions that are sought: those of a pinned column at ten times its critical load, in both directions
constexpr double kLeastPart = 1e-3;            // share of a difference; a smaller part along the motions may be due to their errors
constexpr double kNegligible = 1e-12;  // relative to the largest quotient of A and M along single unknowns; the sign of smaller values may be due to rounding
constexpr double kUnbalanced = 2;      // multiple of what the forces that are left without balance may do along a motion

// Multiplies vectors by B = M^1/2 A^-1 M^1/2, which is symmetric where A is.
class StabilityCheck {
 public:
  StabilityCheck(StageEquation& equation, const State& at) : equation_(equation), at_(at), unbalanced_(system().halo().local()) {
    system().force(at, unbalanced_);
    system().linearize_foretold(false);
    equation_.linearize(at);
    StageMatrix stage(equation_, true);
    stage.assemble();
    matrix_ = stage.create_petsc();
    stage.preallocate(matrix_);
    stage.for_each_row([&](PetscInt row, const std::vector<PetscInt>& columns, const std::vector<Mat3>& blocks) { set_row(matrix_, row, columns, blocks); });
    check_petsc(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY));
    check_petsc(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY));
    check_petsc(MatCreateVecs(matrix_, work_.receive(), root_mass_.receive()));
    check_petsc(VecDuplicate(work_, product_.receive()));
    for_each_owned(root_mass_, [&](int i, auto value) { value.setConstant(std::sqrt(system().effective_mass()[i])); });
  }
  StabilityCheck(const StabilityCheck&) = delete;
  StabilityCheck& operator=(const StabilityCheck&) = delete;

  std::optional<UnstableMotion> find(const Field& toward) {
    if (!factorize()) return {};
    while (static_cast<int>(found_.size()) < kMostMotions && search() && quotient() < 0) {
      check_petsc(VecDuplicate(work_, found_.emplace_back().receive()));
      check_petsc(VecCopy(work_, found_.back()));
    }
    if (found_.empty()) return {};
    combine(toward);
    // A = M - s h (h df/dq + df/dv), so lambda = 1 - s h^2 sigma^2 where no forces depend on velocities.
    UnstableMotion motion{Field(system().halo().local()), std::sqrt((1 - quotient()) / (equation_.impulse() * equation_.stage().step))};
    check_petsc(VecPointwiseDivide(work_, work_, root_mass_));
    for_each_owned(work_, [&](int i, auto value) { motion.direction[i] = value; });
    return motion;
  }

 private:
  const System& system() const { return equation_.system(); }

  template <typename Action>
  void for_each_owned(Vec vector, Action action) {
    PetscScalar* values = nullptr;
    check_petsc(VecGetArray(vector, &values));
    for (int i = 0; i < system().halo().owned(); ++i) action(i, Eigen::Map<Vec3>(values + 3 * i));
    check_petsc(VecRestoreArray(vector, &values));
  }

  bool factorize() {
    PC pc = nullptr;
    check_petsc(KSPCreate(system().communicator(), ksp_.receive()));
    check_petsc(KSPSetOptionsPrefix(ksp_, "stability_"));
    check_petsc(KSPSetOperators(ksp_, matrix_, matrix_));
    check_petsc(KSPSetType(ksp_, KSPPREONLY));
    check_petsc(KSPGetPC(ksp_, &pc));
    check_petsc(PCSetType(pc, PCLU));
    check_petsc(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
    DefaultOptions defaults;
    defaults.add("-stability_mat_mumps_icntl_14", "300");  // MUMPS greatly underestimates its memory for small bodies on several ranks
    const DefaultOptions::Scope options(defaults);
    check_petsc(KSPSetFromOptions(ksp_));
    check_petsc(PCSetUp(pc));
    PCFailedReason failure = PC_NOERROR;
    check_petsc(PCGetFailedReason(pc, &failure));
    return failure == PC_NOERROR;
  }

  // lambda of the motion M^-1/2 work_ by the exact product; 0 if it is positive, or may be due to rounding or to forces that are not in balance. Leaves work_
  // with length 1, free of what is held.
  double quotient() {
    PetscScalar stiffness = 0;
    PetscHandle<Vec> motion;
    for_each_owned(work_, [&](int i, auto value) { value = system().held().free_part(i, Vec3(value)).eval(); });
    check_petsc(VecNormalize(work_, nullptr));
    check_petsc(VecDuplicate(work_, motion.receive()));
    check_petsc(VecPointwiseDivide(motion, work_, root_mass_));
    equation_.product(motion, product_);
    check_petsc(VecDot(motion, product_, &stiffness));
    return stiffness < 0 && stiffness < -kNegligible * largest_quotient() && stiffness < -kUnbalanced * imbalance(motion) ? stiffness : 0;
  }

  // What the forces that are left without balance may add to the quotient of a motion that turns bodies by w, because they do not turn with these: each moves
  // by w x u / 2 to second order, with u the motion. A bar that hangs on a ball joint may turn about itself; but for this nothing would resist or drive it.
  double imbalance(Vec motion) {
    Field moved(system().halo().local());
    for_each_owned(motion, [&](int i, auto value) { moved[i] = value; });
    system().exchange(moved);
    const std::vector<BodyMotion> turns = body_motions(system(), at_.q, moved);
    double sum = 0;
    for (std::size_t b = 0; b < turns.size(); ++b)
      for (const int vertex : system().bodies()[b])
        sum += std::abs(system().held().free_part(vertex, unbalanced_[vertex]).dot(turns[b].angular_velocity.cross(moved[vertex])));
    return equation_.impulse() * equation_.stage().step * sum_over_ranks(system().communicator(), sum);
  }

  // Several motions may be unstable at once, in equal measure if a column is round: takes that part of them which leads towards the difference `toward`, or the
  // first if that part is small or not unstable.
  void combine(const Field& toward) {
    for_each_owned(product_, [&](int i, auto value) { value = std::sqrt(system().effective_mass()[i]) * toward[i]; });
    std::vector<PetscScalar> parts(found_.size());
    check_petsc(VecMDot(product_, static_cast<PetscInt>(parts.size()), objects_of(found_).data(), parts.data()));
    check_petsc(VecSet(work_, 0));
    check_petsc(VecMAXPY(work_, static_cast<PetscInt>(parts.size()), parts.data(), objects_of(found_).data()));
    PetscReal whole = 0, part = 0;
    check_petsc(VecNorm(product_, NORM_2, &whole));
    check_petsc(VecNorm(work_, NORM_2, &part));
    if (!(part > kLeastPart * whole && quotient() < 0)) check_petsc(VecCopy(found_.front(), work_));
  }

  // Puts the eigenvector of the most negative eigenvalue of B into work_, without those found already. False if no negative real one was found.
  bool search() {
    PetscInt rows = 0;
    check_petsc(VecGetLocalSize(work_, &rows));
    PetscHandle<Mat> inverse;
    check_petsc(MatCreateShell(system().communicator(), rows, rows, PETSC_DETERMINE, PETSC_DETERMINE, this, inverse.receive()));
    check_petsc(MatShellSetOperation(inverse, MATOP_MULT, reinterpret_cast<void (*)()>(petsc_callback<&StabilityCheck::multiply_inverse>)));
    PetscHandle<EPS> eps;
    check_petsc(EPSCreate(system().communicator(), eps.receive()));
    check_petsc(EPSSetOptionsPrefix(eps, "stability_"));
    check_petsc(EPSSetOperators(eps, inverse, nullptr));
    check_petsc(EPSSetProblemType(eps, EPS_NHEP));
    check_petsc(EPSSetType(eps, EPSKRYLOVSCHUR));
    check_petsc(EPSSetWhichEigenpairs(eps, EPS_SMALLEST_REAL));
    check_petsc(EPSSetDimensions(eps, 1, PETSC_DEFAULT, PETSC_DEFAULT));
    check_petsc(EPSSetTolerances(eps, kEigenvalueTolerance, kCycles));
    check_petsc(EPSSetConvergenceTestFunction(eps, petsc_callback<&StabilityCheck::test_convergence>, this, nullptr));
    // The same start at any number of ranks, with a part along every mode.
    for_each_owned(work_, [&](int i, auto value) {
      const double id = system().mesh().vertex_ids[i];
      value = system().held().free_part(i, {std::sin(1 + 1.3 * id), std::sin(2 + 1.7 * id), std::sin(3 + 2.3 * id)});
    });
    Vec start = work_;
    check_petsc(EPSSetInitialSpace(eps, 1, &start));
    if (!found_.empty()) check_petsc(EPSSetDeflationSpace(eps, static_cast<PetscInt>(found_.size()), objects_of(found_).data()));
    check_petsc(EPSSetFromOptions(eps));
    check_petsc(EPSSolve(eps));
    PetscInt converged = 0;
    PetscScalar real = 0, imaginary = 0;
    check_petsc(EPSGetConverged(eps, &converged));
    if (converged == 0) return false;
    check_petsc(EPSGetEigenpair(eps, 0, &real, &imaginary, work_, nullptr));
    return real < 0 && imaginary == 0;
  }

  // A cycle whose lowest eigenvalue is not negative ends the search, because those near zero of a stable body, its stiffest motions, would never converge.
  static PetscErrorCode test_convergence(EPS, PetscScalar real, PetscScalar, PetscReal residual, PetscReal* error, void*) {
    *error = real < 0 ? residual / std::abs(real) : 0;
    return 0;
  }

  static PetscErrorCode multiply_inverse(Mat matrix, Vec x, Vec y) {
    StabilityCheck* self = nullptr;
    PetscCall(MatShellGetContext(matrix, &self));
    PetscCall(VecPointwiseMult(self->product_, self->root_mass_, x));
    PetscCall(KSPSolve(self->ksp_, self->product_, y));
    return VecPointwiseMult(y, self->root_mass_, y);
  }

  double largest_quotient() {
    PetscReal largest = 0;
    check_petsc(MatGetDiagonal(matrix_, product_));
    for (int power = 0; power < 2; ++power) check_petsc(VecPointwiseDivide(product_, product_, root_mass_));
    check_petsc(VecAbs(product_));
    check_petsc(VecMax(product_, nullptr, &largest));
    return largest;
  }

  StageEquation& equation_;
  const State& at_;
  Field unbalanced_;  // the sum of all forces [N]
  PetscHandle<Mat> matrix_;
  PetscHandle<Vec> root_mass_, work_, product_;
  PetscHandle<KSP> ksp_;
  std::vector<PetscHandle<Vec>> found_;  // orthonormal; eigenvectors of B where it is symmetric
};

}  // namespace

std::optional<UnstableMotion> unstable_motion(StageEquation& equation, const State& at, const Field& toward) {
  static const LogEvent event("Stability");
  const LogEvent::Scope timed(event);
  return StabilityCheck(equation, at).find(toward);
}

}  // namespace traction
