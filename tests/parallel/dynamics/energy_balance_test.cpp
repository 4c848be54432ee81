// The energy account of a run, against closed forms.

#include "dynamics/energy_balance.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <numbers>

#include "forces/point_spring.h"
#include "forces/rayleigh_damping.h"
#include "forces/spring_damper.h"
#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/equilibrium.h"
#include "support/two_boxes.h"

namespace traction {
namespace {

Scene block_scene(double step, double end, Integrator integrator = Integrator::trapezoidal) {
  Scene scene;
  scene.time.steps = {{0, step, std::nullopt}};
  scene.time.end = end;
  scene.time.integrator = integrator;
  Body body;
  body.name = "block";
  body.solid["solid"] = {1e4, 0.3, 1000, {}};
  scene.bodies = {body};
  scene.solver.tolerance = 1e-13;
  return scene;
}

// A block, and another 0.3 m beside it.
Mesh two_blocks() {
  return test::join(test::box_mesh("block", Vec3::Zero(), Vec3(0.2, 0.2, 0.2), {2, 2, 2}),
                    test::box_mesh("other", Vec3(0.5, 0, 0), Vec3(0.7, 0.2, 0.2), {2, 2, 2}));
}

Mesh block_mesh() { return test::box_mesh("block", Vec3::Zero(), Vec3(0.2, 0.2, 0.2), {2, 2, 2}); }

std::map<std::string, double> balance_of(const Simulation& simulation) {
  const auto items = simulation.loop->energy_balance();
  return {items.begin(), items.end()};
}

double change(const std::map<std::string, double>& balance) {
  return balance.at("kinetic_at_end") + balance.at("stored_at_end") - balance.at("kinetic_at_start") - balance.at("stored_at_start");
}

double works(const std::map<std::string, double>& balance) {
  double sum = 0;
  for (const char* name : kWorkNames) sum += balance.at(std::string("work_") + name);
  return sum;
}

// Weight, and linear springs that hold all vertices: the trapezoidal rule keeps the energy.
TEST(EnergyBalance, ClosesWhereTheIntegratorConserves) {
  Scene scene = block_scene(0.01, 0.6);
  scene.gravity = Vec3(0, 0, -9.81);
  scene.bodies[0].initial.velocity = Vec3(1, 2, -0.5);
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, block_mesh());
  std::vector<double> stiffness;
  std::vector<Vec3> points;
  for (int i = 0; i < simulation.system->halo().owned(); ++i) {
    stiffness.push_back(20 * simulation.system->mass()[i]);
    points.push_back(simulation.mesh->vertices[i]);
  }
  simulation.system->add(std::make_shared<PointSpring>(stiffness, points));
  test::run(simulation);
  const auto balance = balance_of(simulation);
  const double moved = balance.at("kinetic_at_start");
  EXPECT_GT(std::abs(balance.at("kinetic_at_end") - balance.at("kinetic_at_start")), 0.1 * moved);
  EXPECT_NEAR(balance.at("numerical"), 0, 1e-10 * moved);
  EXPECT_EQ(works(balance), 0);
}

TEST(EnergyBalance, ItsItemsAddUp) {
  Scene scene = block_scene(2e-3, 0.1, Integrator::sdirk2);
  scene.gravity = Vec3(0, 0, -9.81);
  scene.bodies[0].damping = {0.5, 1e-3};
  MotionSettings shake;
  shake.velocity = Vec3(0.3, 0, 0);
  shake.ramp = 0.02;
  scene.bodies[0].driven = {{{}, "top", {shake}, {}}};
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, block_mesh());
  test::run(simulation);
  const auto balance = balance_of(simulation);
  EXPECT_GT(balance.at("work_driven"), 0);
  EXPECT_LT(balance.at("work_damping"), 0);
  EXPECT_NEAR(change(balance), works(balance) + balance.at("numerical"), 1e-12);
}

