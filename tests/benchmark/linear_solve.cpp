// What one linear system of Newton's method costs with each preconditioner: its set-up, its solution and its iterations to a residual of 1e-2, for nearly
// incompressible rubber in a smoothly deformed state. Boxes of any size and number of cells; prints CSV.
//
//   cmake --build build/release --target linear_solve
//   mpirun -n 2 build/release/tests/benchmark/linear_solve --cells 12,12,12 --size 0.1,0.1,0.1 --preconditioners ml,none --repeats 3

#include <fmt/format.h>
#include <petscksp.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "simulation/simulation.h"
#include "solver/preconditioner.h"
#include "support/box_mesh.h"

namespace traction {
namespace {

constexpr double kPi = 3.14159265358979;
constexpr double kTolerance = 1e-2;         // solver.forcing by default
constexpr int kRestart = 60;                // restart of FGMRES, as in NewtonSolver
constexpr int kPreconditionedLimit = 2000;  // solver.maximum_linear_iterations by default

struct Settings {
  std::array<int, 3> cells{12, 12, 12};
  std::array<double, 3> size{0.1, 0.1, 0.1};  // [m]
  std::vector<std::string> preconditioners{"ml", "none"};
  int repeats = 1;
  int limit = 6000;    // iterations at which a solve without preconditioner is given up
  double step = 1e-3;  // [s]
  double speed = 0.1;  // speed of the motion [m/s]
};

struct Result {
  int iterations = 0;
  bool converged = false;
  double setup_seconds = 0, solve_seconds = 0;
};

Scene rubber_block(double step) {
  Scene scene;
  scene.file = "linear_solve";
  scene.time.steps = {{0, step, std::nullopt}};
  scene.time.end = step;
  Body body;
  body.name = "block";
  body.solid["solid"] = {6e6, 0.4995, 934, {}};  // the tennis ball's core
  scene.bodies = {body};
  scene.output.every.reset();
  return scene;
}

// A stage of backward Euler in the middle of a motion: sheared by a tenth, and its linear system there.
class LinearSystem {
 public:
  explicit LinearSystem(const Settings& settings)
      : simulation_(build_simulation(PETSC_COMM_WORLD, rubber_block(settings.step),
                                     test::box_mesh("block", Vec3::Zero(), Vec3(settings.size[0], settings.size[1], settings.size[2]), settings.cells))),
        equation_(*simulation_.system, OperatorKind::assembled) {
    const Halo& halo = simulation_.system->halo();
    const double length = *std::max_element(settings.size.begin(), settings.size.end()), wave = 2 * kPi / length, amplitude = 0.1 / wave;
    State start = simulation_.loop->state();
    for (int i = 0; i < halo.local(); ++i) {
      const Vec3 p = start.q[i];
      auto x = start.q[i];  // three successive shears, none of which changes any volume, as in nearly incompressible bodies
      x.x() += amplitude * std::sin(wave * x.y());
      x.y() += amplitude * std::sin(wave * x.z());
      x.z() += amplitude * std::sin(wave * x.x());
      // The step itself changes volumes by the square of its strain: at 0.1 m/s the pressure stays below the shear modulus; at 1 m/s it is far above, as in an
      // impact, and the system is indefinite.
      start.v[i] = settings.speed * Vec3(std::cos(wave * p.z()), std::cos(wave * p.x()), std::cos(wave * p.y()));  // [m/s]
    }
    equation_.begin({settings.step, settings.step, start.q, start.v, Field(halo.local())});
    VecCreateMPI(PETSC_COMM_WORLD, 3 * halo.owned(), PETSC_DETERMINE, &right_side_);
    VecDuplicate(right_side_, &solution_);
    PetscScalar* values = nullptr;
    VecGetArray(solution_, &values);
    std::copy_n(start.v.values().begin(), 3 * halo.owned(), values);
    VecRestoreArray(solution_, &values);
    equation_.linearize(solution_);
    equation_.residual(solution_, right_side_);
    const PetscInt size = 3 * halo.owned();
    MatCreateShell(PETSC_COMM_WORLD, size, size, PETSC_DETERMINE, PETSC_DETERMINE, &equation_, &operator_);
    MatShellSetOperation(operator_, MATOP_MULT, reinterpret_cast<void (*)()>(&LinearSystem::product));
  }
  ~LinearSystem() {
    MatDestroy(&operator_);
    VecDestroy(&right_side_);
    VecDestroy(&solution_);
  }
  LinearSystem(const LinearSystem&) = delete;
  LinearSystem& operator=(const LinearSystem&) = delete;

  const PartitionQuality& quality() const { return simulation_.quality; }

