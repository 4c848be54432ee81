// Steps as long as a tolerance of their error allows, on a block whose vertices all hang on springs of one frequency and move alike.

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <vector>

#include "forces/point_spring.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"

namespace traction {
namespace {

constexpr double kLongStep = 0.01, kFrequency = 20;  // [s], [1/s]

Simulation on_springs(std::optional<double> tolerance, double drag) {
  Scene scene;
  scene.time.steps = {{0, kLongStep, std::nullopt}};
  scene.time.end = 0.4;
  scene.time.integrator = Integrator::sdirk2;
  scene.time.error_tolerance = tolerance;
  Body body;
  body.name = "block";
  body.solid["solid"] = {1e4, 0.3, 1000, {}};
  body.damping = {drag, 0};
  body.initial.velocity = Vec3(1, 0, 0);
  scene.bodies = {body};
  scene.solver.tolerance = 1e-13;
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3::Zero(), Vec3(0.2, 0.2, 0.2), {2, 2, 2}));
  std::vector<double> stiffness;
  std::vector<Vec3> points;
  for (int i = 0; i < simulation.system->halo().owned(); ++i) {
    stiffness.push_back(kFrequency * kFrequency * simulation.system->mass()[i]);
    points.push_back(simulation.mesh->vertices[i]);
  }
  simulation.system->add(std::make_shared<PointSpring>(stiffness, points));
  return simulation;
}

double number(const Simulation& simulation, const char* name) {
  Archive archive;
  simulation.loop->save(archive);
  return archive.number(name);
}

// A method of second order has an error of the cube of its step. A step with 8^2.5 times the tolerance is divided by 8 at once, and because twice that step
// would exceed the tolerance, steps remain so short.
TEST(ErrorControl, HalvesAsOftenAsTheOrderAsksFor) {
  const double error = on_springs({}, 0).loop->advance().error, tolerance = error / std::pow(8, 2.5);
  const Simulation simulation = on_springs(tolerance, 0);
  for (int step = 0; step < 10; ++step) {
    const StepRecord record = simulation.loop->advance();
    EXPECT_EQ(record.repeats, step == 0 ? 1 : 0);
    EXPECT_NEAR(record.dt, kLongStep / 8, 1e-12);
    EXPECT_NEAR(record.error, error / 512, 0.15 * error / 512);
  }
}

// As a drag brings the block to rest, steps are doubled after each four whose eightfold error is within half of the tolerance.
TEST(ErrorControl, StepsGrowAsTheErrorFalls) {
  const double tolerance = on_springs({}, 30).loop->advance().error / 100;
  const Simulation simulation = on_springs(tolerance, 30);
  int small = 0, doublings = 0;
  double halvings = 0;
  while (!simulation.loop->done()) {
    const StepRecord record = simulation.loop->advance();
    EXPECT_LE(record.error, tolerance);
    small = 16 * record.error <= tolerance ? small + 1 : 0;
    const double now = number(simulation, "halvings");
    if (record.repeats == 0 && now < halvings) {
      EXPECT_EQ(now, halvings - 1);
      EXPECT_GE(small, 4);
      small = 0;
      ++doublings;
    }
    halvings = now;
  }
  EXPECT_GE(doublings, 2);
}

}  // namespace
}  // namespace traction