// Driven and damped motion: the remainder falls with the square of the step.
TEST(EnergyBalance, WorksAreOfSecondOrder) {
  const auto left_over = [](double step) {
    Scene scene = block_scene(step, 0.2);
    scene.bodies[0].damping = {2, 2e-3};
    MotionSettings pull;
    pull.velocity = Vec3(0, 0.1, 0.2);
    pull.ramp = 0.2;
    scene.bodies[0].driven = {{{}, "top", {pull}, {}}};
    Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, block_mesh());
    test::run(simulation);
    const auto balance = balance_of(simulation);
    EXPECT_GT(balance.at("work_driven"), 0.05);
    return std::abs(balance.at("numerical")) / balance.at("work_driven");
  };
  const double coarse = left_over(4e-3), fine = left_over(2e-3);
  EXPECT_LT(fine, 1e-3);
  EXPECT_GT(coarse / fine, 3.2);
  EXPECT_LT(coarse / fine, 5);
}

// A motor that lifts a block does the work m g h, whether it holds the top whole or along z only: all of it is work of the driven part.
class Motor : public testing::TestWithParam<bool> {};

TEST_P(Motor, LiftsAWeight) {
  Scene scene = block_scene(2e-3, 1);
  scene.gravity = Vec3(0, 0, -9.81);
  scene.bodies[0].damping = {0, 5e-2};
  MotionSettings lift;
  lift.velocity = Vec3(0, 0, 0.5);
  lift.ramp = 0.2;
  lift.stop = 0.8;
  HeldPart held;
  if (GetParam()) held.components = {Axis::z};
  scene.bodies[0].driven = {{held, "top", {lift}, {}}};
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, block_mesh());
  test::run(simulation);
  const auto balance = balance_of(simulation);
  EXPECT_NEAR(balance.at("work_driven") + balance.at("work_damping"), change(balance), 2e-3 * balance.at("work_driven"));
  EXPECT_GT(change(balance), 8 * 9.81 * 0.3);
}

INSTANTIATE_TEST_SUITE_P(Holds, Motor, testing::Bool());

// Two planes of rollers that share an edge take none of the energy that gravity gives.
TEST(EnergyBalance, RollersDoNoWork) {
  Scene scene = block_scene(5e-3, 0.2, Integrator::sdirk2);
  scene.gravity = Vec3(0, 3, -9.81);
  HeldPart slope, side;
  slope.normal = Vec3(0, -0.6, 0.8);
  side.components = {Axis::x};
  scene.bodies[0].driven = {{slope, "bottom", {}, {}}, {side, "left", {}, {}}};
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, block_mesh());
  test::run(simulation);
  const auto balance = balance_of(simulation);
  EXPECT_GT(balance.at("kinetic_at_end"), 1);
  EXPECT_NEAR(balance.at("work_driven"), 0, 1e-9);
  EXPECT_NEAR(balance.at("numerical"), 0, 0.02 * balance.at("kinetic_at_end"));
}

// Drag without other forces: m v^2 / 2 becomes the work that the account reports.
TEST(EnergyBalance, DragTakesTheKineticEnergy) {
  Scene scene = block_scene(0.01, 1);
  scene.bodies[0].damping = {3, 0};
  scene.bodies[0].initial.velocity = Vec3(2, 0, 0);
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, block_mesh());
  test::run(simulation);
  const auto balance = balance_of(simulation);
  const double energy = 8 * 4 / 2.0;  // 8 kg at 2 m/s
  EXPECT_NEAR(balance.at("kinetic_at_start"), energy, 1e-12);
  EXPECT_NEAR(balance.at("work_damping"), -energy * (1 - std::exp(-6)), 1e-3 * energy);
  EXPECT_NEAR(balance.at("numerical"), 0, 1e-4 * energy);
}

// A step of 5 ms that ends where `place` takes the block's points, with a stiffness damping of 1 ms.
double work_of_damping(const std::function<Vec3(const Vec3&)>& place) {
  Scene scene = block_scene(5e-3, 1);
  scene.bodies[0].damping = {0, 1e-3};
  const Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, block_mesh());
  State start = simulation.loop->state(), end = start;
  end.time = start.time + 5e-3;
  for (int i = 0; i < simulation.system->halo().local(); ++i) end.q[i] = place(start.q[i]);
  EnergyBalance balance(*simulation.system, {});
  balance.begin(start, {});
  return balance.step(start, end, {}).done[static_cast<std::size_t>(Work::damping)];
}

