// The same scene on one rank and on all ranks: forces, products and trajectories must not depend on the partition.

#include <gtest/gtest.h>

#include <map>

#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/compare.h"
#include "support/scenes.h"

namespace traction {
namespace {

using test::by_id;
using test::difference;

// A deformation and a velocity field without symmetry, the same for every partition.
void disturb(const DistributedMesh& mesh, State& state) {
  for (int i = 0; i < mesh.halo->local(); ++i) {
    const Vec3 x = mesh.vertices[i];
    state.q[i] = x + 0.03 * Vec3(std::sin(3 * x.y()), x.x() * x.z(), std::cos(2 * x.x() + x.y()) - 1.5);
    state.v[i] = Vec3(0.3 * x.z(), -0.2 + 0.1 * x.x(), 0.15 * x.y() * x.x());
  }
}

// A rank has a region's members that touch its vertices; some of its ghosts lie on a driven surface of which it has no member.
TEST(PartitionIndependence, GhostsOfDrivenVerticesAreDriven) {
  Scene scene = test::resting_box_scene(Integrator::trapezoidal);
  MotionSettings motion;
  motion.velocity = Vec3(0.1, 0.2, 0.3);
  DrivenSettings driven;
  driven.region = "top";
  driven.motion = {motion};
  scene.bodies[0].driven = {driven};
  scene.bodies[0].initial.velocity = Vec3(-1, 0, 0);
  const Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3(0, 0, 0), Vec3(1, 1, 1), {4, 4, 4}));
  const State& state = simulation.loop->state();
  for (int i = 0; i < simulation.mesh->halo->local(); ++i) {
    const bool on_top = simulation.mesh->vertices[i].z() == 1;
    EXPECT_EQ(simulation.system->is_driven()[i] != 0, on_top);
    EXPECT_EQ((state.v[i] - (on_top ? motion.velocity : Vec3(-1, 0, 0))).norm(), 0);
  }
}

TEST(PartitionIndependence, ForceAndProduct) {
  Scene scene = test::resting_box_scene(Integrator::sdirk2);
  scene.bodies[0].damping = {0.1, 1e-4};
  const Mesh mesh = test::box_mesh("block", Vec3(0, 0, 0), Vec3(1, 1, 1), {4, 4, 4});
  constexpr double kStep = 0.01;
  Simulation alone = build_simulation(PETSC_COMM_SELF, scene, mesh);
  Simulation together = build_simulation(PETSC_COMM_WORLD, scene, mesh);
  std::map<int, Vec3> forces[2], products[2], assembled[2];
  for (Simulation* simulation : {&alone, &together}) {
    System& system = *simulation->system;
    State state(system.halo().local()), direction(system.halo().local());
    disturb(*simulation->mesh, state);
    disturb(*simulation->mesh, direction);
    direction.q.array() = kStep * direction.v.array();
    Field force(system.halo().local()), change(system.halo().local());
    system.force(state, force);
    system.linearize(state);
    system.halo().begin_exchange(direction.q.values());
    system.product(
        state, direction, direction.q, [] {}, nullptr, change);
    forces[simulation == &together] = by_id(*simulation->mesh, force);
    products[simulation == &together] = by_id(*simulation->mesh, change);
    BlockMatrix blocks(system.pattern());
    for (const auto& term : system.forces())
      if (const Assembly* assembly = term->assembly()) assembly->add_blocks({state, kStep, 1}, blocks);
    system.halo().begin_exchange(direction.v.values());
    system.product(
        state, direction, direction.v, [] {}, &blocks, change);
    assembled[simulation == &together] = by_id(*simulation->mesh, change);
  }
  // Sums in another order: rounding only.
  EXPECT_LT(difference(forces[1], forces[0]), 1e-13);
  EXPECT_LT(difference(products[1], products[0]), 1e-13);
  EXPECT_LT(difference(assembled[1], assembled[0]), 1e-13);
  // The derivative by dual numbers agrees with the one derived by hand.
  EXPECT_LT(difference(assembled[0], products[0]), 1e-12);
  EXPECT_LT(difference(assembled[1], products[0]), 1e-12);
}

class Trajectory1e8 : public testing::TestWithParam<Integrator> {};

TEST_P(Trajectory1e8, BoxFallsSlidesAndSpins) {
  Scene scene = test::resting_box_scene(GetParam());
  scene.bodies[0].initial.velocity = Vec3(0.5, 0.1, -1);
  scene.bodies[0].initial.angular_velocity = Vec3(0.4, 1.0, 0.2);
  scene.bodies[0].damping = {0.1, 1e-4};
  scene.solver.tolerance = 1e-12;
  scene.solver.forcing = 1e-3;
  scene.time.end = 0.06;
  const Mesh mesh = test::box_mesh("block", Vec3(0, 0, 0.002), Vec3(1, 1, 1.002), {4, 4, 4});
  Simulation alone = build_simulation(PETSC_COMM_SELF, scene, mesh);
  Simulation together = build_simulation(PETSC_COMM_WORLD, scene, mesh);
  long touched = 0;
  for (Simulation* simulation : {&alone, &together})
    while (!simulation->loop->done())
      for (const ContactSummary& contact : simulation->loop->advance().contacts) touched += contact.active;
  EXPECT_GT(touched, 0);
  const auto reference_q = by_id(*alone.mesh, alone.loop->state().q), q = by_id(*together.mesh, together.loop->state().q);
  const auto reference_v = by_id(*alone.mesh, alone.loop->state().v), v = by_id(*together.mesh, together.loop->state().v);
  EXPECT_LT(difference(q, reference_q), 1e-8);
  EXPECT_LT(difference(v, reference_v), 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Integrators, Trajectory1e8,
                         testing::Values(Integrator::backward_euler, Integrator::trapezoidal, Integrator::bdf2, Integrator::tr_bdf2, Integrator::sdirk2,
                                         Integrator::tr_sdirk2));

}  // namespace
}  // namespace traction
