// Lagged friction against implicit friction: passes repeated until nothing changes give the implicit solution.

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/scenes.h"
#include "support/two_boxes.h"

namespace traction {
namespace {

// Three steps of a block that slides over a floor and rocks, so that its normal forces change.
State slide(Integrator integrator, FrictionCoupling coupling, int passes) {
  Scene scene = test::resting_box_scene(integrator);
  scene.time.end = 0.015;
  scene.time.maximum_halvings = 0;  // the same steps for all
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
  const double twice = largest_difference(slide(GetParam(), FrictionCoupling::lagged, 2), implicit);
  const double often = largest_difference(slide(GetParam(), FrictionCoupling::lagged, 40), implicit);
  EXPECT_GT(once, 1e-5);  // otherwise the test would show nothing
  EXPECT_LT(twice, 0.5 * once);
  EXPECT_LT(often, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Integrators, FrictionPasses,
                         testing::Values(Integrator::backward_euler, Integrator::trapezoidal, Integrator::bdf2, Integrator::sdirk2, Integrator::tr_sdirk2,
                                         Integrator::tr_bdf2, Integrator::generalized_alpha));

class SinglePass : public testing::TestWithParam<Integrator> {};

// In a single pass the friction of every stage has the normal forces of the step's start, even if a later stage uses an earlier one's force: a block that
// slides along x far above the friction tolerance, while it goes down, loses h mu N of its momentum there.
TEST_P(SinglePass, HasTheNormalForcesOfTheStartInAllStages) {
  Scene scene = test::resting_box_scene(GetParam());
  scene.time.end = 5e-3;
  scene.solver.tolerance = 1e-11;
  scene.bodies[0].damping = {};
  scene.bodies[0].initial.velocity = Vec3(2, 0, -0.1);
  scene.contacts[0].friction->coupling = FrictionCoupling::lagged;
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3(0, 0, 4e-3), Vec3(0.2, 0.2, 0.204), {2, 2, 2}));
  const double normal = simulation.contacts[0]->summarize(simulation.loop->state()).force.z();
  const StepRecord record = simulation.loop->advance();
  EXPECT_GT(record.contacts[0].force.z(), 1.2 * normal);
  double momentum = 0;
  for (int i = 0; i < simulation.system->halo().owned(); ++i) momentum += simulation.system->mass()[i] * (simulation.loop->state().v[i].x() - 2);
  EXPECT_NEAR(sum_over_ranks(PETSC_COMM_WORLD, momentum), -record.dt * 0.4 * normal, 1e-3 * record.dt * normal);
}

INSTANTIATE_TEST_SUITE_P(Integrators, SinglePass, testing::Values(Integrator::trapezoidal, Integrator::sdirk2, Integrator::tr_sdirk2, Integrator::tr_bdf2));

// Three steps without inertia of a block whose top is pressed down and moved sideways.
State press(FrictionCoupling coupling, int passes) {
  Scene scene = test::resting_box_scene(Integrator::backward_euler);
  scene.time.end = 0.015;
  scene.time.inertia = false;
  scene.bodies[0].damping = {};
  scene.solver.relative_tolerance = 1e-9;
  MotionSettings motion;
  motion.velocity = Vec3(0.04, 0.02, -0.1);
  scene.bodies[0].driven = {{{}, "top", {motion}, {}}};
  scene.contacts[0].friction->coupling = coupling;
  scene.contacts[0].friction->passes = passes;
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3(0, 0, 4e-3), Vec3(0.2, 0.2, 0.204), {2, 2, 2}));
  while (!simulation.loop->done()) simulation.loop->advance();
  return simulation.loop->state();
}

TEST(FrictionPassesWithoutInertia, EndAtTheImplicitSolution) {
  const State implicit = press(FrictionCoupling::implicit, 1);
  const double once = largest_difference(press(FrictionCoupling::lagged, 1), implicit);
  EXPECT_GT(once, 1e-4);
  EXPECT_LT(largest_difference(press(FrictionCoupling::lagged, 40), implicit), 1e-4 * once);
}

// The floor as a plane, or as the top of a box within the block's bottom, so that the box has vertices which touch; with either coupling.
class Belt : public testing::TestWithParam<std::tuple<bool, FrictionCoupling>> {};

// A belt starts at 3 m/s within a step, far above the friction tolerance: at the step's end friction is fully developed, the coefficient times the normal
// forces at the end, or at the start if it lags. The block's momentum is the impulse of friction, and the power taken from the belt is friction times the
// belt's velocity.
TEST_P(Belt, PullsWithTheVelocityOfTheStepsEnd) {
  const auto& [is_box, coupling] = GetParam();
  const double speed = 3, step = 5e-3;
  Scene scene = test::resting_box_scene(Integrator::backward_euler);
  scene.time.end = step;
  scene.solver.tolerance = 1e-11;
  scene.bodies[0].damping = {};
  MotionSettings start_up;
  start_up.velocity = Vec3(speed, 0, 0);
  start_up.start = 2e-3;
  if (is_box) scene.obstacles[0].shape = BoxSettings{Vec3(0.03, 0.03, -0.1), Vec3(0.15, 0.15, 0)};
  scene.obstacles[0].motion = {start_up};
  scene.contacts[0].geometry = is_box ? ContactGeometry::edges_and_faces : ContactGeometry::smooth_surface;
  scene.contacts[0].friction->coupling = coupling;
  Mesh mesh = test::box_mesh("block", Vec3(0, 0, 3e-3), Vec3(0.2, 0.2, 0.203), {2, 2, 2});
  test::add_outward_region(mesh, "block");
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, mesh);
  const Vec3 at_start = simulation.contacts[0]->summarize(simulation.loop->state()).force;
  const StepRecord record = simulation.loop->advance();
  ASSERT_EQ(record.dt, step);
  const ContactSummary& contact = record.contacts.at(0);
  const double normal = coupling == FrictionCoupling::lagged ? at_start.z() : contact.force.z(), friction = 0.4 * normal;
  EXPECT_GT(normal, 5);
  EXPECT_NEAR(contact.force.x(), friction, 4e-3 * friction);  // the soft bottom tilts a little over the box
  double work = 0;                                            // over the step, by the forces at its end
  for (const ObstacleLoad& load : contact.obstacles) work -= load.work(Pose(*load.motion, step), Pose(*load.motion, 0));
  EXPECT_NEAR(work, speed * (step - start_up.start) * contact.force.x(), 1e-9 * speed * step * friction);
  double momentum = 0;
  for (int i = 0; i < simulation.system->halo().owned(); ++i) momentum += simulation.system->mass()[i] * simulation.loop->state().v[i].x();
  EXPECT_NEAR(sum_over_ranks(PETSC_COMM_WORLD, momentum), step * contact.force.x(), 1e-7 * step * friction);
}

INSTANTIATE_TEST_SUITE_P(Floors, Belt, testing::Combine(testing::Bool(), testing::Values(FrictionCoupling::implicit, FrictionCoupling::lagged)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param) ? "Box" : "Plane") +
                                  (std::get<1>(info.param) == FrictionCoupling::lagged ? "Lagged" : "Implicit");
                         });

}  // namespace
}  // namespace traction