  Result solve(PreconditionerKind kind, int limit) {
    auto check = [](PetscErrorCode error) { PetscCallAbort(PETSC_COMM_WORLD, error); };
    Result result;
    MPI_Barrier(PETSC_COMM_WORLD);
    const double start = MPI_Wtime();
    Preconditioner preconditioner(equation_, kind);
    KSP ksp = nullptr;
    PC pc = nullptr;
    check(KSPCreate(PETSC_COMM_WORLD, &ksp));
    check(KSPSetType(ksp, kind == PreconditionerKind::none ? KSPBCGS : KSPFGMRES));
    check(KSPGMRESSetRestart(ksp, kRestart));
    check(KSPSetPCSide(ksp, PC_RIGHT));
    check(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
    check(KSPSetTolerances(ksp, kTolerance, PETSC_DEFAULT, PETSC_DEFAULT, kind == PreconditionerKind::none ? limit : kPreconditionedLimit));
    check(KSPGetPC(ksp, &pc));
    preconditioner.configure(pc);
    check(KSPSetFromOptions(ksp));
    check(KSPSetOperators(ksp, operator_, preconditioner.attach(ksp, operator_)));
    if (kind != PreconditionerKind::none) preconditioner.update(true);
    check(KSPSetUp(ksp));
    MPI_Barrier(PETSC_COMM_WORLD);
    const double middle = MPI_Wtime();
    check(KSPSolve(ksp, right_side_, solution_));
    MPI_Barrier(PETSC_COMM_WORLD);
    result.setup_seconds = middle - start;
    result.solve_seconds = MPI_Wtime() - middle;
    PetscInt iterations = 0;
    KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
    check(KSPGetIterationNumber(ksp, &iterations));
    check(KSPGetConvergedReason(ksp, &reason));
    result.iterations = static_cast<int>(iterations);
    result.converged = reason > 0;
    check(KSPDestroy(&ksp));
    return result;
  }

 private:
  static PetscErrorCode product(Mat matrix, Vec direction, Vec result) {
    StageEquation* equation = nullptr;
    PetscCall(MatShellGetContext(matrix, &equation));
    equation->product(direction, result);
    return 0;
  }

  Simulation simulation_;
  StageEquation equation_;
  Mat operator_ = nullptr;
  Vec right_side_ = nullptr, solution_ = nullptr;
};

void run(const Settings& settings) {
  std::vector<PreconditionerKind> kinds;
  for (const std::string& name : settings.preconditioners)
    for (const auto& choice : choices_of(PreconditionerKind()))
      if (choice.word == name) kinds.push_back(choice.value);
  LinearSystem system(settings);
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank == 0) fmt::print("vertices,tetrahedra,preconditioner,repeat,iterations,converged,setup_seconds,solve_seconds\n");
  // Every repeat measures all of them in turn, so that a temporary disturbance does not affect only one.
  for (int repeat = 1; repeat <= settings.repeats; ++repeat)
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      const Result result = system.solve(kinds[k], settings.limit);
      if (rank == 0) {
        fmt::print("{},{},{},{},{},{},{:.6g},{:.6g}\n", system.quality().vertices_total, system.quality().elements_total, settings.preconditioners[k], repeat,
                   result.iterations, result.converged ? 1 : 0, result.setup_seconds, result.solve_seconds);
        std::fflush(stdout);
      }
    }
}

}  // namespace
}  // namespace traction

int main(int argc, char** argv) {
  traction::Settings settings;
  std::vector<std::string> names;
  for (const auto& choice : choices_of(traction::PreconditionerKind())) names.emplace_back(choice.word);
  CLI::App app("Solves one linear system of Newton's method with several preconditioners.");
  app.add_option("--cells", settings.cells, "cells along x, y and z, six tetrahedra each")->delimiter(',')->check(CLI::PositiveNumber);
  app.add_option("--size", settings.size, "edges of the box [m]")->delimiter(',')->check(CLI::PositiveNumber);
  app.add_option("--preconditioners", settings.preconditioners, "what to compare")->delimiter(',')->check(CLI::IsMember(names));
  app.add_option("--repeats", settings.repeats)->check(CLI::PositiveNumber);
  app.add_option("--limit", settings.limit, "iterations at which BiCGSTAB without preconditioner is given up")->check(CLI::PositiveNumber);
  app.add_option("--step", settings.step, "[s]")->check(CLI::PositiveNumber);
  app.add_option("--speed", settings.speed, "of the motion [m/s]: the faster, the less definite the system")->check(CLI::PositiveNumber);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  PetscInitialize(nullptr, nullptr, nullptr, nullptr);
  traction::run(settings);
  PetscFinalize();
  return 0;
}