// Stiffness damping of a block that turns as a whole does no work, however far it turns. A block that is stretched from a length of 1 to 1 + e in a time h
// has, in the middle, the rate of strain e / (1 + e / 2) / h.
TEST(EnergyBalance, DampingTakesTheWorkOfStrainAlone) {
  const double volume = 8e-3, wave = 1e4 * (1 - 0.3) / (1.3 * 0.4), e = 0.1;  // lambda + 2 mu [Pa]
  const double scale = 1e-3 * volume / 5e-3 * wave;                           // the work at a rate of 1 / h [J]
  const double expected = -scale * std::pow(e / (1 + e / 2), 2);
  EXPECT_NEAR(work_of_damping([&](const Vec3& x) { return Vec3(x.x(), (1 + e) * x.y(), x.z()); }), expected, 1e-12 * std::abs(expected));
  for (const double degrees : {18.0, 90.0, 170.0}) {
    const Mat3 turn = Eigen::AngleAxisd(degrees * std::numbers::pi / 180, Vec3(2, -1, 3).normalized()).toRotationMatrix();
    EXPECT_NEAR(work_of_damping([&](const Vec3& x) { return turn * x + Vec3(0.1, 0, -0.2); }), 0, 1e-12 * scale) << degrees;
  }
}

// However an integrator moves a damped block that turns by 18 degrees in a step, damping gives it no energy.
class SpinningBlock : public testing::TestWithParam<Integrator> {};

TEST_P(SpinningBlock, IsNotDrivenByDamping) {
  constexpr double kTurn = 18 * std::numbers::pi / 180, kStep = 5e-3;  // [rad] in a step
  // Generalized-alpha gains so much energy at this turn that its second step ends the run.
  const int steps = GetParam() == Integrator::generalized_alpha ? 1 : 10;
  Scene scene = block_scene(kStep, steps * kStep, GetParam());
  scene.bodies[0].solid["solid"] = {1e8, 0.3, 1000, {}};
  scene.bodies[0].damping = {0, 1e-3};
  scene.bodies[0].initial.angular_velocity = Vec3(0.6, 0.8, 0) * kTurn / kStep;
  scene.solver.tolerance = 1e-9;
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3::Zero(), Vec3(0.2, 0.2, 0.2), {1, 1, 1}));
  double before = 0, energy = 0;
  while (!simulation.loop->done()) {
    simulation.loop->advance();
    const auto balance = balance_of(simulation);
    const double work = balance.at("work_damping");
    energy = balance.at("kinetic_at_start");
    EXPECT_LE(work, before);
    EXPECT_NEAR(change(balance), works(balance) + balance.at("numerical"), 1e-10 * energy);
    before = work;
  }
  // These keep the spin and the shape.
  if (GetParam() == Integrator::tr_bdf2 || GetParam() == Integrator::tr_sdirk2) {
    EXPECT_NEAR(before, 0, 2e-3 * energy);
  }
}

INSTANTIATE_TEST_SUITE_P(Integrators, SpinningBlock,
                         testing::Values(Integrator::backward_euler, Integrator::trapezoidal, Integrator::bdf2, Integrator::tr_bdf2, Integrator::sdirk2,
                                         Integrator::tr_sdirk2, Integrator::sdirk3, Integrator::generalized_alpha));

