// Quantities that motion must conserve: momentum in free flight, and the balance of weight and contact force at rest.

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/closed_forms.h"

namespace traction {
namespace {

struct Momentum {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();  // about the origin
};

Momentum momentum_of(const Simulation& simulation) {
  const System& system = *simulation.system;
  const State& state = simulation.loop->state();
  std::array<double, 6> sums{};
  for (int i = 0; i < system.halo().owned(); ++i) {
    const Vec3 p = system.mass()[i] * state.v[i], l = Vec3(state.q[i]).cross(p);
    for (int k = 0; k < 3; ++k) sums[k] += p[k], sums[3 + k] += l[k];
  }
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), 6, MPI_DOUBLE, MPI_SUM, system.communicator());
  return {Vec3(sums[0], sums[1], sums[2]), Vec3(sums[3], sums[4], sums[5])};
}

// A spinning, gas-filled soft block in free flight for 0.1 s.
Simulation spinning_block(Integrator integrator, double step) {
  Scene scene;
  scene.time.steps = {{0, step, std::nullopt}};
  scene.time.end = 0.1;
  scene.time.integrator = integrator;
  Body body;
  body.name = "block";
  body.solid["solid"] = {1e5, 0.45, 1000, {}};
  VolumePenaltySettings volume;
  volume.surface = "surface";
  volume.gauge_pressure = 5000;
  body.volumes = {volume};
  body.initial.velocity = Vec3(3, -1, 2);
  body.initial.angular_velocity = Vec3(2, 9, -4);
  scene.bodies = {body};
  scene.solver.tolerance = 1e-13;
  scene.solver.forcing = 1e-4;
  return build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3(-0.1, -0.1, -0.15), Vec3(0.1, 0.1, 0.15), {3, 3, 4}));
}

// A block that falls in steps so short that the velocity changes by less than the tolerance in each: no step may be mistaken for rest.
TEST(Fall, ShortStepsAddUp) {
  Scene scene;
  scene.time.steps = {{0, 1e-7, std::nullopt}};
  scene.time.end = 1e-5;
  scene.gravity = Vec3(0, 0, -9.81);
  Body body;
  body.name = "block";
  body.solid["solid"] = {1e5, 0.45, 1000, {}};
  scene.bodies = {body};
  ASSERT_GT(scene.solver.tolerance, 9.81e-7);
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3::Zero(), Vec3::Ones(), {2, 2, 2}));
  while (!simulation.loop->done()) simulation.loop->advance();
  for (int i = 0; i < simulation.system->halo().owned(); ++i) EXPECT_NEAR(simulation.loop->state().v[i].z(), -9.81e-5, 1e-10);
}

class FreeFlight : public testing::TestWithParam<Integrator> {
 protected:
  // Relative drifts of linear and angular momentum.
  std::pair<double, double> drifts(double step) {
    Simulation simulation = spinning_block(GetParam(), step);
    const Momentum before = momentum_of(simulation);
    while (!simulation.loop->done()) simulation.loop->advance();
    const Momentum after = momentum_of(simulation);
    return {(after.linear - before.linear).norm() / before.linear.norm(), (after.angular - before.angular).norm() / before.angular.norm()};
  }
};

TEST_P(FreeFlight, KeepsMomentum) {
  const auto [linear, angular] = drifts(1e-3);
  const auto [linear_fine, angular_fine] = drifts(5e-4);
  // The solver's tolerance of 1e-13 m/s against 3.7 m/s, over 100 and 200 steps.
  EXPECT_LT(linear, 1e-11);
  EXPECT_LT(linear_fine, 1e-11);
  const double order = std::log2(angular / angular_fine);
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank == 0) std::printf("linear momentum drift %.2g, angular %.3g at 1 ms and %.3g at 0.5 ms: order %.2f\n", linear, angular, angular_fine, order);
  if (GetParam() == Integrator::backward_euler) {
    EXPECT_GT(order, 0.9);
  } else {
    EXPECT_GT(order, 1.8);
    EXPECT_LT(angular, 2e-3);
  }
}

INSTANTIATE_TEST_SUITE_P(Integrators, FreeFlight,
                         testing::Values(Integrator::backward_euler, Integrator::trapezoidal, Integrator::bdf2, Integrator::tr_bdf2, Integrator::sdirk2,
                                         Integrator::tr_sdirk2));

// A body at rest on the court is carried by the contact force alone: its weight, to 1e-6.
TEST(AtRest, ContactForceCarriesTheWeight) {
  Scene scene;
  scene.time.steps = {{0, 5e-3, std::nullopt}, {1, 0.1, std::nullopt}};
  scene.time.end = 10;
  scene.time.integrator = Integrator::backward_euler;  // the most dissipative brings the body to rest soonest
  scene.gravity = Vec3(0, 0, -9.81);
  Body body;
  body.name = "block";
  body.solid["solid"] = {1e5, 0.45, 1000, {}};
  body.damping = {5, 1e-3};
  scene.bodies = {body};
  Obstacle floor;
  floor.name = "floor";
  floor.shape = PlaneSettings{Vec3::Zero(), Vec3::UnitZ()};
  scene.obstacles = {floor};
  ContactSettings contact;
  contact.name = "rest";
  contact.vertices = {"block", "surface"};
  contact.against = "floor";
  contact.thickness = 5e-3;
  FrictionSettings friction;
  friction.dynamic = friction.static_ = 0.5;
  contact.friction = friction;
  scene.contacts = {contact};
  scene.solver.tolerance = 1e-11;
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3(0, 0, 0.004), Vec3(0.2, 0.2, 0.204), {4, 4, 4}));
  StepRecord last;
  while (!simulation.loop->done()) last = simulation.loop->advance();
  const double weight = 1000 * 0.2 * 0.2 * 0.2 * 9.81;
  test::expect_closed_form(
      {"contact", "block at rest: contact force", "m g", weight, last.contacts.at(0).force.z(), 1e-6, "4 × 4 × 4 cells", "backward Euler until rest"});
  EXPECT_NEAR(last.contacts.at(0).force.x(), 0, 1e-6 * weight);
}

}  // namespace
}  // namespace traction
