// Modes of vibration against closed forms.

#include "solver/modes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/closed_forms.h"
#include "support/compare.h"

namespace traction {
namespace {

Simulation block(const Vec3& size, const std::array<int, 3>& cells, bool held, MPI_Comm communicator = PETSC_COMM_WORLD) {
  Scene scene;
  scene.time.steps = {{0, 1e-3, std::nullopt}};
  scene.time.end = 1;
  Body body;
  body.name = "block";
  body.solid["solid"] = {1e6, 0, 1000, {}};
  if (held) body.driven.push_back({{}, "left", {}, {}});
  scene.bodies = {body};
  return build_simulation(communicator, scene, test::box_mesh("block", Vec3::Zero(), size, cells));
}

Modes modes_of(const Simulation& simulation, int count) { return lowest_modes(*simulation.system, simulation.loop->state(), count); }

TEST(Modes, AFreeBlockHasSixOfFrequencyZero) {
  const Simulation simulation = block(Vec3(0.5, 0.2, 0.13), {5, 3, 2}, false);
  const Modes modes = modes_of(simulation, 8);
  for (int k = 0; k < 6; ++k) EXPECT_LT(std::abs(modes.eigenvalues[k]), 1e-8 * modes.eigenvalues[6]) << k;
  EXPECT_GT(modes.eigenvalues[6], 1e3);
  EXPECT_GT(modes.eigenvalues[7], modes.eigenvalues[6]);
}

TEST(Modes, AreOrthonormalInTheMass) {
  const Simulation simulation = block(Vec3(0.5, 0.2, 0.13), {5, 3, 2}, false);
  const Modes modes = modes_of(simulation, 9);
  for (int k = 0; k < 9; ++k) {
    const Eigen::VectorXd products = modes.basis->coordinates(modes.basis->shape(k));
    EXPECT_LT((products - Eigen::VectorXd::Unit(9, k)).cwiseAbs().maxCoeff(), 1e-11);
  }
}

// K x = lambda M x, with a newly computed product by K.
TEST(Modes, SolveTheEigenvalueProblem) {
  const Simulation simulation = block(Vec3(0.5, 0.2, 0.13), {5, 3, 2}, true);
  System& system = *simulation.system;
  const Modes modes = modes_of(simulation, 5);
  system.linearize(simulation.loop->state());
  for (int k = 0; k < 5; ++k) {
    State direction(system.halo().local());
    direction.q = modes.basis->shape(k);
    Field change(system.halo().local());
    system.product(simulation.loop->state(), direction, change);
    double residual = 0, size = 0;
    for (int i = 0; i < system.halo().owned(); ++i) {
      if (system.is_driven()[i]) {
        EXPECT_EQ(direction.q[i], Vec3::Zero());
        continue;
      }
      const Vec3 expected = modes.eigenvalues[k] * system.mass()[i] * direction.q[i];
      residual += (change[i] + expected).squaredNorm(), size += expected.squaredNorm();
    }
    EXPECT_LT(std::sqrt(sum_over_ranks(PETSC_COMM_WORLD, residual) / sum_over_ranks(PETSC_COMM_WORLD, size)), 1e-8);
  }
}

// If a part of the six modes is requested, all six are returned, because their order is a matter of rounding.
TEST(Modes, AMultipleEigenvalueIsKeptWhole) {
  const Simulation simulation = block(Vec3(0.5, 0.2, 0.13), {5, 3, 2}, false);
  EXPECT_EQ(modes_of(simulation, 3).basis->count(), 6);
  EXPECT_EQ(modes_of(simulation, 6).basis->count(), 6);
  EXPECT_EQ(modes_of(simulation, 7).basis->count(), 7);
}

// Euler and Bernoulli: omega = 1.8751^2 sqrt(E I / (rho A L^4)). Linear tetrahedra are too stiff in bending by a share that falls as the square of their size,
// so that two meshes give the limit: f = (4 f_h/2 - f_h) / 3. A beam of L = 20 d bends and shears at a frequency lower than Euler's by 0.4 %.
TEST(Modes, ACantileversFirstFrequencyIsEulers) {
  const double length = 1, side = 0.05;
  const double expected = 1.875104 * 1.875104 * std::sqrt(1e6 * side * side / 12 / 1000) / (length * length);
  std::vector<double> found;
  for (int refinement : {1, 2}) {
    const Simulation simulation = block(Vec3(length, side, side), {40 * refinement, 3 * refinement, 3 * refinement}, true);
    found.push_back(std::sqrt(modes_of(simulation, 2).eigenvalues[0]));
  }
  const double limit = (4 * found[1] - found[0]) / 3;
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank == 0)
    std::printf("first frequency %.4f, %.4f 1/s on two meshes, in the limit %.4f; Euler's %.4f (%.2f %%)\n", found[0], found[1], limit, expected,
                100 * (limit / expected - 1));
  test::expect_closed_form({"waves and vibrations", "cantilever: first frequency [rad/s]", "1.8751² √(E I/(ρ A L⁴)) (Euler and Bernoulli)", expected, limit,
                            0.01, "40 × 3 × 3 and 80 × 6 × 6 cells, extrapolated", "lowest_modes"});
}

// With pressures averaged over nodes a coarse block has the modes of a fine one, and no others: in an independent computation the lowest 14 frequencies with 4
// cells along an edge are 3.3 % below to 6.4 % above those with 8.
TEST(Modes, AveragedPressuresAddNone) {
  constexpr int kModes = 20;
  const auto frequencies = [](int cells) {
    Scene scene;
    scene.time.steps = {{0, 1e-3, std::nullopt}};
    scene.time.end = 1;
    Body body;
    body.name = "block";
    body.solid["solid"] = {2 * 1.4995, 0.4995, 1, {}};  // shear modulus and density 1
    body.solid["solid"].pressure = PressureAverage::nodal_average;
    scene.bodies = {body};
    const Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3::Zero(), Vec3(1, 0.9, 0.8), {cells, cells, cells}));
    const Modes modes = modes_of(simulation, kModes);
    std::vector<double> result;
    for (int k = 6; k < kModes; ++k) result.push_back(std::sqrt(modes.eigenvalues[k]));
    return result;
  };
  const std::vector<double> coarse = frequencies(4), fine = frequencies(8);
  for (std::size_t k = 0; k < coarse.size(); ++k) {
    EXPECT_GT(coarse[k], 0.96 * fine[k]) << k;
    EXPECT_LT(coarse[k], 1.07 * fine[k]) << k;
  }
  EXPECT_NEAR(coarse[0] * coarse[0], 9.537, 0.001);  // computed apart from this program, by sparse matrices of small strains
  EXPECT_NEAR(fine[0] * fine[0], 8.438, 0.001);
}

TEST(Modes, PartitionsMakeNoDifference) {
  const Vec3 size(0.5, 0.2, 0.13);
  const std::array<int, 3> cells{5, 3, 2};
  const Simulation together = block(size, cells, true), alone = block(size, cells, true, PETSC_COMM_SELF);
  const Modes all = modes_of(together, 6), reference = modes_of(alone, 6);
  for (int k = 0; k < 6; ++k) {
    EXPECT_NEAR(all.eigenvalues[k], reference.eigenvalues[k], 1e-10 * reference.eigenvalues[k]);
    EXPECT_LT(test::difference(test::by_id(*together.mesh, all.basis->shape(k)), test::by_id(*alone.mesh, reference.basis->shape(k))), 1e-7);
  }
}

}  // namespace
}  // namespace traction
