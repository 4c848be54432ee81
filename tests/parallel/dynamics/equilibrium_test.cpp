// Starts in equilibrium, against the balance of forces on blocks that hang, rest, stick, slide or fall; and runs without inertia.

#include "dynamics/equilibrium.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "errors.h"
#include "parallel/collective.h"
#include "simulation/start_in_equilibrium.h"
#include "support/box_mesh.h"
#include "support/equilibrium.h"
#include "support/two_boxes.h"
#include "system/body_motion.h"

namespace traction {
namespace {

constexpr double kGravity = 9.81, kFriction = 0.5, kTolerance = 1e-3, kThickness = 2e-3, kWeight = 1000 * 0.2 * 0.2 * 0.1 * kGravity;

// A block of 20 x 20 x 10 cm whose bottom is `gap` above the plane z = 0, with gravity turned by `angle` about -y, so that x points down the slope.
class BlockThatSettles {
 public:
  BlockThatSettles(double angle, double gap, const Vec3& velocity = Vec3::Zero(), double friction = kFriction) {
    scene.gravity = kGravity * Vec3(std::sin(angle), 0, -std::cos(angle));
    scene.time.steps = {{0, 5e-3, std::nullopt}};
    scene.time.end = 0.1;
    Body body;
    body.name = "block";
    body.solid["solid"] = {1e6, 0.3, 1000, {}};
    body.initial.equilibrium = true;
    body.initial.equilibrium_source.text = "scene.yaml:7: bodies.block.initial.equilibrium";
    body.initial.velocity = velocity;
    scene.bodies = {body};
    scene.obstacles = {{"floor", PlaneSettings{Vec3::Zero(), Vec3::UnitZ()}, {}, {}}};
    ContactSettings contact;
    contact.name = "rest";
    contact.vertices = {"block", "bottom"};
    contact.against = "floor";
    contact.thickness = kThickness;
    FrictionSettings settings;
    settings.dynamic = settings.static_ = friction;
    settings.tolerance = kTolerance;
    contact.friction = settings;
    scene.contacts = {contact};
    lower_ = Vec3(-0.1, -0.1, gap);
  }

  EquilibriumReport settle() { return settle(test::box_mesh("block", lower_, lower_ + Vec3(0.2, 0.2, 0.1), {4, 4, 2})); }
  EquilibriumReport settle(const Mesh& mesh) {
    simulation = build_simulation(PETSC_COMM_WORLD, scene, mesh);
    start = simulation.loop->state();
    return start_in_equilibrium(simulation).value();
  }
  // The root mean square over vertices of all forces at the start, without M a of the body's mean acceleration `along` x, as accelerations [m/s^2].
  double unbalanced(bool along = false) const {
    const System& system = *simulation.system;
    Field force(system.halo().local());
    system.force(simulation.loop->state(), force);
    std::array<double, 3> sums{};
    for (int i = 0; i < system.halo().owned(); ++i) sums[0] += along ? force[i].x() : 0;
    for (int i = 0; i < system.halo().owned(); ++i) sums[1] += system.mass()[i];
    sum_over_ranks(system.communicator(), sums);
    for (int i = 0; i < system.halo().owned(); ++i)
      sums[2] += system.is_driven()[i] ? 0 : (force[i] - system.mass()[i] * sums[0] / sums[1] * Vec3::UnitX()).squaredNorm() / system.mass()[i];
    return std::sqrt(sum_over_ranks(system.communicator(), sums[2]) / sums[1]);
  }
  BodyMotion motion() const { return body_motions(*simulation.system, simulation.loop->state().q, simulation.loop->state().v).at(0); }
  ContactSummary contact() {
    simulation.contacts[0]->begin_step(simulation.loop->state());
    return simulation.contacts[0]->summarize(simulation.loop->state());
  }

  Scene scene;
  Simulation simulation;
  State start;

