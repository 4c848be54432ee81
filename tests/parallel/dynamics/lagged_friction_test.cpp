// Friction that lags, against friction that does not: passes repeated until nothing changes are the implicit solution.

#include <gtest/gtest.h>

#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/scenes.h"

namespace traction {
namespace {

// Three steps of a block that slides over a floor and rocks, so that its normal forces change.
State slide(Integrator integrator, FrictionCoupling coupling, int passes) {
  Scene scene = test::resting_box_scene(integrator);
  scene.time.end = 0.015;
  scene.solver.tolerance = 1e-11;
  scene.bodies[0].initial.velocity = Vec3(0.5, 0.2, -0.1);
  scene.contacts[0].friction->coupling = coupling;
  scene.contacts[0].friction->passes = passes;
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3(0, 0, 4e-3), Vec3(0.2, 0.2, 0.204), {2, 2, 2}));
  while (!simulation.loop->done()) simulation.loop->advance();
  return simulation.loop->state();
}

double largest_difference(const State& a, const State& b) { return maximum_over_ranks(PETSC_COMM_WORLD, (a.v.array() - b.v.array()).cwiseAbs().maxCoeff()); }

class FrictionPasses : public testing::TestWithParam<Integrator> {};

TEST_P(FrictionPasses, EndAtTheImplicitSolution) {
  const State implicit = slide(GetParam(), FrictionCoupling::implicit, 1);
  const double once = largest_difference(slide(GetParam(), FrictionCoupling::lagged, 1), implicit);
  const double often = largest_difference(slide(GetParam(), FrictionCoupling::lagged, 40), implicit);
  EXPECT_GT(once, 1e-5);  // or this would show nothing
  EXPECT_LT(often, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Integrators, FrictionPasses,
                         testing::Values(Integrator::backward_euler, Integrator::trapezoidal, Integrator::sdirk2, Integrator::tr_sdirk2, Integrator::tr_bdf2));

}  // namespace
}  // namespace traction
