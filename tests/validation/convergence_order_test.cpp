// Observed order of every integrator on a swinging nonlinear block, against its own fine solution (P0 Sec. IV-A: 1 for backward Euler, 2 for others; P1
// Sec. 3: the same for one Newton iteration per stage, 2 for ERE; Alexander 1977: 3 for SDIRK3).

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"

namespace traction {
namespace {

// A soft slender block, held at its left end and swinging under gravity through large rotations.
struct Scheme {
  Integrator integrator;
  bool semi_implicit = false;
};

Simulation swinging_block(Scheme scheme, double step) {
  Scene scene;
  scene.time.steps = {{0, step, std::nullopt}};
  scene.time.end = 0.4;
  scene.time.integrator = scheme.integrator;
  scene.time.semi_implicit = scheme.semi_implicit;
  scene.time.exponential_tolerance = 1e-11;
  scene.gravity = Vec3(0, 0, -9.81);
  Body body;
  body.name = "block";
  body.solid["solid"] = {2e4, 0.3, 1000, {}};
  DrivenSettings held;
  held.region = "left";
  body.driven = {held};
  scene.bodies = {body};
  scene.solver.tolerance = 1e-11;
  scene.solver.forcing = 1e-4;
  return build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3::Zero(), Vec3(1, 0.25, 0.25), {8, 2, 2}));
}

// Largest distance between owned vertices of two runs of the same mesh on the same ranks [m].
double distance(const Simulation& a, const Simulation& b) {
  double largest = 0;
  for (int i = 0; i < a.system->halo().owned(); ++i) largest = std::max(largest, (a.loop->state().q[i] - b.loop->state().q[i]).norm());
  return maximum_over_ranks(PETSC_COMM_WORLD, largest);
}

class ConvergenceOrder : public testing::TestWithParam<Scheme> {};

TEST_P(ConvergenceOrder, UnderRefinement) {
  auto finished = [](double step) {
    Simulation simulation = swinging_block(GetParam(), step);
    while (!simulation.loop->done()) simulation.loop->advance();
    return simulation;
  };
  // Three runs give the order without knowing the solution: log2 |u_h - u_h/2| / |u_h/2 - u_h/4|.
  const double h = 0.4 / 160;
  const Simulation coarse = finished(h), middle = finished(h / 2), fine = finished(h / 4);
  const double first = distance(coarse, middle), second = distance(middle, fine), order = std::log2(first / second);
  RecordProperty("order", std::to_string(order));
  const int expected = traits(GetParam().integrator).order;
  EXPECT_GE(order, expected - 0.1);
  EXPECT_LE(order, expected + (expected == 1 ? 0.2 : 0.3));
  EXPECT_GT(first, 1e-7);  // far above the solver's tolerance, so that the integrator's error is measured
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank == 0) std::printf("observed order %.3f (differences %.3g m, %.3g m)\n", order, first, second);
}

INSTANTIATE_TEST_SUITE_P(Integrators, ConvergenceOrder,
                         testing::Values(Scheme{Integrator::backward_euler}, Scheme{Integrator::trapezoidal}, Scheme{Integrator::bdf2},
                                         Scheme{Integrator::tr_bdf2}, Scheme{Integrator::sdirk2}, Scheme{Integrator::tr_sdirk2}, Scheme{Integrator::sdirk3},
                                         Scheme{Integrator::generalized_alpha}, Scheme{Integrator::ere}));
// SI, STR, SBDF2, ...
INSTANTIATE_TEST_SUITE_P(SemiImplicit, ConvergenceOrder,
                         testing::Values(Scheme{Integrator::backward_euler, true}, Scheme{Integrator::trapezoidal, true}, Scheme{Integrator::bdf2, true},
                                         Scheme{Integrator::tr_bdf2, true}, Scheme{Integrator::sdirk2, true}, Scheme{Integrator::tr_sdirk2, true},
                                         Scheme{Integrator::generalized_alpha, true}));

}  // namespace
}  // namespace traction
