// The asynchronous driver on scenes without contact: against an own loop, its conservation laws, and restarts.
#include "asynchronous/asynchronous_driver.h"

#include <gtest/gtest.h>

#include <cmath>

#include "errors.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"

namespace traction {
namespace {

Scene block_scene(double step, double end) {
  Scene scene;
  scene.file = "test";
  scene.time.steps = {{0, step, std::nullopt}};
  scene.time.end = end;
  scene.time.integrator = Integrator::asynchronous;
  Body body;
  body.name = "block";
  body.solid["solid"] = {2e4, 0.3, 1000, {}};
  body.initial.angular_velocity = Vec3(0.3, 1, 0.5);
  body.initial.velocity = Vec3(0.2, -0.1, 0.4);
  scene.bodies = {body};
  scene.output.every.reset();
  return scene;
}

Mesh block() { return test::box_mesh("block", Vec3::Zero(), Vec3(0.5, 0.2, 0.13), {4, 2, 1}); }

Simulation built(const Scene& scene, Mesh mesh = block()) { return build_simulation(PETSC_COMM_WORLD, scene, std::move(mesh)); }

double total_energy(const StepRecord& record) {
  double sum = record.kinetic_energy;
  for (const double energy : record.energies) sum += energy;
  return sum;
}

double column(const Driver& driver, const std::string& name) {
  for (const auto& [own, value] : driver.history())
    if (own == name) return value;
  ADD_FAILURE() << name;
  return 0;
}

// Störmer-Verlet in positions, term by term in the order of the forces, elements before gravity: half a drift, all kicks, half a drift.
TEST(AsynchronousDriver, WithOneClockIsStoermerVerletToTheLastBit) {
  constexpr double kStep = 1.0 / 4096;  // below every element's own, and exact in binary
  Scene scene = block_scene(kStep, 64 * kStep);
  scene.gravity = Vec3(0, 0, -9.81);
  Simulation simulation = built(scene);
  const std::vector<double>& mass = simulation.system->mass();
  const int count = static_cast<int>(mass.size());
  std::vector<double> inverse;
  for (const double own : mass) inverse.push_back(1 / own);
  MovingVertices vertices(simulation.loop->state(), inverse, simulation.system->held());
  const State& state = vertices.state();
  std::vector<Vec3> forces(static_cast<std::size_t>(count));
  for (int step = 0; step < 64; ++step) {
    simulation.loop->advance();
    vertices.drift_all((step + 0.5) * kStep);
    for (const bool common : {false, true})
      for (const auto& force : simulation.system->forces())
        for (int term = 0; term < force->terms()->count(); ++term) {
          const std::vector<int> stencil = force->terms()->stencil(term);
          if ((stencil.size() > 16) != common) continue;
          force->terms()->forces(term, state, forces);
          for (std::size_t a = 0; a < stencil.size(); ++a) vertices.kick(stencil[a], kStep * forces[a]);
        }
    vertices.drift_all((step + 1) * kStep);
  }
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ(Vec3(simulation.loop->state().q[i]), Vec3(state.q[i]));
    EXPECT_EQ(Vec3(simulation.loop->state().v[i]), Vec3(state.v[i]));
  }
  EXPECT_EQ(column(*simulation.loop, "events_gravity"), 1);
  EXPECT_EQ(column(*simulation.loop, "events_elastic"), 48);
}

// The terms of a force are the force: solids with a viscosity, and a gas behind their surface.
TEST(SeparateTerms, SumToTheForce) {
  Scene scene = block_scene(1e-3, 1e-2);
  scene.gravity = Vec3(1, 2, 3);
  scene.bodies[0].damping = {0.5, 1e-3};
  VolumePenaltySettings gas;
  gas.surface = "surface";
  gas.gauge_pressure = 1000;
  scene.bodies[0].volumes = {gas};
  Simulation simulation = built(scene);
  State state = simulation.loop->state();
  for (int i = 0; i < simulation.system->halo().owned(); ++i) state.q[i] += 0.01 * Vec3(std::sin(7.0 * i), std::cos(5.0 * i), std::sin(3.0 * i + 1));
  for (const auto& force : simulation.system->forces()) {
    Field whole(simulation.system->halo().local()), summed(simulation.system->halo().local());
    for (const Zone zone : {Zone::interior, Zone::boundary}) force->add_force(state, zone, whole);
    std::vector<Vec3> forces(whole.values().size() / 3);
    ASSERT_NE(force->terms(), nullptr);
    for (int term = 0; term < force->terms()->count(); ++term) {
      const std::vector<int> stencil = force->terms()->stencil(term);
      force->terms()->forces(term, state, forces);
      for (std::size_t a = 0; a < stencil.size(); ++a) summed[stencil[a]] += forces[a];
    }
    EXPECT_GT(whole.array().norm(), 0);
    EXPECT_LT((whole.array() - summed.array()).norm(), 1e-12 * whole.array().norm()) << force->energy_name();
  }
}

// Momentum to rounding, and energy without drift, of a free block that tumbles and rings.
TEST(AsynchronousDriver, KeepsMomentumAndEnergy) {
  Scene scene = block_scene(5e-3, 2);
  Simulation simulation = built(scene);
  const StepRecord first = simulation.loop->advance();
  std::array<double, 6> start{};
  const std::array<std::string, 6> names{"momentum_x", "momentum_y", "momentum_z", "angular_momentum_x", "angular_momentum_y", "angular_momentum_z"};
  for (int k = 0; k < 6; ++k) start[k] = column(*simulation.loop, names[k]);
  const double energy = total_energy(first);
  double sum = 0, sum_t = 0, sum_tt = 0, sum_e = 0, sum_te = 0, largest = 0;
  long events = 0;
  while (!simulation.loop->done()) {
    const StepRecord record = simulation.loop->advance();
    const double e = total_energy(record) / energy - 1;
    largest = std::max(largest, std::abs(e));
    sum += 1, sum_t += record.time, sum_tt += record.time * record.time, sum_e += e, sum_te += record.time * e;
    events += static_cast<long>(column(*simulation.loop, "events_elastic"));
  }
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(column(*simulation.loop, names[k]), start[k], 1e-12 * (std::abs(start[k % 3]) + 10)) << names[k];
  EXPECT_GT(events, 10000);
  EXPECT_LT(largest, 0.02);
  EXPECT_LT(std::abs((sum * sum_te - sum_t * sum_e) / (sum * sum_tt - sum_t * sum_t)), 2e-3);  // a part of the energy, per second
}

// A bar whose cells shrink from 1 m to 1 cm: one clock would take all elements at the smallest one's step.
TEST(AsynchronousDriver, TakesFewElementEventsWhereElementsDiffer) {
  constexpr int kCells = 24;
  Mesh mesh = test::box_mesh("block", Vec3::Zero(), Vec3(kCells, 1, 1), {kCells, 1, 1});
  std::vector<double> ends{0};
  for (int i = 0; i < kCells; ++i) ends.push_back(ends.back() + (i < kCells - 1 ? 1.0 : 0.01));
  for (Vec3& x : mesh.vertices) x.x() = ends[static_cast<std::size_t>(std::lround(x.x()))];
  Scene scene = block_scene(1, 1);
  scene.bodies[0].initial = {};
  Simulation simulation = built(scene, std::move(mesh));
  const Potentials potentials(*simulation.system);
  const std::vector<double> steps = stable_steps(potentials, *simulation.system, simulation.loop->state());
  simulation.loop->advance();
  const double events = column(*simulation.loop, "events_elastic");
  const double at_one_clock = static_cast<double>(steps.size()) / (scene.time.asynchronous.safety * *std::min_element(steps.begin(), steps.end()));
  EXPECT_GT(at_one_clock, 10 * events);
}

TEST(AsynchronousDriver, ContinuesFromACheckpointToTheLastBit) {
  Scene scene = block_scene(3e-3, 0.09);
  scene.gravity = Vec3(0, 0, -9.81);
  scene.bodies[0].damping = {0.1, 1e-4};
  DrivenSettings held;
  held.region = "left";
  held.until = 0.05;
  held.motion = {{}};
  held.motion[0].velocity = Vec3(0, 0, 0.3);
  scene.bodies[0].driven = {held};
  Simulation whole = built(scene), second = built(scene);
  for (int row = 0; row < 10; ++row) whole.loop->advance();
  Archive archive;
  whole.loop->save(archive);
  second.loop->load(archive);
  while (!whole.loop->done()) whole.loop->advance();
  while (!second.loop->done()) second.loop->advance();
  EXPECT_EQ(whole.loop->steps(), second.loop->steps());
  for (int i = 0; i < whole.system->halo().owned(); ++i) {
    EXPECT_EQ(Vec3(whole.loop->state().q[i]), Vec3(second.loop->state().q[i]));
    EXPECT_EQ(Vec3(whole.loop->state().v[i]), Vec3(second.loop->state().v[i]));
  }
  EXPECT_EQ(whole.loop->energy_balance(), second.loop->energy_balance());
}

// Held vertices stay on their course exactly, and rows end where they are released.
TEST(AsynchronousDriver, DrivesVerticesUntilTheirRelease) {
  Scene scene = block_scene(4e-3, 0.02);
  scene.bodies[0].initial = {};
  DrivenSettings held;
  held.region = "left";
  held.until = 0.01;
  held.motion = {{}};
  held.motion[0].velocity = Vec3(0, 0, 0.3);
  scene.bodies[0].driven = {held};
  Simulation simulation = built(scene);
  std::vector<double> ends;
  while (!simulation.loop->done()) {
    ends.push_back(simulation.loop->advance().time);
    if (ends.back() > 0.01) continue;
    for (const int vertex : simulation.system->driven()[0].vertices)
      EXPECT_NEAR(simulation.loop->state().q[vertex].z(), simulation.mesh->vertices[vertex].z() + 0.3 * ends.back(), 1e-15);
  }
  const std::vector<double> expected{4e-3, 8e-3, 0.01, 0.012, 0.016, 0.02};
  ASSERT_EQ(ends.size(), expected.size());
  for (std::size_t k = 0; k < ends.size(); ++k) EXPECT_NEAR(ends[k], expected[k], 1e-15);
}

TEST(AsynchronousDriver, RefusesWhatHasNoClock) {
  Scene scene = block_scene(1e-3, 1e-2);
  scene.time.asynchronous.longest = {{"blok", 1e-4}};
  EXPECT_THROW(built(scene), InputError);
  scene.time.asynchronous.longest = {{"block", 1e-4}};
  Simulation simulation = built(scene);
  simulation.loop->advance();
  EXPECT_GE(column(*simulation.loop, "events_elastic"), 480);
  Mesh inverted = block();
  inverted.start_positions = inverted.vertices;
  inverted.start_velocities.assign(inverted.vertices.size(), Vec3::Zero());
  inverted.start_positions[0] = Vec3(1, 1, 1);
  EXPECT_THROW(built(scene, std::move(inverted)), InputError);
}

}  // namespace
}  // namespace traction
