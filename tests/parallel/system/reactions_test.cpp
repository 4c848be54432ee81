// Forces of supports on bodies, against weights, moments and M a.

#include <gtest/gtest.h>

#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/equilibrium.h"

namespace traction {
namespace {

constexpr double kGravity = 9.81;

Scene held_block(const std::string& region, const Motion& motion = {}) {
  Scene scene;
  Body body;
  body.name = "block";
  body.solid["solid"] = {1e6, 0.4, 1000, {}};
  body.driven = {{{}, region, motion, {}}};
  scene.bodies = {body};
  scene.solver.tolerance = 1e-11;
  return scene;
}

// Sum over all vertices of mass times action(position).
template <typename Action>
Vec3 mass_sum(const Simulation& simulation, Action action) {
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < simulation.system->halo().owned(); ++i) sum += simulation.system->mass()[i] * action(Vec3(simulation.loop->state().q[i]));
  sum_over_ranks(PETSC_COMM_WORLD, {sum.data(), 3});
  return sum;
}

TEST(Reactions, AHangingBlockHangsByItsWeight) {
  Scene scene = held_block("top");
  scene.gravity = Vec3(0, 0, -kGravity);
  test::settle(scene, 0.1, 12);
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3(0.3, 0.1, -0.4), Vec3(0.5, 0.4, 0), {2, 3, 4}));
  const Reaction reaction = test::run(simulation).solver.reactions.at(0);
  const double weight = 1000 * 0.2 * 0.3 * 0.4 * kGravity;
  EXPECT_LT((reaction.force - Vec3(0, 0, weight)).norm(), 1e-8 * weight);
  EXPECT_LT((reaction.moment - Vec3(0.4, 0.25, 0).cross(Vec3(0, 0, weight))).norm(), 1e-3 * weight);  // except for asymmetries of the mesh
  const Vec3 moment = mass_sum(simulation, [](const Vec3& x) { return Vec3(x.cross(Vec3(0, 0, kGravity))); });
  EXPECT_LT((reaction.moment - moment).norm(), 1e-8 * weight);
}

// The clamp of a beam along x carries its weight W, and W L / 2 about the y axis.
TEST(Reactions, ACantileverNeedsAMoment) {
  Scene scene = held_block("left");
  scene.gravity = Vec3(0, 0, -kGravity);
  scene.bodies[0].solid["solid"].youngs_modulus = 1e9;
  scene.solver.tolerance = 1e-8;
  test::settle(scene, 0.1, 12);
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3(0, -0.05, -0.05), Vec3(1, 0.05, 0.05), {10, 2, 2}));
  const Reaction reaction = test::run(simulation).solver.reactions.at(0);
  const double weight = 1000 * 0.1 * 0.1 * kGravity;
  EXPECT_LT((reaction.force - Vec3(0, 0, weight)).norm(), 1e-7 * weight);
  EXPECT_LT((reaction.moment - Vec3(0, -weight / 2, 0)).norm(), 2e-3 * weight);  // the mesh's masses are not quite symmetric
  const Vec3 moment = mass_sum(simulation, [](const Vec3& x) { return Vec3(x.cross(Vec3(0, 0, kGravity))); });
  EXPECT_LT((reaction.moment - moment).norm(), 1e-7 * weight);
}

class Pushed : public testing::TestWithParam<Integrator> {};

// F = M a on the ramp of the motion, 0 after it; the bar is so stiff that its vibrations die within a few steps. (SDIRK2 has stages that accelerate unevenly.)
TEST_P(Pushed, ABarTakesItsMassTimesTheAcceleration) {
  MotionSettings motion;
  motion.velocity = Vec3(0.6, 0, 0.8);
  motion.ramp = 0.5;
  Scene scene = held_block("left", {motion});
  scene.bodies[0].solid["solid"].youngs_modulus = 1e9;
  scene.solver.tolerance = 1e-8;
  scene.bodies[0].damping.stiffness = 1e-2;
  test::settle(scene, 0.025, 40);
  scene.time.integrator = GetParam();
  scene.time.spectral_radius = 0;
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3::Zero(), Vec3(1, 0.2, 0.2), {4, 1, 1}));
  const double mass = 1000 * 0.04;
  while (!simulation.loop->done()) {
    const StepRecord record = simulation.loop->advance();
    const double time = simulation.loop->state().time;
    if (std::abs(time - 0.5) > 1e-9 && std::abs(time - 1) > 1e-9) continue;
    const Vec3 expected = time < 0.75 ? Vec3(mass / motion.ramp * motion.velocity) : Vec3::Zero();
    EXPECT_LT((record.solver.reactions.at(0).force - expected).norm(), 1e-5 * mass / motion.ramp) << time;
  }
}

INSTANTIATE_TEST_SUITE_P(Integrators, Pushed, testing::Values(Integrator::backward_euler, Integrator::bdf2, Integrator::generalized_alpha));

// The whole body turns at a constant rate about an axis beside it. The support pulls towards the axis with sum m omega^2 r and, through air whose drag is alpha
// m v, turns it with alpha omega sum m r^2, which backward Euler underestimates by (omega h)^2 / 6.
class Turning : public testing::TestWithParam<double> {};

TEST_P(Turning, ABlockIsHeldInItsOrbit) {
  constexpr double kRate = 3, kStep = 5e-3;
  MotionSettings motion;
  motion.angular_velocity = Vec3(0, 0, kRate);
  motion.about = Vec3(0.1, 0.2, 0);
  Scene scene = held_block("all", {motion});
  scene.bodies[0].damping.mass = GetParam();
  test::settle(scene, kStep, 10);
  Mesh mesh = test::box_mesh("block", Vec3(1, 0, 0), Vec3(1.5, 0.5, 0.2), {2, 2, 1});
  mesh.regions.push_back({"block.all", 0, mesh.find_region("block")->members});
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, mesh);
  const Reaction reaction = test::run(simulation).solver.reactions.at(0);
  const auto arm = [&](const Vec3& x) { return Vec3(x.x() - 0.1, x.y() - 0.2, 0); };
  const Vec3 towards = mass_sum(simulation, [&](const Vec3& x) { return Vec3(-kRate * kRate * arm(x)); });
  const double inertia = mass_sum(simulation, [&](const Vec3& x) { return Vec3(arm(x).squaredNorm(), 0, 0); }).x();
  const double torque = reaction.moment.z() - motion.about.cross(reaction.force).z();
  const double expected = GetParam() * kRate * inertia * (1 - std::pow(kRate * kStep, 2) / 6);
  EXPECT_NEAR(torque, expected, GetParam() == 0 ? 1e-9 * towards.norm() : 1e-7 * expected);
  if (GetParam() == 0) {
    EXPECT_LT((reaction.force - towards).norm(), 1e-9 * towards.norm());
  }
}

INSTANTIATE_TEST_SUITE_P(Drags, Turning, testing::Values(0.0, 0.7));

}  // namespace
}  // namespace traction
