// A soft box with a cover sinks onto a tube of gas that both touch from outside and inside: solids, shells, an enclosed volume behind rims and two-sided
// contact in one system. Forces, energies, products and trajectories must not depend on the partition, and products must be derivatives.

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/compare.h"
#include "support/shell_meshes.h"

namespace traction {
namespace {

using test::by_id;
using test::difference;

constexpr double kGap = 0.025;  // from the tube's triangles to the box [m], of which the tube's thickness takes 0.01

// The tube lies along y.
Mesh scene_mesh() {
  test::Sheet sheet = test::cylinder(12, 6, 0.3, 1);
  for (Vec3& x : sheet.vertices) x = Vec3(x.x(), x.z() - 0.5, -x.y());
  Mesh tube = test::shell_mesh("tube", sheet);
  test::add_closed_region(tube, "tube", true);
  Mesh box = test::covered_box("box", Vec3(-0.2, -0.25, 0.3 + kGap), Vec3(0.2, 0.25, 0.6 + kGap), {4, 4, 3});
  test::add_outward_region(box, "box");
  return test::join(tube, box);
}

Scene tube_scene(double stiffness_damping = 1e-3) {
  Scene scene;
  scene.file = "test";
  scene.time.steps = {{0, 2.5e-3, std::nullopt}};
  scene.time.end = 0.02;
  scene.gravity = Vec3(0, 0, -9.81);
  Body tube, box;
  tube.name = "tube";
  tube.shell["skin"] = test::shell_material(3e3, 0.4, 2, 0.5, 0.02);
  VolumePenaltySettings gas;
  gas.surface = "skin";
  gas.close_rims = true;
  gas.gauge_pressure = 500;
  tube.volumes = {gas};
  box.name = "box";
  box.solid["solid"] = {5e4, 0.4, 300, {}};
  box.shell["top"] = test::shell_material(2e3, 0.3, 1, 0.2, 0);
  for (Body* body : {&tube, &box}) body->damping = {0.1, stiffness_damping};
  box.initial.velocity = Vec3(0.6, 0.3, -1);
  scene.bodies = {tube, box};
  ContactSettings contact;
  contact.name = "touch";
  contact.vertices = {"box", "surface"};
  contact.against = BodySurface{"tube", "skin"};
  contact.both = true;
  contact.thickness = 0.04;
  contact.stiffness = 500;
  FrictionSettings friction;
  friction.dynamic = friction.static_ = 0.5;
  friction.tolerance = 0.05;
  contact.friction = friction;
  scene.contacts = {contact};
  scene.solver.tolerance = 1e-11;
  return scene;
}

// A deformation and velocities without symmetry, functions of the place and so the same on any partition.
State disturbed(const DistributedMesh& mesh) {
  State state(mesh.halo->local());
  for (int i = 0; i < mesh.halo->local(); ++i) {
    const Vec3 x = mesh.vertices[i];
    state.q[i] = x + 0.01 * Vec3(std::sin(3 * x.y()), x.x() * x.z() + 0.3 * std::cos(4 * x.z()), std::cos(4 * x.x() + x.y()) - 1);
    state.v[i] = 0.3 * Vec3(x.z(), -x.x() + x.y() * x.y(), x.y() * x.x());
  }
  return state;
}

State direction_for(const DistributedMesh& mesh, double step) {
  State direction = test::direction_for(mesh);
  direction.q.array() = step * direction.v.array();  // as in a stage
  return direction;
}

TEST(ShellScene, HasAllItsForcesInPlay) {
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, tube_scene(), scene_mesh());
  const State state = disturbed(*simulation.mesh);
  EXPECT_GT(simulation.contacts.at(0)->summarize(state).active, 5);
  std::map<std::string, int> named;
  for (const auto& force : simulation.system->forces()) {
    ++named[force->energy_name()];
    if (force->energy_name() == "gravity" || force->energy_name().empty()) continue;
    EXPECT_GT(sum_over_ranks(PETSC_COMM_WORLD, force->energy(state)), 0) << force->energy_name();
  }
  EXPECT_EQ(named["elastic"], 3);  // elements of the tube, the box and its cover
  EXPECT_EQ(named["bending"], 2);
  EXPECT_EQ(named["volume"], 1);
  EXPECT_EQ(named["contact"], 2);  // contacts of each body with the other
}

class ShellScenes : public testing::TestWithParam<double> {};  // stiffness damping: without it blocks are symmetric

TEST_P(ShellScenes, ForcesEnergiesAndProductsDoNotDependOnThePartition) {
  constexpr double kStep = 0.01;
  const Mesh mesh = scene_mesh();
  Simulation alone = build_simulation(PETSC_COMM_SELF, tube_scene(GetParam()), mesh),
             together = build_simulation(PETSC_COMM_WORLD, tube_scene(GetParam()), mesh);
  std::map<int, Vec3> forces[2], products[2], assembled[2];
  std::vector<double> energies[2];
  for (Simulation* simulation : {&alone, &together}) {
    const int which = simulation == &together;
    System& system = *simulation->system;
    State state = disturbed(*simulation->mesh), direction = direction_for(*simulation->mesh, kStep);
    Field force(system.halo().local()), change(system.halo().local());
    system.prepare(state);
    system.force(state, force);
    forces[which] = by_id(*simulation->mesh, force);
    for (const auto& term : system.forces()) energies[which].push_back(sum_over_ranks(system.communicator(), term->energy(state)));
    system.linearize(state);
    system.halo().begin_exchange(direction.q.values());
    system.product(
        state, direction, direction.q, [] {}, nullptr, change);
    products[which] = by_id(*simulation->mesh, change);
    BlockMatrix blocks(system.pattern());
    for (const auto& term : system.forces())
      if (const Assembly* assembly = term->assembly()) assembly->add_blocks({state, kStep, 1}, blocks);
    system.halo().begin_exchange(direction.v.values());
    system.product(
        state, direction, direction.v, [] {}, &blocks, change);
    assembled[which] = by_id(*simulation->mesh, change);
  }
  EXPECT_LT(difference(forces[1], forces[0]), 1e-12);
  EXPECT_LT(difference(products[1], products[0]), 1e-12);
  EXPECT_LT(difference(assembled[1], assembled[0]), 1e-12);
  EXPECT_LT(difference(assembled[1], products[0]), 1e-12);
  ASSERT_EQ(energies[0].size(), energies[1].size());
  for (std::size_t i = 0; i < energies[0].size(); ++i) EXPECT_NEAR(energies[1][i], energies[0][i], 1e-12 * std::abs(energies[0][i])) << i;
}

// Richardson-extrapolated, of all forces together.
TEST_P(ShellScenes, ProductIsTheDerivativeOfTheForce) {
  Simulation simulation = build_simulation(PETSC_COMM_WORLD, tube_scene(GetParam()), scene_mesh());
  System& system = *simulation.system;
  const State state = disturbed(*simulation.mesh);
  State direction = test::direction_for(*simulation.mesh);
  system.prepare(state);
  const auto force_at = [&](double part) {
    State moved = state;
    moved.q.array() += part * direction.q.array(), moved.v.array() += part * direction.v.array();
    Field force(system.halo().local());
    system.prepare(moved);
    system.force(moved, force);
    return force;
  };
  const auto central = [&](double h) {
    Field slope = force_at(h);
    slope.array() = (slope.array() - force_at(-h).array()) / (2 * h);
    return slope;
  };
  Field expected = central(1e-4);
  expected.array() = (4 * central(5e-5).array() - expected.array()) / 3;
  system.prepare(state);
  system.linearize(state);
  Field change(system.halo().local());
  system.halo().begin_exchange(direction.q.values());
  State at = state;
  system.product(
      at, direction, direction.q, [] {}, nullptr, change);
  EXPECT_LT(difference(by_id(*simulation.mesh, change), by_id(*simulation.mesh, expected)), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(StiffnessDamping, ShellScenes, testing::Values(0.0, 1e-3));

TEST(ShellScene, TrajectoryDoesNotDependOnThePartition) {
  const Mesh mesh = scene_mesh();
  Simulation alone = build_simulation(PETSC_COMM_SELF, tube_scene(), mesh), together = build_simulation(PETSC_COMM_WORLD, tube_scene(), mesh);
  long touched = 0;
  for (Simulation* simulation : {&alone, &together})
    while (!simulation->loop->done())
      for (const ContactSummary& contact : simulation->loop->advance().contacts) touched += contact.active;
  EXPECT_GT(touched, 100);
  EXPECT_LT(difference(by_id(*together.mesh, together.loop->state().q), by_id(*alone.mesh, alone.loop->state().q)), 1e-8);
  EXPECT_LT(difference(by_id(*together.mesh, together.loop->state().v), by_id(*alone.mesh, alone.loop->state().v)), 1e-8);
}

}  // namespace
}  // namespace traction
