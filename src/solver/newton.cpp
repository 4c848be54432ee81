#include "solver/newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "errors.h"
#include "parallel/collective.h"
#include "parallel/petsc_handle.h"

namespace traction {

namespace {

constexpr double kGoldenRatio = 1.6180339887498949;  // the exponent phi of the forcing terms
constexpr double kWorthSolving = 0.5;                // accuracy of linear solves relative to the stopping test; more would be wasted
constexpr double kPreference = 0.5;           // factor in favour of the first guess: in contact, others with slightly smaller residuals lead to more iterations
constexpr double kCarefulForcing = 1e-8;      // forcing term that is used after rougher linear solves have failed
constexpr double kRounding = 1e-3;            // relative to the tolerance; a guess with a smaller defect is the solution
constexpr double kSufficientDecrease = 1e-4;  // c1
constexpr double kBacktracking = 0.5;         // rho
constexpr double kPoorDecrease = 0.5;  // part of the residual after one iteration; if more remains, exact derivatives of friction may have misled the iteration
constexpr double kCurved = 0.1;        // share of the residual: a step that reduces it less may have followed a volume's tangent too far
constexpr std::size_t kStalledIterations = 3;  // if this many iterations do not halve the residual, rounding limits it
constexpr double kStalledExcess = 10;          // rounding counts as the limit only within this multiple of the allowed residual
constexpr int kMaximumBacktracks = 12;
constexpr double kOtherMatrix = 0.3;  // share of the residual: an elimination that reduces it further has changed contacts too much for the kept blocks
constexpr double kSemiImplicitTolerance = 1e-11;  // for semi-implicit schemes, whose results must not depend on the preconditioner
constexpr double kVerticesToChoose = 2000;        // number of vertices in the whole scene that follow no others, below which a choice is not worth its trials
constexpr int kStaleAfter = 8;                    // cheap solves after which the strong preconditioner is built anew

// ML and GAMG consume random numbers at each set-up. If ranks share a factorisation, the order of sums depends on the order in which messages arrive.
void refuse_irreproducible(MPI_Comm communicator, const SolverSettings& settings) {
  int ranks = 1;
  MPI_Comm_size(communicator, &ranks);
  const PreconditionerKind kind = settings.method == NewtonMethod::newton ? PreconditionerKind::mumps : settings.preconditioner;
  if (kind == PreconditionerKind::ml || kind == PreconditionerKind::gamg || (kind == PreconditionerKind::mumps && ranks > 1))
    throw InputError(
        "solver.reproducible: three preconditioners do not give the same bits every time: ml, gamg, and on several ranks MUMPS in double precision, which "
        "method: newton uses; take preconditioner: automatic, or leave reproducible out");
}

}  // namespace

NewtonSolver::NewtonSolver(StageEquation& equation, const SolverSettings& settings)
    : equation_(equation), settings_(settings), petsc_calls_(equation.system().communicator()) {
  const MPI_Comm communicator = equation_.system().communicator();
  // Shells that buckle with inertia are better served by shorter steps.
  const System& system = equation_.system();
  const bool has_rods = sum_over_ranks(communicator, static_cast<double>(system.mesh().twists.size())) > 0;
  const bool turns_on_joints = !system.mesh().frames.empty() && std::ranges::any_of(system.forces(), [](const auto& f) { return f->energy_name() == "joint"; });
  if (!system.has_inertia() || has_rods || turns_on_joints) foretell_stresses();
  if (settings_.reproducible) refuse_irreproducible(communicator, settings_);
  const PetscInt size = 3 * equation_.system().halo().owned();
  check_petsc(MatCreateShell(communicator, size, size, PETSC_DETERMINE, PETSC_DETERMINE, this, operator_.receive()));
  check_petsc(MatShellSetOperation(operator_, MATOP_MULT, reinterpret_cast<void (*)()>(petsc_callback<&NewtonSolver::product>)));
  check_petsc(MatCreateVecs(operator_, residual_.receive(), nullptr));
  for (PetscHandle<Vec>* vector : {&trial_residual_, &corrected_, &corrected_residual_}) check_petsc(VecDuplicate(residual_, vector->receive()));
  if (settings_.contact_first) elimination_.emplace(equation_, residual_);

  check_petsc(SNESCreate(communicator, snes_.receive()));
  check_petsc(SNESSetType(snes_, SNESNEWTONLS));
  check_petsc(SNESSetFunction(snes_, residual_, petsc_callback<&NewtonSolver::function>, this));
  check_petsc(SNESSetConvergenceTest(snes_, petsc_callback<&NewtonSolver::test_convergence>, this, nullptr));
  check_petsc(SNESSetTolerances(snes_, 0, 0, 0, settings_.maximum_iterations, PETSC_MAX_INT));
  // A linear solve that stopped early still gives a direction; the line search decides whether it is useful.
  check_petsc(SNESSetMaxLinearSolveFailures(snes_, settings_.maximum_iterations + 1));
  SNESLineSearch search = nullptr;
  check_petsc(SNESGetLineSearch(snes_, &search));
  check_petsc(SNESLineSearchSetType(search, SNESLINESEARCHSHELL));
  check_petsc(SNESLineSearchShellSetUserFunc(search, petsc_callback<&NewtonSolver::line_search>, this));

  KSP ksp = nullptr;
  check_petsc(SNESGetKSP(snes_, &ksp));
  strong_.emplace(equation_, settings_, settings.method == NewtonMethod::newton ? PreconditionerKind::mumps : settings.preconditioner, ksp);
  set_callbacks(ksp);
  set_from_options();
  strong_->attach(operator_);
  active_ = &*strong_;
  check_petsc(SNESSetJacobian(snes_, operator_, strong_->matrix(), petsc_callback<&NewtonSolver::jacobian>, this));
  if (may_choose()) add_cheap();
}

void NewtonSolver::set_callbacks(KSP ksp) {
  check_petsc(KSPSetPreSolve(ksp, petsc_callback<&NewtonSolver::before_linear_solve>, this));
  check_petsc(KSPSetPostSolve(ksp, petsc_callback<&NewtonSolver::after_linear_solve>, this));
}

// Whether the blocks of vertices may suffice: if the user leaves the choice to the program, and inertia makes these blocks strong in short steps.
bool NewtonSolver::may_choose() const {
  const System& system = equation_.system();
  const auto own = std::ranges::count(std::span(system.dependents().marks()).first(system.halo().owned()), 0);  // vertices that follow no others
  PetscBool type_given = PETSC_FALSE, method_given = PETSC_FALSE;
  check_petsc(PetscOptionsHasName(nullptr, nullptr, "-pc_type", &type_given));
  check_petsc(PetscOptionsHasName(nullptr, nullptr, "-ksp_type", &method_given));
  return settings_.method == NewtonMethod::inexact_newton && settings_.preconditioner == PreconditionerKind::automatic &&
         settings_.krylov == KrylovMethod::automatic && !settings_.reproducible && !type_given && !method_given && system.has_inertia() &&
         !needs_couplings(system) && sum_over_ranks(system.communicator(), static_cast<double>(own)) >= kVerticesToChoose;
}

void NewtonSolver::add_cheap() {
  PetscHandle<KSP> ksp;
  check_petsc(KSPCreate(equation_.system().communicator(), ksp.receive()));
  cheap_.emplace(equation_, settings_, PreconditionerKind::block_jacobi, ksp);
  set_callbacks(ksp);
  cheap_->attach(operator_);
  choice_.emplace(strong_->preconditioner().costs());
}

void NewtonSolver::use(LinearSolver& solver) {
  if (active_ == &solver) return;
  if (cheap_since_strong_ > kStaleAfter) strong_->preconditioner().outdate();
  cheap_since_strong_ = 0;
  active_ = &solver;
  check_petsc(SNESSetKSP(snes_, solver.ksp()));
}

void NewtonSolver::outdate_preconditioner() {
  strong_->preconditioner().outdate();
  if (cheap_) cheap_->preconditioner().outdate();
}

// A bad value in the options database is the user's mistake, and needs no stack trace.
void NewtonSolver::set_from_options() {
  const DefaultOptions::Scope options(strong_->preconditioner().default_options());
  PetscPushErrorHandler(PetscReturnErrorHandler, nullptr);
  PetscErrorCode error = SNESSetFromOptions(snes_);
  PetscPopErrorHandler();
  if (error) {
    const char* text = nullptr;
    PetscErrorMessage(error, &text, nullptr);
    throw InputError(std::string("PETSc refuses an option (") + (text ? text : "no reason given") +
                     "): check the scene's petsc: block and the options after --");
  }
}

NewtonSolver::~NewtonSolver() = default;

void NewtonSolver::call_petsc(const std::function<PetscErrorCode()>& calls) const {
  if (const auto words = petsc_calls_.complaint(calls)) throw SolverError("PETSc failed in a solve: " + *words);
}

void NewtonSolver::rehearse() {
  PetscHandle<Vec> still;
  check_petsc(VecDuplicate(residual_, still.receive()));
  check_petsc(VecZeroEntries(still));
  equation_.impose_driven(still);
  equation_.residual(still, residual_);
  if (elimination_) elimination_->begin();
  const DefaultOptions::Scope options(strong_->preconditioner().default_options());
  rehearses_ = true;
  const auto words = petsc_calls_.complaint([&]() -> PetscErrorCode {
    PetscCall(SNESSetTolerances(snes_, 0, 0, 0, 1, PETSC_MAX_INT));
    PetscCall(SNESSetInitialFunction(snes_, residual_));
    PetscCall(SNESSolve(snes_, nullptr, still));
    return 0;
  });
  rehearses_ = false;
  set_primal_dual(false);
  strong_->preconditioner().forget();
  if (words) throw InputError("PETSc cannot solve with the options it was given (" + *words + "): check the scene's petsc: block and the options after --");
}

bool NewtonSolver::foretell_stresses() { return foretells_ = equation_.system().foretell(false); }

void NewtonSolver::begin_step() {
  if (settings_.reproducible) strong_->preconditioner().forget();
}

NewtonReport NewtonSolver::solve(std::span<Vec> guesses, Vec solution) {
  double best = std::numeric_limits<double>::infinity();
  for (Vec guess : guesses) {
    equation_.impose_driven(guess);
    equation_.residual(guess, trial_residual_);
    equation_.note_forces();
    PetscReal norm = 0;
    check_petsc(VecNorm(trial_residual_, NORM_2, &norm));
    if (guess == guesses.front()) norm *= kPreference;
    if (!(norm < best)) continue;
    best = norm;
    check_petsc(VecCopy(guess, solution));
    check_petsc(VecCopy(trial_residual_, residual_));
  }
  if (!std::isfinite(best)) return {false, 0, 0, 0, best, "no admissible starting point (an element is inverted, or a barrier crossed)"};
  NewtonReport report;
  if (!equation_.system().has_inertia()) equation_.residual(solution, residual_);  // residuals are judged by the forces at the last linearization
  linear_iterations_ = 0;
  if (elimination_) elimination_->begin();
  const DefaultOptions::Scope options(strong_->preconditioner().default_options());
  careful_ = false;
  foretold_share_ = 1;
  last_norms_.clear();
  equation_.system().linearize_foretold(false);
  for (;;) {
    check_petsc(SNESSetTolerances(snes_, 0, 0, 0, settings_.maximum_iterations - report.newton_iterations, PETSC_MAX_INT));
    check_petsc(SNESSetInitialFunction(snes_, residual_));
    call_petsc([&] { return SNESSolve(snes_, nullptr, solution); });
    SNESConvergedReason reason = SNES_CONVERGED_ITERATING;
    PetscInt iterations = 0;
    check_petsc(SNESGetConvergedReason(snes_, &reason));
    check_petsc(SNESGetIterationNumber(snes_, &iterations));
    report.newton_iterations += static_cast<int>(iterations);
    // A residual that rounding keeps from falling further is accepted too, that of a guess only if the most careful solves make no progress. It must be within
    // what is allowed or, after such solves of later iterates, within the tolerance in m/s. A body that comes to rest without weight is finally allowed next to
    // no change of velocity.
    const bool cannot_fall = careful_ && (reason == SNES_DIVERGED_LINE_SEARCH || reason == SNES_DIVERGED_LOCAL_MIN);
    const bool is_iterate = report.newton_iterations > 0;
    report.converged =
        reason > 0 || ((is_iterate || cannot_fall) && defect_.excess <= 1) || (is_iterate && cannot_fall && defect_.velocity <= settings_.tolerance);
    if (!report.converged) report.reason = SNESConvergedReasons[reason] + blame_on_preconditioner();
    if (report.converged || signal_ || careful_ || report.newton_iterations >= settings_.maximum_iterations) break;
    // The solve failed with kept blocks, with exact products, or with linear solves that were too rough for contacts that alternate between sticking and
    // slipping. It continues once from the best iterate, with fresh blocks, primal-dual products, or more accurate solves.
    if (!active_->preconditioner().discard() && !primal_dual_just_set_) careful_ = true;
    primal_dual_just_set_ = false;
    equation_.residual(solution, residual_);
  }
  set_primal_dual(false);
  if (signal_ && !report.converged) throw Interrupted("a signal asks for an end", signal_);
  report.linear_iterations = linear_iterations_;
  if (elimination_) report.eliminations = elimination_->kept();
  report.residual = defect_.velocity;
  return report;
}

NewtonReport NewtonSolver::solve_linear(Vec right_side, const LowRankUpdate& update, Vec solution) {
  use(*strong_);
  const KSP ksp = strong_->ksp();
  PetscReal usual_tolerance = 0;
  check_petsc(KSPGetTolerances(ksp, &usual_tolerance, nullptr, nullptr, nullptr));
  check_petsc(KSPSetTolerances(ksp, kSemiImplicitTolerance, PETSC_DEFAULT, PETSC_DEFAULT, strong_->most_iterations()));
  NewtonReport report;
  report.newton_iterations = 1;
  linear_iterations_ = 0;
  const bool direct = settings_.method == NewtonMethod::newton;
  const auto count = static_cast<Eigen::Index>(update.u.size());
  do {
    const bool rebuilt = strong_->preconditioner().update(direct);
    check_petsc(MatAssemblyBegin(operator_, MAT_FINAL_ASSEMBLY));
    check_petsc(MatAssemblyEnd(operator_, MAT_FINAL_ASSEMBLY));
    check_petsc(KSPSetOperators(ksp, operator_, strong_->matrix()));
    check_petsc(KSPSetReusePreconditioner(ksp, rebuilt ? PETSC_FALSE : PETSC_TRUE));
    if (!direct && count > 0) update_ = &update;
    report.converged = solve_with_operator(right_side, solution, report.reason);
    update_ = nullptr;
  } while (!report.converged && strong_->preconditioner().discard());
  if (direct && count > 0 && report.converged) {
    // x = y - Z (I + W^T Z)^-1 W^T y  with  A y = b, A Z = U.
    Eigen::MatrixXd system = Eigen::MatrixXd::Identity(count, count);
    Eigen::VectorXd products(count);
    std::vector<PetscHandle<Vec>> solved(update.u.size());
    check_petsc(VecMDot(solution, static_cast<PetscInt>(count), update.w.data(), products.data()));
    for (Eigen::Index k = 0; k < count; ++k) {
      Eigen::VectorXd column(count);
      check_petsc(VecDuplicate(solution, solved[k].receive()));
      report.converged = solve_with_operator(update.u[k], solved[k], report.reason) && report.converged;
      check_petsc(VecMDot(solved[k], static_cast<PetscInt>(count), update.w.data(), column.data()));
      system.col(k) += column;
    }
    const Eigen::VectorXd shares = -system.partialPivLu().solve(products);
    check_petsc(VecMAXPY(solution, static_cast<PetscInt>(count), shares.data(), objects_of(solved).data()));
  }
  check_petsc(KSPSetTolerances(ksp, usual_tolerance, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
  report.linear_iterations = linear_iterations_;
  return report;
}

bool NewtonSolver::solve_with_operator(Vec right_side, Vec solution, std::string& reason) {
  KSP ksp = nullptr;
  KSPConvergedReason outcome = KSP_CONVERGED_ITERATING;
  const DefaultOptions::Scope options(strong_->preconditioner().default_options());
  check_petsc(SNESGetKSP(snes_, &ksp));
  call_petsc([&] { return KSPSolve(ksp, right_side, solution); });
  check_petsc(KSPGetConvergedReason(ksp, &outcome));
  if (outcome <= 0) reason = std::string("the linear solver stopped: ") + KSPConvergedReasons[outcome];
  return outcome > 0;
}

PetscErrorCode NewtonSolver::function(SNES, Vec v, Vec residual, void* self) {
  static_cast<NewtonSolver*>(self)->equation_.residual(v, residual);
  return 0;
}

PetscErrorCode NewtonSolver::jacobian(SNES snes, Vec v, Mat, Mat, void* context) {
  auto* self = static_cast<NewtonSolver*>(context);
  self->equation_.linearize(v);
  const bool cheap = self->choice_ && self->choice_->takes_cheap() && !self->careful_ && !self->rehearses_;
  self->use(cheap ? *self->cheap_ : *self->strong_);
  if (self->settings_.method == NewtonMethod::inexact_newton) PetscCall(self->set_forcing(snes));
  PetscReal forcing = 0;
  PetscCall(KSPGetTolerances(self->active_->ksp(), &forcing, nullptr, nullptr, nullptr));
  const int most = self->active_->most_iterations();
  self->rebuilt_ =
      self->active_->prepare(cheap || self->settings_.method == NewtonMethod::newton, forcing, cheap ? std::min(most, self->choice_->most_iterations()) : most);
  PetscCall(SNESSetLagPreconditioner(snes, self->rebuilt_ ? 1 : -1));  // SNES reads this after the return, and overrides settings of KSP
  PetscCall(MatAssemblyBegin(self->operator_, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(self->operator_, MAT_FINAL_ASSEMBLY));
  return 0;
}

// Continues Newton's iteration with the strong preconditioner where the cheap one was given up.
PetscErrorCode NewtonSolver::solve_with_strong(Vec right_side, Vec solution, double tolerance) {
  use(*strong_);
  rebuilt_ = strong_->prepare(false, tolerance, strong_->most_iterations());
  PetscCall(KSPSetOperators(strong_->ksp(), operator_, strong_->matrix()));
  PetscCall(KSPSetReusePreconditioner(strong_->ksp(), rebuilt_ ? PETSC_FALSE : PETSC_TRUE));
  return KSPSolve(strong_->ksp(), right_side, solution);
}

// Sets the forcing terms (docs/theory/newton.md, "Forcing terms", (N2) and (N3)). PETSc's own version uses KSPSetPostSolve, which this solver needs itself.
PetscErrorCode NewtonSolver::set_forcing(SNES snes) {
  PetscInt iteration = 0;
  PetscReal norm = 0;
  KSP ksp = nullptr;
  PetscCall(SNESGetIterationNumber(snes, &iteration));
  PetscCall(SNESGetFunctionNorm(snes, &norm));
  PetscCall(SNESGetKSP(snes, &ksp));
  double forcing = settings_.forcing;
  if (iteration > 0) forcing = std::min(forcing, std::pow(norm / last_norm_, kGoldenRatio));
  forcing = std::clamp(kWorthSolving / defect_.excess, forcing, settings_.forcing);
  forcing *= foretold_share_;
  if (careful_) forcing = std::min(forcing, kCarefulForcing);
  last_norm_ = norm;
  PetscCall(KSPSetTolerances(ksp, forcing, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
  return 0;
}

// Continues Newton's reason of failure where the last linear solve failed with a preconditioner that the user has chosen.
std::string NewtonSolver::blame_on_preconditioner() const {
  KSP ksp = nullptr;
  KSPConvergedReason outcome = KSP_CONVERGED_ITERATING;
  check_petsc(SNESGetKSP(snes_, &ksp));
  check_petsc(KSPGetConvergedReason(ksp, &outcome));
  if (outcome >= 0 || settings_.preconditioner == PreconditionerKind::automatic || settings_.method == NewtonMethod::newton) return {};
  return std::string(", after linear solves that failed with solver.preconditioner: ") + std::string(word_of(settings_.preconditioner)) + " (" +
         KSPConvergedReasons[outcome] + "); solver.preconditioner: automatic may avoid this";
}

void NewtonSolver::set_primal_dual(bool on) {
  primal_dual_ = on;
  if (!on) primal_dual_just_set_ = false;
  for (const auto& force : equation_.system().forces()) force->set_primal_dual(on);
}

PetscErrorCode NewtonSolver::product(Mat matrix, Vec direction, Vec result) {
  NewtonSolver* self = nullptr;
  PetscCall(MatShellGetContext(matrix, &self));
  self->equation_.product(direction, result);
  if (!self->update_) return 0;
  std::vector<PetscScalar> shares(self->update_->u.size());
  PetscCall(VecMDot(direction, static_cast<PetscInt>(shares.size()), self->update_->w.data(), shares.data()));
  PetscCall(VecMAXPY(result, static_cast<PetscInt>(shares.size()), shares.data(), const_cast<Vec*>(self->update_->u.data())));
  return 0;
}

PetscErrorCode NewtonSolver::before_linear_solve(KSP, Vec right_side, Vec, void* context) {
  auto* self = static_cast<NewtonSolver*>(context);
  self->held_aside_ = self->equation_.set_held_aside(right_side);
  return 0;
}

PetscErrorCode NewtonSolver::after_linear_solve(KSP ksp, Vec right_side, Vec solution, void* context) {
  auto* self = static_cast<NewtonSolver*>(context);
  self->equation_.solve_held(self->held_aside_, right_side, solution);
  PetscInt iterations = 0;
  PetscReal tolerance = 0;
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  PetscCall(KSPGetIterationNumber(ksp, &iterations));
  PetscCall(KSPGetTolerances(ksp, &tolerance, nullptr, nullptr, nullptr));
  PetscCall(KSPGetConvergedReason(ksp, &reason));
  self->linear_iterations_ += iterations;
  const bool cheap = self->cheap_ && ksp == self->cheap_->ksp();
  self->active_->preconditioner().report(static_cast<int>(iterations), tolerance, reason > 0);
  const bool is_chosen = self->choice_ && self->choice_->takes_cheap() == cheap;  // semi-implicit schemes do not ask
  if (!is_chosen || self->careful_ || self->rehearses_) return 0;
  if (!cheap) {
    self->choice_->set_costs(self->strong_->preconditioner().costs());
    self->choice_->report_strong(static_cast<int>(iterations), self->rebuilt_);
    return 0;
  }
  self->choice_->report_cheap(static_cast<int>(iterations), reason > 0);
  ++self->cheap_since_strong_;
  if (reason <= 0) return self->solve_with_strong(right_side, solution, tolerance);
  ++self->cheap_solves_;
  return 0;
}

// Takes at least one iteration: a guess within the tolerance is kept only if it is exact up to rounding, because slow accelerations would never add up
// otherwise.
PetscErrorCode NewtonSolver::test_convergence(SNES snes, PetscInt iteration, PetscReal, PetscReal, PetscReal norm, SNESConvergedReason* reason, void* context) {
  auto* self = static_cast<NewtonSolver*>(context);
  Vec v = nullptr, residual = nullptr;
  PetscCall(SNESGetSolution(snes, &v));
  PetscCall(SNESGetFunction(snes, &residual, nullptr, nullptr));
  self->defect_ = self->defect(v, residual);
  if (self->interruption_ && !self->rehearses_ && self->signal_ == 0) self->signal_ = self->interruption_(self->defect_.velocity);
  if (!std::isfinite(norm)) *reason = SNES_DIVERGED_FNORM_NAN;
  else if (self->rehearses_ && iteration == 0) *reason = SNES_CONVERGED_ITERATING;
  else if (self->defect_.excess <= (iteration > 0 ? 1 : kRounding) || self->has_stalled(norm)) *reason = SNES_CONVERGED_FNORM_ABS;
  else *reason = self->signal_ ? SNES_DIVERGED_FUNCTION_COUNT : SNES_CONVERGED_ITERATING;
  return 0;
}

// Where stretching is much stiffer than bending, the rounding of positions alone causes forces above the allowed residual, which then falls no further.
bool NewtonSolver::has_stalled(double norm) {
  last_norms_.push_back(norm);
  if (last_norms_.size() <= kStalledIterations || !foretells_) return false;
  const double before = last_norms_[last_norms_.size() - 1 - kStalledIterations];
  return norm > kPoorDecrease * before && defect_.excess <= kStalledExcess && defect_.velocity <= settings_.tolerance;
}

// Computes the residual of a trial, which is improved first unless it is the solution.
PetscErrorCode NewtonSolver::try_step(Vec trial, Vec trial_residual, PetscReal& norm) {
  equation_.residual(trial, trial_residual);
  PetscCall(VecNorm(trial_residual, NORM_2, &norm));
  if (!elimination_ || !std::isfinite(norm) || defect(trial, trial_residual).excess <= 1) return 0;
  const PetscReal without = norm;
  norm = elimination_->improve(trial, trial_residual, norm);
  if (norm < kOtherMatrix * without) active_->preconditioner().outdate();
  return 0;
}

// Tries v + alpha y with its volumes corrected, and uses it as the trial if its residual is smaller.
PetscErrorCode NewtonSolver::try_corrected(Vec v, Vec y, PetscReal alpha, Vec trial, Vec trial_residual, PetscReal& norm) {
  PetscCall(VecWAXPY(corrected_, alpha, y, v));
  if (!active_->preconditioner().correct_quantities(v, corrected_)) return 0;
  PetscCall(VecWAXPY(corrected_residual_, -1, v, corrected_));  // the step
  PetscReal corrected_norm = std::numeric_limits<double>::infinity();
  if (equation_.admissible_part(v, corrected_residual_).value_or(0) >= 1) PetscCall(try_step(corrected_, corrected_residual_, corrected_norm));
  if (corrected_norm < norm || !std::isfinite(norm)) {
    PetscCall(VecCopy(corrected_, trial));
    PetscCall(VecCopy(corrected_residual_, trial_residual));
    norm = corrected_norm;
  } else {
    equation_.residual(trial, trial_residual);  // makes this the state that was evaluated last
  }
  return 0;
}

// Lowers `merit` to the norm of the residual that a trial would leave if stresses were those that its step foretells (docs/theory/newton.md, "Foretold
// stresses").
PetscErrorCode NewtonSolver::try_foretold(Vec trial, Vec trial_residual, PetscReal& merit) {
  const System& system = equation_.system();
  if (!foretells_ || !std::isfinite(merit)) return 0;
  PetscReal foretold = 0;
  system.foretell(true);
  equation_.residual(trial, corrected_residual_);
  system.foretell(false);
  PetscCall(VecNorm(corrected_residual_, NORM_2, &foretold));
  merit = std::min(merit, foretold);
  equation_.residual(trial, trial_residual);  // makes this the state that was evaluated last
  return 0;
}

// docs/theory/newton.md, "Line search", (N4): halve alpha until |r(v + alpha p)| <= (1 - c1 alpha (1 - sigma_k)) |r(v)|, from the largest that leads through no
// barrier. PETSc's step is v - alpha y with J y = r.
PetscErrorCode NewtonSolver::line_search(SNESLineSearch search, void* context) {
  auto* self = static_cast<NewtonSolver*>(context);
  SNES snes = nullptr;
  Vec v = nullptr, residual = nullptr, y = nullptr, trial = nullptr, trial_residual = nullptr;
  PetscCall(SNESLineSearchGetSNES(search, &snes));
  PetscCall(SNESLineSearchGetVecs(search, &v, &residual, &y, &trial, &trial_residual));
  KSP ksp = nullptr;
  PetscReal sigma = 0, norm = 0, step_norm = 0;
  PetscCall(SNESGetKSP(snes, &ksp));
  PetscCall(KSPGetTolerances(ksp, &sigma, nullptr, nullptr, nullptr));
  PetscCall(VecNorm(residual, NORM_2, &norm));
  PetscCall(VecNorm(y, NORM_2, &step_norm));
  PetscCall(VecScale(y, -1));
  PetscReal alpha = self->equation_.admissible_part(v, y).value_or(0), trial_norm = 0;
  bool accepted = false, foretold = false;
  int tried = 0;
  for (; alpha > 0 && tried <= kMaximumBacktracks && !accepted; ++tried, alpha *= kBacktracking) {
    PetscCall(VecWAXPY(trial, alpha, y, v));
    PetscCall(self->try_step(trial, trial_residual, trial_norm));
    if (!(trial_norm <= kCurved * norm)) PetscCall(self->try_corrected(v, y, alpha, trial, trial_residual, trial_norm));
    const PetscReal wanted = (1 - kSufficientDecrease * alpha * (1 - sigma)) * norm;
    PetscReal merit = trial_norm;
    if (!(trial_norm <= kCurved * norm)) PetscCall(self->try_foretold(trial, trial_residual, merit));
    foretold = merit < trial_norm;
    accepted = merit <= wanted;  // false for NaN
    self->foretold_share_ = foretold ? merit / trial_norm : 1;
  }
  self->equation_.system().linearize_foretold(foretold);
  self->primal_dual_just_set_ = !self->primal_dual_ && tried > 0 && !(trial_norm <= std::max(kPoorDecrease, 2 * sigma) * norm);
  if (self->primal_dual_just_set_) self->set_primal_dual(true);
  if (!accepted) {
    PetscCall(SNESLineSearchSetReason(search, SNES_LINESEARCH_FAILED_REDUCT));
    return 0;
  }
  PetscReal solution_norm = 0;
  PetscCall(VecCopy(trial, v));
  PetscCall(VecCopy(trial_residual, residual));
  PetscCall(VecNorm(v, NORM_2, &solution_norm));
  PetscCall(SNESLineSearchSetNorms(search, solution_norm, trial_norm, step_norm));
  PetscCall(SNESLineSearchSetReason(search, SNES_LINESEARCH_SUCCEEDED));
  return 0;
}

}  // namespace traction