// A block that a moving floor carries up: the obstacle's work is what the block gains.
TEST(EnergyBalance, AMovingObstacleWorks) {
  Scene scene = block_scene(2e-3, 0.3);
  scene.gravity = Vec3(0, 0, -9.81);
  scene.bodies[0].damping = {0, 5e-3};
  MotionSettings rise;
  rise.velocity = Vec3(0, 0, 0.2);
  rise.ramp = 0.1;
  scene.obstacles = {{"floor", PlaneSettings{Vec3::Zero(), Vec3::UnitZ()}, {rise}, {}}};
  ContactSettings contact;
  contact.name = "stand";
  contact.vertices = {"block", "surface"};
  contact.against = "floor";
  contact.thickness = 1e-2;
  contact.stiffness = 2e3;
  contact.damping = 5;
  scene.contacts = {contact};
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3(0, 0, 0.95e-2), Vec3(0.2, 0.2, 0.2095), {2, 2, 2}));
  test::run(simulation);
  const auto balance = balance_of(simulation);
  EXPECT_GT(balance.at("work_driven"), 1);
  EXPECT_LT(balance.at("work_contact_damping"), 0);
  EXPECT_NEAR(balance.at("numerical"), 0, 1e-3 * balance.at("work_driven"));
}

// Gas is pumped into a box of volume V with held walls until its amount is doubled: the pump's work is p_a V (2 ln 2 - 1), where p_a is the pressure of the
// atmosphere. Half way the gauge pressure on the walls is p_a / 2.
TEST(EnergyBalance, APumpWorks) {
  Scene scene = block_scene(0.01, 0.2);
  VolumePenaltySettings gas;
  gas.surface = "surface";
  gas.inflation = {{0.04, 1}, {0.16, 2}};
  scene.bodies[0].volumes = {gas};
  scene.bodies[0].driven = {{{}, "solid", {}, {}}};
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, block_mesh());
  test::run(simulation);
  const double atmosphere = 101325, work = atmosphere * 8e-3 * (2 * std::log(2) - 1);
  const auto balance = balance_of(simulation);
  EXPECT_NEAR(balance.at("work_pressure"), work, 1e-9 * work);
  EXPECT_NEAR(balance.at("stored_at_end") - balance.at("stored_at_start"), work, 1e-9 * work);
  EXPECT_NEAR(balance.at("numerical"), 0, 1e-9 * work);

  State half_way = simulation.loop->state();
  half_way.time = 0.1;
  Field force(simulation.system->halo().local());
  simulation.system->force(half_way, force);
  double lift = 0;
  for (const int vertex : simulation.mesh->region("block.top").vertices)
    if (vertex < simulation.system->halo().owned()) lift += force[vertex].z();
  EXPECT_NEAR(sum_over_ranks(PETSC_COMM_WORLD, lift), atmosphere / 2 * 0.04, 1e-9 * atmosphere);
}

// The mean of what an obstacle exerts at both ends, along its way; the account may be off by half of their difference along it.
TEST(EnergyBalance, AnObstacleDoesTheWorkOfItsWay) {
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, block_scene(0.01, 1), block_mesh());
  MotionSettings push;
  push.velocity = Vec3(2, 0, 0);
  push.stop = 0.004;
  const Motion motion = {push};
  State start = simulation.loop->state(), end = start;
  end.time = start.time + 0.01;
  ContactSummary before, after;
  before.obstacles = {{&motion, Vec3(3, 1, 0)}};
  after.obstacles = {{&motion, Vec3(5, 0, 0)}};
  EnergyBalance balance(*simulation.system, {"push"});
  balance.begin(start, std::vector{before});
  const EnergyBalance::Step step = balance.step(start, end, std::vector{after});
  EXPECT_NEAR(step.done[static_cast<std::size_t>(Work::driven)], 4 * 0.008, 1e-15);
  EXPECT_NEAR(step.uncertain, 1 * 0.008, 1e-15);
  EXPECT_NEAR(step.numerical, -4 * 0.008, 1e-15);
}

// Friction takes its powers by the integrator's weights, unless one is negative, with which a power in that state would give energy.
TEST(EnergyBalance, WeightsDoNotTurnFrictionAround) {
  const Simulation simulation = build_simulation(PETSC_COMM_WORLD, block_scene(0.01, 1), block_mesh());
  const State start = simulation.loop->state();
  State end = start;
  end.time = start.time + 0.01;
  ContactSummary before, middle, after;
  before.friction_power = -1;  // [W]
  middle.friction_power = -100;
  after.friction_power = -3;
  EnergyBalance balance(*simulation.system, {"floor"});
  balance.begin(start, std::vector{before});
  const auto work = [&](double weight_of_middle) {
    ContactTrace trace;
    trace.knows_weights = true;
    trace.weight_of_start = 0.25;
    trace.weight_of_end = 0.75 - weight_of_middle;
    trace.within = {{weight_of_middle, start, {middle}}};
    return balance.step(start, end, std::vector{after}, trace).done[static_cast<std::size_t>(Work::friction)];
  };
  EXPECT_NEAR(work(0.5), -0.01 * (0.25 * 1 + 0.5 * 100 + 0.25 * 3), 1e-15);
  EXPECT_NEAR(work(-0.5), -0.01 * (0.5 * 1 + 0.5 * 3), 1e-15);
}

