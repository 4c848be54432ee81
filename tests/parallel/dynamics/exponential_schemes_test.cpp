// Exponential and additive schemes on a swinging block: relations between them, and independence of partitions and solvers.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/compare.h"

namespace traction {
namespace {

constexpr double kStep = 0.01;

// A soft block held at its left end that falls, starting with velocities that stretch and bend it. Its sides differ, so that no two modes have one frequency.
Scene swinging(Integrator integrator, int modes) {
  Scene scene;
  scene.time.steps = {{0, kStep, std::nullopt}};
  scene.time.end = 3 * kStep;
  scene.time.integrator = integrator;
  scene.time.modes = modes;
  scene.time.exponential_tolerance = 1e-13;
  scene.gravity = Vec3(0, 0, -9.81);
  Body body;
  body.name = "block";
  body.solid["solid"] = {2e4, 0.3, 1000, {}};
  body.damping = {0.5, 1e-3};
  body.initial.angular_velocity = Vec3(0.3, 1, 0.5);
  DrivenSettings held;
  held.region = "left";
  body.driven = {held};
  scene.bodies = {body};
  scene.solver.tolerance = 1e-12;
  scene.solver.forcing = 1e-4;
  return scene;
}

// The same with a floor close below, on which the far end lands with friction. Nothing is asked of the gains of energy for which steps are halved hundreds of
// times.
Scene landing(Integrator integrator, int modes) {
  Scene scene = swinging(integrator, modes);
  scene.time.end = 20 * kStep;
  scene.time.maximum_halvings = 3;
  scene.obstacles = {{"floor", PlaneSettings{Vec3(0, 0, -0.1), Vec3::UnitZ()}, {}, {}}};
  ContactSettings contact;
  contact.name = "landing";
  contact.vertices = {"block", "surface"};
  contact.against = "floor";
  contact.thickness = 2e-2;
  contact.stiffness = 20;
  FrictionSettings friction;
  friction.dynamic = friction.static_ = 0.3;
  friction.tolerance = 0.05;
  friction.stribeck_velocity = 0.5;
  contact.friction = friction;
  scene.contacts = {contact};
  return scene;
}

constexpr std::array<int, 3> kCells = {4, 2, 1};
constexpr int kFree = 3 * 4 * 3 * 2;  // displacements: (4 + 1) (2 + 1) (1 + 1) vertices without those of the left end

Simulation finished(const Scene& scene, MPI_Comm communicator = PETSC_COMM_WORLD) {
  Simulation simulation = build_simulation(communicator, scene, test::box_mesh("block", Vec3::Zero(), Vec3(0.5, 0.2, 0.13), kCells));
  while (!simulation.loop->done()) simulation.loop->advance();
  return simulation;
}

struct Difference {
  double q, v;  // relative to the largest displacement, the largest velocity
};

Difference difference(const Simulation& a, const Simulation& b) {
  double q = 0, v = 0, largest_q = 0, largest_v = 0;
  for (int i = 0; i < a.system->halo().owned(); ++i) {
    q = std::max(q, (a.loop->state().q[i] - b.loop->state().q[i]).norm());
    v = std::max(v, (a.loop->state().v[i] - b.loop->state().v[i]).norm());
    largest_q = std::max(largest_q, (b.loop->state().q[i] - b.mesh->vertices[i]).norm());
    largest_v = std::max(largest_v, b.loop->state().v[i].norm());
  }
  return {maximum_over_ranks(PETSC_COMM_WORLD, q) / maximum_over_ranks(PETSC_COMM_WORLD, largest_q),
          maximum_over_ranks(PETSC_COMM_WORLD, v) / maximum_over_ranks(PETSC_COMM_WORLD, largest_v)};
}

void expect_equal(const Simulation& a, const Simulation& b, double tolerance) {
  const Difference found = difference(a, b);
  EXPECT_LT(found.q, tolerance);
  EXPECT_LT(found.v, tolerance);
}

Scene semi_implicit(Integrator integrator) {
  Scene scene = swinging(integrator, 0);
  scene.time.semi_implicit = true;
  return scene;
}

TEST(AdditiveSchemes, WithAllModesAreExponentialEuler) {
  const Simulation expected = finished(swinging(Integrator::ere, 0));
  for (const Integrator integrator : {Integrator::siere, Integrator::sbdf2ere, Integrator::beere, Integrator::bdf2ere})
    expect_equal(finished(swinging(integrator, kFree)), expected, 1e-8);
}

TEST(AdditiveSchemes, WithoutModesAreTheirImplicitPart) {
  expect_equal(finished(swinging(Integrator::siere, 0)), finished(semi_implicit(Integrator::backward_euler)), 1e-8);
  expect_equal(finished(swinging(Integrator::str_sbdf2ere, 0)), finished(semi_implicit(Integrator::tr_bdf2)), 1e-8);
  expect_equal(finished(swinging(Integrator::beere, 0)), finished(swinging(Integrator::backward_euler, 0)), 1e-8);
}

// In general the schemes do not coincide, which shows that the tests above are not vacuous.
TEST(AdditiveSchemes, WithSomeModesAreNeither) {
  const Simulation some = finished(swinging(Integrator::siere, 5));
  EXPECT_GT(difference(some, finished(swinging(Integrator::ere, 0))).v, 1e-3);
  EXPECT_GT(difference(some, finished(semi_implicit(Integrator::backward_euler))).v, 1e-3);
}

// The formula of Sherman, Morrison and Woodbury against products with the sum, in contact too.
TEST(AdditiveSchemes, DirectAndIterativeSolvesAgree) {
  for (const Integrator integrator : {Integrator::siere, Integrator::sbdf2ere, Integrator::str_sbdf2ere}) {
    Scene direct = landing(integrator, 7);
    direct.solver.method = NewtonMethod::newton;
    const Simulation by_formula = finished(direct), by_products = finished(landing(integrator, 7));
    EXPECT_GT(by_formula.contacts.at(0)->summarize(by_formula.loop->state()).active, 0);
    expect_equal(by_formula, by_products, 1e-7);
  }
}

// Every exponential scheme, in contact with friction, against the same scene on one rank alone.
TEST(ExponentialSchemes, PartitionsMakeNoDifference) {
  for (const Integrator integrator :
       {Integrator::ere, Integrator::siere, Integrator::beere, Integrator::bdf2ere, Integrator::sbdf2ere, Integrator::str_sbdf2ere}) {
    Scene scene = landing(integrator, 7);
    scene.time.refresh_modes = 8;
    const Simulation alone = finished(scene, PETSC_COMM_SELF), together = finished(scene);
    EXPECT_GT(together.contacts.at(0)->summarize(together.loop->state()).active, 0);
    for (const auto& [field, reference] :
         {std::pair{&together.loop->state().q, &alone.loop->state().q}, std::pair{&together.loop->state().v, &alone.loop->state().v}})
      EXPECT_LT(test::difference(test::by_id(*together.mesh, *field), test::by_id(*alone.mesh, *reference)), 1e-7) << static_cast<int>(integrator);
  }
}

// An end driven at constant speed carries the block along like a free flight of the whole block: no scheme may show a trace of the drive.
TEST(ExponentialSchemes, DrivenVerticesCarryABodyAlong) {
  for (const Integrator integrator : {Integrator::ere, Integrator::siere, Integrator::beere, Integrator::bdf2ere, Integrator::sbdf2ere,
                                      Integrator::str_sbdf2ere, Integrator::generalized_alpha}) {
    Scene scene = swinging(integrator, 4);
    const Vec3 velocity(1, -2, 0.5);
    scene.gravity.setZero();
    MotionSettings motion;
    motion.velocity = velocity;
    scene.bodies[0].driven[0].motion = {motion};
    scene.bodies[0].damping = {0, 1e-3};
    scene.bodies[0].initial.angular_velocity.setZero();
    scene.bodies[0].initial.velocity = velocity;
    const Simulation carried = finished(scene);
    for (int i = 0; i < carried.system->halo().owned(); ++i) {
      EXPECT_LT((carried.loop->state().q[i] - carried.mesh->vertices[i] - carried.loop->state().time * velocity).norm(), 1e-10);
      EXPECT_LT((carried.loop->state().v[i] - velocity).norm(), 1e-9);
    }
  }
}

// For small motions a semi-implicit step equals Newton's method, even if a driven end sets a block in motion.
TEST(SemiImplicit, IsImplicitForSmallMotionsOfADrivenEnd) {
  for (const Integrator integrator : {Integrator::backward_euler, Integrator::tr_bdf2}) {
    Scene implicit = swinging(integrator, 0);
    implicit.gravity.setZero();
    implicit.bodies[0].initial.angular_velocity.setZero();
    MotionSettings motion;
    motion.velocity = Vec3(1e-3, -2e-3, 5e-4);
    motion.ramp = 2 * kStep;
    implicit.bodies[0].driven[0].motion = {motion};
    Scene semi_implicit = implicit;
    semi_implicit.time.semi_implicit = true;
    expect_equal(finished(semi_implicit), finished(implicit), 2e-3);
  }
}

}  // namespace
}  // namespace traction
