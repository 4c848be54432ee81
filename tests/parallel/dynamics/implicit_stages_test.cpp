// The change of a block's momentum in one step: by contact forces at both ends of the step, and by a force that changes within it.

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/scenes.h"

namespace traction {
namespace {

// [kg m/s]
Vec3 momentum(const Simulation& simulation) {
  std::array<double, 3> sum{};
  for (int i = 0; i < simulation.system->halo().owned(); ++i)
    for (int k = 0; k < 3; ++k) sum[k] += simulation.system->mass()[i] * simulation.loop->state().v[i][k];
  sum_over_ranks(PETSC_COMM_WORLD, sum);
  return {sum[0], sum[1], sum[2]};
}

// The share of the contact force at the step's start in its impulse; the rest is the force at the end.
struct Rule {
  Integrator integrator;
  double start;
};

class ContactImpulse : public testing::TestWithParam<Rule> {};

// The trapezoidal rule averages; the split rule takes the whole contact force from the end: of the penalty and its layers, of friction and of viscous drag.
TEST_P(ContactImpulse, IsThatOfTheRule) {
  Scene scene = test::resting_box_scene(GetParam().integrator);
  scene.time.end = 5e-3;
  scene.solver.tolerance = 1e-12;
  scene.bodies[0].damping = {};
  scene.bodies[0].initial.velocity = Vec3(0.5, 0.2, -0.1);
  scene.contacts[0].friction->viscous = 3;
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3(0, 0, 4e-3), Vec3(0.2, 0.2, 0.204), {2, 2, 2}));
  ContactGroup& contact = *simulation.contacts[0];
  contact.set_hardness({contact.stiffness(), {{4.5e-3, 2 * contact.stiffness()}}});
  const Vec3 before = momentum(simulation), at_start = contact.summarize(simulation.loop->state()).force;
  const StepRecord record = simulation.loop->advance();
  ASSERT_EQ(record.repeats, 0);
  const Vec3 at_end = record.contacts.at(0).force;
  EXPECT_GT((at_end - at_start).norm(), 0.1 * at_end.norm());  // otherwise the ends would not differ
  const Vec3 expected = record.dt * (8 * scene.gravity + GetParam().start * at_start + (1 - GetParam().start) * at_end);
  EXPECT_LT((momentum(simulation) - before - expected).norm(), 1e-8 * expected.norm());
}

INSTANTIATE_TEST_SUITE_P(Rules, ContactImpulse, testing::Values(Rule{Integrator::trapezoidal, 0.5}, Rule{Integrator::trapezoidal_split, 0}),
                         [](const auto& info) { return std::string(traits(info.param.integrator).name); });

class ForceOverTime : public testing::TestWithParam<Integrator> {};

// Under gravity that grows as g t, methods of second order give the velocity g h^2 / 2 of free fall without error, if each stage takes gravity at its own time.
TEST_P(ForceOverTime, IsTakenAtTheTimesOfTheRule) {
  Scene scene;
  scene.time.steps = {{0, 0.01, std::nullopt}};
  scene.time.end = 0.01;
  scene.time.integrator = GetParam();
  scene.time.spectral_radius = 1;
  scene.time.exponential_tolerance = 1e-12;
  scene.gravity = Vec3(0, 0, -10);
  scene.gravity_over = {{0, 0}, {1, 1}};
  Body body;
  body.name = "block";
  body.solid["solid"] = {1e4, 0.3, 1000, {}};
  scene.bodies = {body};
  scene.solver.tolerance = 1e-13;
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3::Zero(), Vec3(0.2, 0.2, 0.2), {2, 2, 2}));
  simulation.loop->advance();
  EXPECT_LT((momentum(simulation) - 8 * Vec3(0, 0, -10 * 0.01 * 0.01 / 2)).norm(), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Integrators, ForceOverTime,
                         testing::Values(Integrator::trapezoidal, Integrator::bdf2, Integrator::tr_bdf2, Integrator::sdirk2, Integrator::tr_sdirk2,
                                         Integrator::sdirk3, Integrator::generalized_alpha, Integrator::ere),
                         [](const auto& info) { return std::string(traits(info.param).name); });

}  // namespace
}  // namespace traction