// A block at 1 m/s in whose first step an error takes a part of its kinetic energy away, or adds one, while it touches something.
EnergyBalance balance_after_change(const Simulation& simulation, double part) {
  State start = simulation.loop->state(), end = start;
  for (int i = 0; i < simulation.system->halo().local(); ++i) {
    start.v[i] = Vec3::UnitX();
    end.v[i] = std::sqrt(1 + part) * start.v[i];
  }
  end.time = start.time + 0.01;
  ContactSummary touching;
  touching.active = 1;
  EnergyBalance balance(*simulation.system, {"floor"});
  balance.begin(start, std::vector{touching});
  balance.add(balance.step(start, end, std::vector{touching}));
  return balance;
}

TEST(EnergyBalance, TellsOfLossesBeyondAThird) {
  constexpr double kMuch = 1e9;  // energy that contact has moved [J], which does not count, as the block is not rigid
  const Simulation simulation = build_simulation(PETSC_COMM_WORLD, block_scene(0.01, 1), block_mesh());
  EXPECT_FALSE(balance_after_change(simulation, -0.3).loss(0, Integrator::sdirk2, kMuch));
  const EnergyBalance lossy = balance_after_change(simulation, -0.4);
  EXPECT_FALSE(lossy.loss(2, Integrator::sdirk2, kMuch));  // beside motions at that speed
  for (const Integrator integrator : {Integrator::backward_euler, Integrator::sdirk2, Integrator::siere, Integrator::beere})
    EXPECT_NE(lossy.loss(0, integrator, kMuch)
                  .value()
                  .find("40 % of the energy moved, as damping that no setting asks for; where that matters take shorter steps, or an "
                        "integrator that takes less, such as tr_sdirk2"),
              std::string::npos);
  for (const Integrator integrator : {Integrator::tr_sdirk2, Integrator::tr_bdf2})
    EXPECT_TRUE(lossy.loss(0, integrator, kMuch).value().ends_with("take shorter steps"));
}

// One block slows down, and stretches against its springs; the other speeds up. What the second gains or loses while only the first is touched does not belong
// to contact, unless a spring joins them.
TEST(EnergyBalance, DistinguishesWhatBodiesLoseThatNothingTouches) {
  for (const bool joined : {false, true}) {
    Scene scene = block_scene(0.01, 1);
    scene.gravity = Vec3(0, 0, -9.81);
    Body other = scene.bodies[0];
    other.name = "other";
    other.damping.mass = 0.5;
    scene.bodies.push_back(other);
    Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, two_blocks());
    System& system = *simulation.system;
    ASSERT_EQ(system.bodies().size(), 2u);
    if (joined) {
      SpringDamper spring;
      for (const std::vector<int>& body : system.bodies())
        if (!body.empty()) spring.vertices.push_back(body.front());
      spring.weights.assign(spring.vertices.size(), 0.0);
      system.add(std::make_shared<SpringDampers>(system.communicator(), std::vector{spring}));
    }
    State start = simulation.loop->state(), end = start;
    end.time = start.time + 0.01;
    const JoinedBodies bodies(system);
    for (int i = 0; i < system.halo().local(); ++i) {
      const bool first = bodies.body_of()[i] == 0;
      start.v[i] = Vec3::UnitX();
      end.v[i] = (first ? 1.5 : 0.5) * start.v[i];
      end.q[i] = (first ? 1.2 : 1.1) * start.q[i];
    }
    ContactSummary touching;
    touching.active = 1;
    EnergyBalance balance(system, {"floor"});
    balance.begin(start, std::vector{touching});
    EnergyBalance::Step whole = balance.step(start, end, std::vector{touching});
    State alone = start;
    alone.time = end.time;
    for (int i = 0; i < system.halo().local(); ++i)
      if (bodies.body_of()[i] == 1) {
        alone.q[i] = end.q[i];
        alone.v[i] = end.v[i];
      }
    const double of_other = balance.step(start, alone, std::vector{touching}).numerical;
    EXPECT_GT(std::abs(of_other), 0.01 * std::abs(whole.numerical));
    balance.distinguish(whole, start, end, {1, 0});
    const double expected = joined ? 0 : of_other;
    EXPECT_NEAR(whole.elsewhere, expected, 1e-10 * std::abs(of_other));
    EXPECT_NEAR(whole.in_contact(), whole.numerical - expected, 1e-10 * std::abs(of_other));
    EXPECT_EQ(whole.works_elsewhere > 0, !joined);
  }
}