 private:
  Vec3 lower_;
};

TEST(Equilibrium, ABlockAboveTheFloorLiesOnItByItsWeight) {
  BlockThatSettles block(0, 5e-2);
  block.settle();
  EXPECT_LT(block.unbalanced(), 2e-5 * kGravity);
  EXPECT_NEAR(block.contact().force.z(), kWeight, 1e-4 * kWeight);
  EXPECT_GT(block.contact().minimum_gap, 0);
  EXPECT_LT(block.contact().minimum_gap, kThickness);
}

// A block that sticks has N = W cos(angle), F = W sin(angle), at the creeping velocity of the smoothed law s(v) = 1 - (1 - v / eps)^2 of theory/friction.md.
TEST(Equilibrium, ABlockThatSticksCreeps) {
  constexpr double kAngle = 0.2;
  BlockThatSettles block(kAngle, kThickness / 2);
  const EquilibriumReport report = block.settle();
  EXPECT_TRUE(report.warnings.empty());
  EXPECT_LT(block.unbalanced(), 2e-5 * kGravity);
  const double creep = kTolerance * (1 - std::sqrt(1 - std::tan(kAngle) / kFriction));
  EXPECT_NEAR(block.motion().velocity.x(), creep, 1e-3 * creep);
  EXPECT_NEAR(block.contact().force.x(), -kWeight * std::sin(kAngle), 1e-4 * kWeight);
  EXPECT_NEAR(block.contact().force.z(), kWeight * std::cos(kAngle), 1e-4 * kWeight);
  const StepRecord last = test::run(block.simulation);
  EXPECT_LT(last.kinetic_energy, kWeight / kGravity * creep * creep);
}

// The block starts with the given velocity, under sliding friction, and its velocity follows v0 - g (mu cos - sin) t. Steps of 5 ms, with every integrator.
class Sliding : public testing::TestWithParam<Integrator> {};

TEST_P(Sliding, ABlockMeetsItsClosedFormFromTheFirstStepOn) {
  constexpr double kAngle = 0.2, kSpeed = 1;
  BlockThatSettles block(kAngle, kThickness / 2, Vec3(kSpeed, 0, 0));
  block.scene.time.integrator = GetParam();
  block.settle();
  EXPECT_LT(block.unbalanced(true), 2e-5 * kGravity);
  const Vec3 before = block.motion().center;
  EXPECT_NEAR(block.motion().velocity.x(), kSpeed, 1e-12);
  test::run(block.simulation);
  const double time = block.scene.time.end, acceleration = kGravity * (std::sin(kAngle) - kFriction * std::cos(kAngle));
  EXPECT_NEAR(block.motion().velocity.x(), kSpeed + acceleration * time, 1e-4 * kSpeed);
  EXPECT_NEAR(block.motion().center.x() - before.x(), (kSpeed + acceleration * time / 2) * time, GetParam() == Integrator::backward_euler ? 2e-3 : 1e-4);
  EXPECT_NEAR(block.motion().center.z(), before.z(), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Integrators, Sliding,
                         testing::Values(Integrator::backward_euler, Integrator::trapezoidal, Integrator::bdf2, Integrator::sdirk2, Integrator::tr_bdf2,
                                         Integrator::tr_sdirk2));

// A ladder leans at 30 degrees on a wall without friction, with its foot on a floor with friction. The wall carries W x / H, where the foot is x beside the
// center and H below the head. As the foot creeps out by the smoothed law the head glides down, so that the ladder turns about the point where both normals
// meet, by their velocity over H.
TEST(Equilibrium, ALadderLeansOnAWall) {
  BlockThatSettles ladder(0, 0, Vec3::Zero(), 0.6);
  const double tilt = EIGEN_PI / 6, foot = 0.5 * std::cos(tilt) + 0.05 * std::sin(tilt), head = 0.5 * std::sin(tilt) + 0.05 * std::cos(tilt);
  const double beside = 0.5 * std::sin(tilt) - 0.05 * std::cos(tilt), height = std::cos(tilt);
  ladder.scene.bodies[0].solid["solid"].youngs_modulus = 1e9;
  ladder.scene.obstacles.push_back({"wall", PlaneSettings{Vec3(head + kThickness / 2, 0, 0), -Vec3::UnitX()}, {}, {}});
  ladder.scene.contacts[0].vertices.region = "surface";
  ContactSettings wall = ladder.scene.contacts[0];
  wall.name = "lean";
  wall.against = "wall";
  wall.friction.reset();
  ladder.scene.contacts.push_back(wall);
  Mesh mesh = test::box_mesh("block", Vec3(-0.05, -0.1, -0.5), Vec3(0.05, 0.1, 0.5), {1, 2, 8});
  for (Vec3& x : mesh.vertices) x = Eigen::AngleAxisd(tilt, Vec3::UnitY()) * x + Vec3(0, 0, foot + kThickness / 2);
  const EquilibriumReport report = ladder.settle(mesh);
  EXPECT_TRUE(report.warnings.empty());
  const double weight = 1000 * 0.1 * 0.2 * 1 * kGravity, share = beside / height;
  EXPECT_NEAR(ladder.contact().force.z(), weight, 1e-3 * weight);
  EXPECT_NEAR(ladder.contact().force.x(), weight * share, 2e-2 * weight * share);
  const double creep = kTolerance * (1 - std::sqrt(1 - share / 0.6));
  EXPECT_NEAR(ladder.motion().angular_velocity.y(), creep / height, 3e-2 * creep / height);
  EXPECT_NEAR(ladder.motion().velocity.x(), creep * (foot / height - 1), 3e-2 * creep);
}

TEST(Equilibrium, ABlockThatFrictionDoesNotHoldStaysAndIsTold) {
  constexpr double kAngle = 0.6;
  BlockThatSettles block(kAngle, 0.95 * kThickness);
  const EquilibriumReport report = block.settle();
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_NE(report.warnings[0].find("body 'block'"), std::string::npos) << report.warnings[0];
  EXPECT_LT(block.unbalanced(true), 2e-5 * kGravity);
  EXPECT_LT(std::abs(block.motion().center.x()), 1e-3);
  EXPECT_NEAR(block.motion().velocity.x(), kTolerance, 1e-2 * kTolerance);
}

TEST(Equilibrium, ABodyWithoutSupportIsRefused) {
  BlockThatSettles block(0, 5e-2);
  block.scene.obstacles.clear();
  block.scene.contacts.clear();
  try {
    block.settle();
    FAIL();
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find("scene.yaml:7: bodies.block.initial.equilibrium: nothing supports body 'block'"), 0u) << message;
  }
}

// It is looked for before each step of pseudo-time, without an error, and before each iteration. An iterate that is good already is accepted first.
TEST(Equilibrium, ASignalEndsTheSearch) {
  BlockThatSettles block(0, 5e-2);
  block.simulation = build_simulation(PETSC_COMM_WORLD, block.scene, test::box_mesh("block", Vec3(-0.1, -0.1, 5e-2), Vec3(0.1, 0.1, 0.15), {2, 2, 1}));
  const State before = block.simulation.loop->state();
  int calls = 0, steps = 0;
  try {
    start_in_equilibrium(block.simulation, [&](std::optional<double> error) {
      steps += error ? 0 : 1;
      return ++calls >= 7 ? 15 : 0;
    });
    FAIL();
  } catch (const Interrupted& interruption) {
    EXPECT_EQ(interruption.signal(), 15);
  }
  EXPECT_GE(calls, 7);
  EXPECT_LE(calls, 8);
  EXPECT_GT(steps, 1);
  EXPECT_LT(steps, calls);
  EXPECT_TRUE(block.simulation.system->driven().empty());
  EXPECT_TRUE(std::ranges::equal(block.simulation.loop->state().q.values(), before.q.values()));
}

TEST(Equilibrium, ABodyThatDoesNotAskForItStays) {
  BlockThatSettles block(0, 5e-2);
  Body other = block.scene.bodies[0];
  other.name = "other";
  other.initial.equilibrium = false;
  other.initial.velocity = Vec3(1, 2, 3);
  block.scene.bodies.push_back(other);
  block.simulation = build_simulation(PETSC_COMM_WORLD, block.scene,
                                      test::join(test::box_mesh("block", Vec3(-0.1, -0.1, 5e-2), Vec3(0.1, 0.1, 0.15), {2, 2, 1}),
                                                 test::box_mesh("other", Vec3(1, 0, 1), Vec3(1.2, 0.2, 1.1), {2, 2, 1})));
  const State before = block.simulation.loop->state();
  start_in_equilibrium(block.simulation);
  const State& after = block.simulation.loop->state();
  for (const int i : block.simulation.system->bodies()[1]) {
    EXPECT_LT((after.q[i] - before.q[i]).norm(), 1e-14);
    EXPECT_EQ(after.v[i], before.v[i]);
  }
  EXPECT_TRUE(block.simulation.system->driven().empty());
  EXPECT_LT(after.v[block.simulation.system->bodies()[0].empty() ? 0 : block.simulation.system->bodies()[0][0]].norm(),
            block.simulation.system->bodies()[0].empty() ? 1e9 : 1e-5);
}

// One step without inertia, ten of them, and long damped steps with inertia lead to the same equilibrium.
TEST(WithoutInertia, AHangingBlockIsWhereItEndsWithInertia) {
  Scene scene;
  scene.gravity = Vec3(0, 0, -kGravity);
  Body body;
  body.name = "block";
  body.solid["solid"] = {1e5, 0.3, 1000, {}};
  body.driven = {{{}, "top", {}, {}}};
  scene.bodies = {body};
  scene.solver.tolerance = scene.solver.relative_tolerance = 1e-9;
  const auto lowest = [&] {
    Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3(0, 0, -0.4), Vec3(0.1, 0.1, 0), {2, 2, 6}));
    const StepRecord last = test::run(simulation);
    EXPECT_NEAR(last.solver.reactions.at(0).force.z(), 1000 * 0.1 * 0.1 * 0.4 * kGravity, 1e-5);
    EXPECT_TRUE(scene.time.inertia || last.kinetic_energy == 0);
    return body_motions(*simulation.system, simulation.loop->state().q, simulation.loop->state().v).at(0).center.z();
  };
  test::settle(scene, 0.2, 60);
  const double settled = lowest();
  scene.time.inertia = false;
  for (const int steps : {1, 10}) {
    test::settle(scene, 1.0 / steps, steps);
    EXPECT_NEAR(lowest(), settled, 1e-8) << steps;
  }
}

