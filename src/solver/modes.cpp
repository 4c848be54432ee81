#include "solver/modes.h"

#include <fmt/format.h>
#include <petscksp.h>
#include <slepceps.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "errors.h"
#include "parallel/collective.h"
#include "parallel/log_event.h"
#include "parallel/petsc_handle.h"
#include "solver/default_options.h"
#include "system/dependent_blocks.h"

namespace traction {

namespace {

constexpr double kShift = 1e-3;  // sigma relative to the lowest lambda of a few smooth motions
constexpr double kLinearTolerance = 1e-13;
constexpr double kTolerance = 1e-12;     // relative tolerance for eigenvectors of the inverse
constexpr int kBeyond = 2;               // number of additional modes, because a mode with a close neighbour that is deflated hardly converges
constexpr double kSame = 1e-3;           // relative difference below which eigenvalues of the inverse belong together: otherwise rounding would mix their modes
constexpr PetscInt kFewVertices = 1000;  // below this number of vertices in the whole scene a matrix is small
constexpr int kRefinements = 5;          // iterations of a solve with an accurate factor
constexpr double kMissedTolerance = 1e-8;
constexpr int kMissedIterations = 30;

// A pseudo-random number in [-1, 1) for each component of a vertex, the same at any rank count.
double scattered(int vertex, int component) {
  const double x = std::sin(12.9898 * (vertex + 1) + 78.233 * (component + 1)) * 43758.5453;
  return 2 * (x - std::floor(x)) - 1;
}

class ModeSolver {
 public:
  ModeSolver(System& system, const State& state)
      : system_(system),
        state_(state),
        direction_(system.halo().local()),
        change_(system.halo().local()),
        blocks_(system.pattern()),
        communicator_(system.communicator()) {
    state_.v.set_zero();
    system_.prepare(state_);
    system_.linearize(state_);
    const PetscInt size = 3 * system_.halo().owned();
    check_petsc(VecCreateMPI(communicator_, size, PETSC_DETERMINE, work_.receive()));
    check_petsc(VecDuplicate(work_, scaled_.receive()));
    choose_shift();
    set_up_inverse(size);
  }
  ModeSolver(const ModeSolver&) = delete;
  ModeSolver& operator=(const ModeSolver&) = delete;

  Modes solve(int count, const std::string& source) {
    double free = 0;
    for (int i = 0; i < system_.halo().owned(); ++i) free += system_.held().free_directions(i);
    free = sum_over_ranks(communicator_, free);
    if (count > free)
      throw InputError(fmt::format("{}: {} modes are asked for, but the bodies have {:.0f} free displacements; ask for fewer", source, count, free));
    if (count > 0) {
      search(std::min(count + kBeyond, static_cast<int>(free)));
      while (find_missed(count, static_cast<int>(free))) {}
      drop_all_but(whole(count));
    }
    return sorted();
  }

 private:
  // Computes change_ = -K direction_.q, on owned vertices.
  void multiply_stiffness() {
    system_.exchange(direction_.q);
    system_.product(state_, direction_, change_, Terms::modal);
  }

  // Rayleigh quotient of a motion; direction_ is overwritten.
  template <typename Motion>
  double rayleigh_quotient(Motion motion) {
    std::array<double, 2> sums{};
    for (int i = 0; i < system_.halo().owned(); ++i) direction_.q[i] = system_.held().free_part(i, motion(i));
    multiply_stiffness();
    for (int i = 0; i < system_.halo().owned(); ++i) {
      sums[0] -= direction_.q[i].dot(change_[i]);
      sums[1] += system_.mass()[i] * direction_.q[i].squaredNorm();
    }
    sum_over_ranks(communicator_, sums);
    return sums[1] > 0 ? sums[0] / sums[1] : 0;
  }

