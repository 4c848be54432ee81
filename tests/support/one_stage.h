// The first backward Euler step of a scene, as one nonlinear system for Newton's method.
#pragma once

#include <fmt/format.h>
#include <petscvec.h>

#include <algorithm>
#include <string>
#include <vector>

#include "simulation/simulation.h"
#include "solver/newton.h"

namespace traction::test {

class OneStage {
 public:
  OneStage(const Scene& scene, const Mesh& mesh, double step)
      : simulation_(build_simulation(PETSC_COMM_WORLD, scene, mesh)), equation_(*simulation_.system, scene.solver.linear_operator) {
    equation_.begin({step, step, start().q, start().v, Field(halo().local())});
    VecCreateMPI(PETSC_COMM_WORLD, 3 * halo().owned(), PETSC_DETERMINE, &solution_);
    VecDuplicate(solution_, &residual_);
  }
  ~OneStage() {
    VecDestroy(&solution_);
    VecDestroy(&residual_);
  }
  OneStage(const OneStage&) = delete;
  OneStage& operator=(const OneStage&) = delete;

  NewtonReport solve(const SolverSettings& settings) { return solve(settings, {&start().v}); }
  NewtonReport solve(const SolverSettings& settings, const std::vector<const Field*>& velocities) {
    std::vector<Vec> guesses(velocities.size(), nullptr);
    for (std::size_t g = 0; g < guesses.size(); ++g) {
      VecDuplicate(solution_, &guesses[g]);
      PetscScalar* values = nullptr;
      VecGetArray(guesses[g], &values);
      std::copy_n(velocities[g]->values().begin(), 3 * halo().owned(), values);
      VecRestoreArray(guesses[g], &values);
    }
    NewtonSolver solver(equation_, settings);
    const NewtonReport report = solver.solve(guesses, solution_);
    for (Vec& guess : guesses) VecDestroy(&guess);
    return report;
  }
  // Velocity defects [m/s] of the iterates 1, 2, ... until one is below `end`, found by repeated solves with one more iteration each time.
  std::vector<double> defects_of_iterates(SolverSettings settings, double end, int most) { return defects_of_iterates(settings, end, most, start().v); }
  std::vector<double> defects_of_iterates(SolverSettings settings, double end, int most, const Field& guess) {
    std::vector<double> defects;
    for (settings.maximum_iterations = 1; settings.maximum_iterations <= most; ++settings.maximum_iterations) {
      defects.push_back(solve(settings, {&guess}).residual);
      if (defects.back() < end) break;
    }
    return defects;
  }
  // Velocity defect of the last solution, evaluated anew [m/s].
  double defect() {
    equation_.residual(solution_, residual_);
    return equation_.defect(solution_, residual_, 1, 1).velocity;
  }
  const State& start() const { return simulation_.loop->state(); }
  State state() { return equation_.state_of(solution_); }
  const Halo& halo() const { return simulation_.system->halo(); }
  const Simulation& simulation() const { return simulation_; }

 private:
  Simulation simulation_;
  StageEquation equation_;
  Vec solution_ = nullptr, residual_ = nullptr;
};

inline std::string listing(const std::vector<double>& numbers) {
  std::string text;
  for (double number : numbers) text += fmt::format(" {:.2e}", number);
  return text;
}

}  // namespace traction::test