// A block dragged over the floor at any rate: the force is mu times its weight, because Coulomb's law has no scale of time.
TEST(WithoutInertia, FrictionHasItsRateForm) {
  for (const double speed : {0.01, 1.0}) {
    BlockThatSettles block(0, kThickness / 2);
    block.scene.time.inertia = false;
    MotionSettings motion;
    motion.velocity = Vec3(speed, 0, 0);
    DrivenSettings driven;
    driven.region = "left";
    driven.motion = {motion};
    driven.components = {Axis::x};
    block.scene.bodies[0].driven = {driven};
    block.scene.bodies[0].initial.equilibrium = false;
    block.scene.time.steps = {{0, 0.01 / speed, std::nullopt}};
    block.scene.time.end = 0.1 / speed;
    block.simulation = build_simulation(PETSC_COMM_WORLD, block.scene, test::box_mesh("block", Vec3(-0.1, -0.1, 1e-3), Vec3(0.1, 0.1, 0.101), {4, 4, 2}));
    const StepRecord last = test::run(block.simulation);
    EXPECT_NEAR(last.contacts[0].force.z(), kWeight, 1e-3 * kWeight) << speed;
    EXPECT_NEAR(last.contacts[0].force.x(), -kFriction * kWeight, 1e-3 * kWeight) << speed;
    EXPECT_NEAR(last.solver.reactions.at(0).force.x(), kFriction * kWeight, 1e-3 * kWeight) << speed;
  }
}

}  // namespace
}  // namespace traction
