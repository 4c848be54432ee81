// Whole runs whose steps change velocities by less than the solver's tolerance: they must not stand still, nor accept what one iteration happens to reach.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/equilibrium.h"

namespace traction {
namespace {

constexpr double kFall = 9.81;

Scene cube_scene(Integrator integrator, double step, int steps) {
  Scene scene;
  scene.gravity = Vec3(0, 0, -kFall);
  scene.time.integrator = integrator;
  scene.time.steps = {{0, step, std::nullopt}};
  scene.time.end = steps * step;
  Body body;
  body.name = "cube";
  body.solid["solid"] = {1e6, 0.3, 1000, {}};
  scene.bodies = {body};
  return scene;
}

Mesh cube() { return test::box_mesh("cube", Vec3::Zero(), Vec3::Constant(0.1), {4, 4, 4}); }

// The largest deviation of vertices above `height` from the velocity of free fall, relative to it.
double deviation(const Simulation& simulation, double height) {
  const State& state = simulation.loop->state();
  const Vec3 expected(0, 0, -kFall * state.time);
  double largest = 0;
  for (int i = 0; i < simulation.system->halo().owned(); ++i)
    if (simulation.mesh->vertices[i].z() > height) largest = std::max(largest, (state.v[i] - expected).norm() / expected.norm());
  return maximum_over_ranks(PETSC_COMM_WORLD, largest);
}

class SlowSteps : public testing::TestWithParam<Integrator> {};

// Weight changes velocities by g h = 9.8e-4 m/s in a step, a tenth of the tolerance.
TEST_P(SlowSteps, ACubeFallsThoughTheToleranceIsAboveWhatAStepChanges) {
  Scene scene = cube_scene(GetParam(), 1e-4, 20);
  scene.solver.tolerance = 1e-2;
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, cube());
  test::run(simulation);
  EXPECT_LT(deviation(simulation, -1), 1e-3);
}

// With the default tolerance of 1e-5 m/s and steps of 5e-7 s, g h is 4.9e-6 m/s. The bottom of the cube is held, and its top falls freely until waves of
// 37 m/s reach it after 2.7 ms.
TEST_P(SlowSteps, ShortStepsMeetTheToleranceRelativeToWhatTheyChange) {
  constexpr double kStep = 5e-7, kLeast = 1e-8;
  Scene scene = cube_scene(GetParam(), kStep, 40);
  FixedSettings held;
  held.region = "bottom";
  scene.bodies[0].fixed = {held};
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, cube());
  const double allowed = std::max(scene.solver.relative_tolerance * kFall * kStep, kLeast);
  double worst = 0;
  while (!simulation.loop->done()) worst = std::max(worst, simulation.loop->advance().solver.residual);
  EXPECT_LE(worst, allowed);
  EXPECT_LT(deviation(simulation, 0.09), 4e-3);
}

INSTANTIATE_TEST_SUITE_P(Integrators, SlowSteps,
                         testing::Values(Integrator::backward_euler, Integrator::trapezoidal, Integrator::bdf2, Integrator::sdirk2, Integrator::tr_sdirk2));

}  // namespace
}  // namespace traction
