#include "solver/instability.h"

#include <petscksp.h>
#include <slepceps.h>

#include <algorithm>
#include <cmath>

#include "parallel/collective.h"
#include "parallel/log_event.h"
#include "parallel/petsc_handle.h"
#include "solver/default_options.h"
#include "system/stage_matrix.h"

namespace traction {

namespace {

constexpr double kTolerance = 0.01;  // relative, for eigenvalues of the inverse: their sign matters
constexpr int kRestarts = 3;         // by which Arnoldi's method converges, which it does at once if one eigenvalue alone is negative
constexpr double kRounding = 1e-12;  // relative to the largest of the quotients of A and M along single unknowns: nearer to 0 any sign may be rounding

class StabilityCheck {
 public:
  StabilityCheck(StageEquation& equation, const State& at) : equation_(equation) {
    equation_.system().linearize_foretold(false);
    equation_.linearize(at);
    StageMatrix stage(equation_, true);
    stage.assemble();
    matrix_ = stage.create_petsc();
    stage.preallocate(matrix_);
    stage.for_each_row([&](PetscInt row, const std::vector<PetscInt>& columns, const std::vector<Mat3>& blocks) { set_row(matrix_, row, columns, blocks); });
    check_petsc(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY));
    check_petsc(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY));
    check_petsc(MatCreateVecs(matrix_, work_.receive(), mass_.receive()));
    check_petsc(VecDuplicate(work_, scaled_.receive()));
    for_each_owned(mass_, [&](int i, auto value) { value.setConstant(system().effective_mass()[i]); });
  }
  StabilityCheck(const StabilityCheck&) = delete;
  StabilityCheck& operator=(const StabilityCheck&) = delete;

  std::optional<UnstableMotion> find() {
    if (!factorize() || !search()) return {};
    for_each_owned(work_, [&](int i, auto value) { value = system().held().free_part(i, Vec3(value)).eval(); });
    PetscScalar stiffness = 0, mass = 0;
    equation_.product(work_, scaled_);
    check_petsc(VecDot(work_, scaled_, &stiffness));
    check_petsc(VecPointwiseMult(scaled_, mass_, work_));
    check_petsc(VecDot(work_, scaled_, &mass));
    // A = M - s h (h df/dq + df/dv), so lambda = 1 - s h^2 sigma^2 where no forces depend on velocities.
    const double lambda = mass > 0 ? stiffness / mass : 0;
    if (!(lambda < -kRounding * largest_quotient())) return {};
    UnstableMotion motion{Field(system().halo().local()), std::sqrt((1 - lambda) / (equation_.impulse() * equation_.stage().step))};
    for_each_owned(work_, [&](int i, auto value) { motion.direction[i] = value / std::sqrt(mass); });
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

  // Leaves the eigenvector of the most negative eigenvalue of A^-1 M in work_; false if none was found that is negative and real.
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
    check_petsc(EPSSetTolerances(eps, kTolerance, kRestarts));
    // The same start at any number of ranks, with a part along every mode.
    for_each_owned(work_, [&](int i, auto value) {
      const double id = system().mesh().vertex_ids[i];
      value = system().held().free_part(i, {std::sin(1 + 1.3 * id), std::sin(2 + 1.7 * id), std::sin(3 + 2.3 * id)});
    });
    Vec start = work_;
    check_petsc(EPSSetInitialSpace(eps, 1, &start));
    check_petsc(EPSSetFromOptions(eps));
    check_petsc(EPSSolve(eps));
    PetscInt converged = 0;
    PetscScalar real = 0, imaginary = 0;
    check_petsc(EPSGetConverged(eps, &converged));
    if (converged == 0) return false;
    check_petsc(EPSGetEigenpair(eps, 0, &real, &imaginary, work_, nullptr));
    return real < 0 && imaginary == 0;
  }

  static PetscErrorCode multiply_inverse(Mat matrix, Vec x, Vec y) {
    StabilityCheck* self = nullptr;
    PetscCall(MatShellGetContext(matrix, &self));
    PetscCall(VecPointwiseMult(self->scaled_, self->mass_, x));
    return KSPSolve(self->ksp_, self->scaled_, y);
  }

  double largest_quotient() {
    PetscReal largest = 0;
    check_petsc(MatGetDiagonal(matrix_, scaled_));
    check_petsc(VecPointwiseDivide(scaled_, scaled_, mass_));
    check_petsc(VecAbs(scaled_));
    check_petsc(VecMax(scaled_, nullptr, &largest));
    return largest;
  }

  StageEquation& equation_;
  PetscHandle<Mat> matrix_;
  PetscHandle<Vec> mass_, work_, scaled_;
  PetscHandle<KSP> ksp_;
};

}  // namespace

std::optional<UnstableMotion> unstable_motion(StageEquation& equation, const State& at) {
  static const LogEvent event("Stability");
  const LogEvent::Scope timed(event);
  return StabilityCheck(equation, at).find();
}

}  // namespace traction