// A gain is judged by what contact has moved, where that is less than the kinetic energy: a block that flies by hides nothing.
TEST(EnergyBalance, TellsOfGainsBesideWhatContactMoves) {
  const Simulation simulation = build_simulation(PETSC_COMM_WORLD, block_scene(0.01, 1), block_mesh());
  const double kinetic = simulation.system->total_mass() / 2;
  EXPECT_FALSE(balance_after_change(simulation, 5e-3).warning(0, kinetic, ContactGains(1), Integrator::tr_sdirk2));
  EnergyBalance balance = balance_after_change(simulation, 5e-3);
  const ContactGains none(1);
  // It counts when the energy moved has not doubled for ten steps, or at the end of the run.
  const auto warned = [&](double moved) { return balance.warning(0, moved, none, Integrator::tr_sdirk2); };
  for (int step = 0; step < 6; ++step) EXPECT_FALSE(warned(kinetic / 10)) << step;
  EXPECT_FALSE(warned(kinetic));  // contact has moved more: the gain is small beside that
  EXPECT_FALSE(balance.last_warning(0, kinetic, none, Integrator::tr_sdirk2));
  for (int step = 0; step < 9; ++step) EXPECT_FALSE(warned(kinetic / 10)) << step;
  const auto last = balance.last_warning(0, kinetic / 10, none, Integrator::tr_sdirk2), warning = warned(kinetic / 10);
  ASSERT_TRUE(warning);
  EXPECT_EQ(last, warning);
  EXPECT_NE(warning->find("5 % of the energy moved in contact so far, most of it while contact 'floor' touched"), std::string::npos) << *warning;
  for (int step = 0; step < 200; ++step) EXPECT_FALSE(warned(kinetic / 10)) << step;  // once,
  State start = simulation.loop->state(), end = start;                                // until it has grown to ten times as much
  for (int i = 0; i < simulation.system->halo().local(); ++i) end.v[i] = std::sqrt(1.06) * Vec3::UnitX();
  start.time += 0.01;
  end.time += 0.02;
  ContactSummary touching;
  touching.active = 1;
  balance.add(balance.step(start, end, std::vector{touching}));
  const auto again = warned(kinetic / 10);
  ASSERT_TRUE(again);
  EXPECT_NE(again->find(fmt::format("have added {:.3g} J", 0.06 * kinetic)), std::string::npos) << *again;
}

// A gain of less than a ten-thousandth of the largest kinetic energy is no reason to warn, however little contact has moved.
TEST(EnergyBalance, IgnoresGainsThatNoMotionShows) {
  const Simulation simulation = build_simulation(PETSC_COMM_WORLD, block_scene(0.01, 1), block_mesh());
  for (const double share : {0.9e-4, 1.1e-4}) {
    const EnergyBalance balance = balance_after_change(simulation, share);
    EXPECT_EQ(balance.last_warning(0, 1e-6, ContactGains(1), Integrator::tr_sdirk2).has_value(), share > 1e-4) << share;
  }
}

}  // namespace
}  // namespace traction