  // Chooses a shift of the size of the lowest modes' eigenvalues, estimated from stretches and shears along the axes, so that they are far apart in the
  // inverse.
  void choose_shift() {
    constexpr double kZero = 1e-10;  // relative to the largest; smaller values are those of motions without deformation, up to rounding
    std::vector<double> quotients;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) quotients.push_back(std::abs(rayleigh_quotient([&](int vertex) { return Vec3(Vec3::Unit(i) * state_.q[vertex][j]); })));
    const double largest = *std::max_element(quotients.begin(), quotients.end());
    double lowest = largest;
    for (double quotient : quotients)
      if (quotient > kZero * largest) lowest = std::min(lowest, quotient);
    shift_ = largest == 0 ? 1 : kShift * lowest;
  }

  void set_up_inverse(PetscInt size) {
    std::vector<double> mass(system_.effective_mass());
    for (double& m : mass) m *= shift_;
    for (const auto& force : system_.forces())
      if (const Assembly* assembly = force->is_modal() ? force->assembly() : nullptr) assembly->add_blocks({state_, 1, 0}, blocks_);
    const std::vector<Coupling> couplings = sum_of_couplings();
    create_factored(couplings);
    blocks_.for_each_row(-1, mass, system_.held(), [&](int i, const std::vector<int>& columns, const std::vector<Mat3>& blocks) {
      std::vector<PetscInt> global(columns.size());
      std::transform(columns.begin(), columns.end(), global.begin(), [&](int column) { return system_.halo().to_global(column); });
      set_row(factored_, system_.halo().to_global(i), global, blocks);
    });
    add_to_factored(couplings);
    check_petsc(MatAssemblyBegin(factored_, MAT_FINAL_ASSEMBLY));
    check_petsc(MatAssemblyEnd(factored_, MAT_FINAL_ASSEMBLY));
    const auto shell = [&](PetscHandle<Mat>& matrix, PetscErrorCode (*product)(Mat, Vec, Vec)) {
      check_petsc(MatCreateShell(communicator_, size, size, PETSC_DETERMINE, PETSC_DETERMINE, this, matrix.receive()));
      check_petsc(MatShellSetOperation(matrix, MATOP_MULT, reinterpret_cast<void (*)()>(product)));
      check_petsc(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
      check_petsc(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
    };
    shell(shifted_, petsc_callback<&ModeSolver::multiply_shifted>);
    shell(inverse_, petsc_callback<&ModeSolver::multiply_inverse>);
    check_petsc(KSPCreate(communicator_, ksp_.receive()));
    check_petsc(KSPSetOptionsPrefix(ksp_, "modes_"));
    check_petsc(KSPSetOperators(ksp_, shifted_, factored_));
    check_petsc(KSPSetType(ksp_, KSPGMRES));
    check_petsc(KSPSetPCSide(ksp_, PC_RIGHT));
    check_petsc(KSPSetTolerances(ksp_, kLinearTolerance, PETSC_DEFAULT, PETSC_DEFAULT, 200));
    if (system_.halo().global_count() < kFewVertices && factorize_on_each_rank()) return;
    PC pc = nullptr;
    check_petsc(KSPGetPC(ksp_, &pc));
    check_petsc(PCSetType(pc, PCLU));
    check_petsc(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
    // MUMPS greatly underestimates its memory, especially for integers, for small bodies on several ranks, and PETSc gives up at the first failure.
    DefaultOptions defaults;
    defaults.add("-modes_mat_mumps_icntl_14", "300");
    const DefaultOptions::Scope options(defaults);
    check_petsc(KSPSetFromOptions(ksp_));
    check_petsc(PCSetUp(pc));
    if (has_failed(pc))
      throw SolverError(
          "modes of vibration: the stiffness matrix could not be factorised: it contains NaN, or MUMPS ran out of memory. More memory for MUMPS: -- "
          "-modes_mat_mumps_icntl_14 500");
  }

  static bool has_failed(PC pc) {
    PCFailedReason failure = PC_NOERROR;
    check_petsc(PCGetFailedReason(pc, &failure));
    return failure != PC_NOERROR;
  }

  // Each solve by MUMPS costs several times the work for a small matrix, and ranks that share it exchange messages for longer still. PETSc's own factorisation,
  // which does not pivot, takes its place, a copy on each rank. Returns false where that is singular or inaccurate.
  bool factorize_on_each_rank() {
    PC pc = nullptr, own = nullptr;
    KSP inner = nullptr;
    check_petsc(KSPGetPC(ksp_, &pc));
    check_petsc(PCSetType(pc, PCREDUNDANT));
    check_petsc(KSPSetFromOptions(ksp_));
    PetscBool is_redundant = PETSC_FALSE;
    check_petsc(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(pc), PCREDUNDANT, &is_redundant));
    check_petsc(PCSetUp(pc));
    if (is_redundant) {
      check_petsc(PCRedundantGetKSP(pc, &inner));
      check_petsc(KSPGetPC(inner, &own));
    }
    if (maximum_over_ranks(communicator_, has_failed(own ? own : pc) ? 1 : 0) > 0) return false;
    PetscInt iterations = 0;
    KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
    check_petsc(VecSet(scaled_, 1));
    check_petsc(KSPSolve(ksp_, scaled_, work_));
    check_petsc(KSPGetIterationNumber(ksp_, &iterations));
    check_petsc(KSPGetConvergedReason(ksp_, &reason));
    return reason > 0 && iterations <= kRefinements;
  }

  // What the matrix of blocks lacks: joints, and the elements of attached vertices, whose stiffness acts on their masters. Without these in what is factored
  // soft modes would be lost to rounding beside stiff joints, and solves would not converge.
  std::vector<Coupling> sum_of_couplings() const {
    std::vector<Coupling> couplings;
    for (const auto& force : system_.forces())
      if (const Assembly* assembly = force->is_modal() ? force->assembly() : nullptr) assembly->add_couplings({state_, 1, 0}, couplings);
    add_blocks_of_dependents(system_, blocks_, couplings);
    system_.dependents().reduce(couplings);
    return sum_couplings(system_.halo(), std::move(couplings), system_.held());
  }

  void create_factored(const std::vector<Coupling>& couplings) {
    factored_ = blocks_.create_petsc();
    if (sum_over_ranks(communicator_, static_cast<double>(couplings.size())) == 0) return;
    const Halo& halo = system_.halo();
    std::vector<PetscInt> own(halo.owned(), 0), other(halo.owned(), 0);
    for (const Coupling& coupling : couplings) {
      const PetscInt column = coupling.column - halo.first_owned();
      ++(column >= 0 && column < halo.owned() ? own : other)[coupling.row - halo.first_owned()];
    }
    blocks_.preallocate(factored_, std::move(own), std::move(other));
  }

  void add_to_factored(const std::vector<Coupling>& couplings) {
    check_petsc(MatAssemblyBegin(factored_, MAT_FLUSH_ASSEMBLY));
    check_petsc(MatAssemblyEnd(factored_, MAT_FLUSH_ASSEMBLY));
    for (const Coupling& coupling : couplings) {
      const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> block = -coupling.block;
      check_petsc(MatSetValuesBlocked(factored_, 1, &coupling.row, 1, &coupling.column, block.data(), ADD_VALUES));
    }
  }

  // Computes (K + sigma M) x; sigma M x in directions in which vertices are held.
  static PetscErrorCode multiply_shifted(Mat matrix, Vec x, Vec y) {
    ModeSolver* self = nullptr;
    PetscCall(MatShellGetContext(matrix, &self));
    const System& system = self->system_;
    const PetscScalar* input = nullptr;
    PetscScalar* output = nullptr;
    PetscCall(VecGetArrayRead(x, &input));
    for (int i = 0; i < system.halo().owned(); ++i) self->direction_.q[i] = system.held().free_part(i, Eigen::Map<const Vec3>(input + 3 * i));
    self->multiply_stiffness();
    PetscCall(VecGetArray(y, &output));
    for (int i = 0; i < system.halo().owned(); ++i) {
      Eigen::Map<Vec3> value(output + 3 * i);
      value = self->shift_ * system.effective_mass()[i] * Eigen::Map<const Vec3>(input + 3 * i);
      if (!system.held().whole()[i]) value -= system.held().free_part(i, self->change_[i]);
    }
    PetscCall(VecRestoreArray(y, &output));
    PetscCall(VecRestoreArrayRead(x, &input));
    return 0;
  }

  // Computes M^1/2 (K + sigma M)^-1 M^1/2 x, 0 in directions in which vertices are held.
  static PetscErrorCode multiply_inverse(Mat matrix, Vec x, Vec y) {
    ModeSolver* self = nullptr;
    PetscCall(MatShellGetContext(matrix, &self));
    PetscCall(VecCopy(x, self->scaled_));
    self->scale(self->scaled_);
    PetscCall(KSPSolve(self->ksp_, self->scaled_, y));
    KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
    PetscCall(KSPGetConvergedReason(self->ksp_, &reason));
    self->solved_ = self->solved_ && reason > 0;
    self->scale(y);
    return 0;
  }
  // Multiplies by M^1/2, and by 0 in directions in which vertices are held.
  void scale(Vec vector) {
    PetscScalar* values = nullptr;
    check_petsc(VecGetArray(vector, &values));
    for (int i = 0; i < system_.halo().owned(); ++i) {
      Eigen::Map<Vec3> value(values + 3 * i);
      value = system_.held().free_part(i, value * std::sqrt(system_.mass()[i]));
    }
    check_petsc(VecRestoreArray(vector, &values));
  }

  // Searches for missed copies of a multiple eigenvalue, which a single-vector Krylov method may not find: deflates the modes found and returns whether a new
  // one belongs to the first `count`.
  bool find_missed(int count, int all) {
    if (static_cast<int>(found_.size()) == all) return false;
    const double last = sizes()[count - 1];
    const std::size_t before = found_.size();
    search(1, kMissedTolerance, kMissedIterations);
    return found_.size() > before && std::abs(inverse_eigenvalues_.back()) >= last * (1 - kSame);
  }

  // Magnitudes of the inverse's eigenvalues, descending: lambda ascends.
  std::vector<double> sizes() const {
    std::vector<double> result;
    for (double value : inverse_eigenvalues_) result.push_back(std::abs(value));
    std::sort(result.begin(), result.end(), std::greater<>());
    return result;
  }

  // `count` plus the number of further modes with the same eigenvalue as the last of them.
  int whole(int count) const {
    const std::vector<double> all = sizes();
    while (count < static_cast<int>(all.size()) && all[count] >= all[count - 1] * (1 - kSame)) ++count;
    return count;
  }

  // Appends eigenvectors of the inverse's `count` largest eigenvalues in magnitude to those found. Throws SolverError if they do not converge; with a given
  // `limit`, accepts those that do.
  void search(int count, double tolerance = kTolerance, int limit = 0) {
    PetscHandle<EPS> eps;
    check_petsc(EPSCreate(communicator_, eps.receive()));
    check_petsc(EPSSetOptionsPrefix(eps, "modes_"));
    check_petsc(EPSSetOperators(eps, inverse_, nullptr));
    check_petsc(EPSSetProblemType(eps, EPS_HEP));
    check_petsc(EPSSetType(eps, EPSKRYLOVSCHUR));
    check_petsc(EPSSetWhichEigenpairs(eps, EPS_LARGEST_MAGNITUDE));
    check_petsc(EPSSetDimensions(eps, count, PETSC_DEFAULT, PETSC_DEFAULT));
    check_petsc(EPSSetTolerances(eps, tolerance, limit > 0 ? limit : 1000));
    PetscScalar* values = nullptr;
    check_petsc(VecGetArray(work_, &values));
    for (int i = 0; i < system_.halo().owned(); ++i) {
      const int id = system_.mesh().vertex_ids[i];
      Eigen::Map<Vec3>(values + 3 * i) = system_.held().free_part(i, {scattered(id, 0), scattered(id, 1), scattered(id, 2)});
    }
    check_petsc(VecRestoreArray(work_, &values));
    Vec initial = work_;
    check_petsc(EPSSetInitialSpace(eps, 1, &initial));
    if (!found_.empty()) check_petsc(EPSSetDeflationSpace(eps, static_cast<PetscInt>(found_.size()), objects_of(found_).data()));
    check_petsc(EPSSetFromOptions(eps));
    check_petsc(EPSSolve(eps));
    if (!solved_) throw SolverError("modes of vibration: a linear solve with the stiffness did not converge");
    PetscInt converged = 0;
    check_petsc(EPSGetConverged(eps, &converged));
    for (PetscInt k = 0; k < std::min<PetscInt>(converged, count); ++k) {
      PetscScalar value = 0;
      check_petsc(VecDuplicate(work_, found_.emplace_back().receive()));
      check_petsc(EPSGetEigenpair(eps, k, &value, nullptr, found_.back(), nullptr));
      inverse_eigenvalues_.push_back(value);
    }
    if (converged < count && limit == 0)
      throw SolverError(fmt::format("only {} of {} modes of vibration converged; ask for fewer (time.modes)", converged, count));
  }

  // Keeps the modes with the largest inverse eigenvalues.
  void drop_all_but(int count) {
    while (static_cast<int>(found_.size()) > count) {
      const auto smallest =
          std::min_element(inverse_eigenvalues_.begin(), inverse_eigenvalues_.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
      const auto number = smallest - inverse_eigenvalues_.begin();
      found_.erase(found_.begin() + number);
      inverse_eigenvalues_.erase(smallest);
    }
  }

  // Computes eigenvalues from K itself, as Rayleigh quotients, and chooses signs so that the product with the same numbers on every mesh vertex is positive.
  Modes sorted() {
    std::vector<Field> shapes;
    std::vector<double> eigenvalues;
    for (const PetscHandle<Vec>& vector : found_) {
      const PetscScalar* values = nullptr;
      check_petsc(VecGetArrayRead(vector, &values));
      Field shape(system_.halo().local());
      double sign = 0;
      for (int i = 0; i < system_.halo().owned(); ++i) {
        if (system_.held().whole()[i]) continue;
        shape[i] = Eigen::Map<const Vec3>(values + 3 * i) / std::sqrt(system_.mass()[i]);
        for (int c = 0; c < 3; ++c) sign += scattered(system_.mesh().vertex_ids[i], c) * shape[i][c] * system_.mass()[i];
      }
      check_petsc(VecRestoreArrayRead(vector, &values));
      if (sum_over_ranks(communicator_, sign) < 0) shape.array() *= -1;
      system_.exchange(shape);
      eigenvalues.push_back(rayleigh_quotient([&](int i) { return Vec3(shape[i]); }));
      shapes.push_back(std::move(shape));
    }
    std::vector<std::size_t> order(shapes.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return eigenvalues[a] < eigenvalues[b]; });
    Modes modes;
    std::vector<Field> ascending;
    for (std::size_t k : order) {
      modes.eigenvalues.push_back(eigenvalues[k]);
      ascending.push_back(std::move(shapes[k]));
    }
    modes.basis = std::make_shared<const ModalBasis>(system_, std::move(ascending));
    modes.scale = shift_;
    return modes;
  }

  System& system_;
  State state_, direction_;
  Field change_;
  BlockMatrix blocks_;  // df/dq
  MPI_Comm communicator_;
  double shift_ = 0;  // sigma [1/s^2]
  PetscHandle<Vec> work_, scaled_;
  PetscHandle<Mat> shifted_, factored_, inverse_;
  PetscHandle<KSP> ksp_;
  bool solved_ = true;  // whether all systems with factored_ have been solved so far
  std::vector<PetscHandle<Vec>> found_;
  std::vector<double> inverse_eigenvalues_;  // 1 / (lambda + sigma)
};

}  // namespace

Modes lowest_modes(System& system, const State& state, int count, const std::string& source) {
  static const LogEvent event("Modes");
  const LogEvent::Scope timed(event);
  return ModeSolver(system, state).solve(count, source);
}

}  // namespace traction
