// How contact holds the rigid motions of a block, against sums over its vertices.

#include "dynamics/contact_support.h"

#include <gtest/gtest.h>

#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/scenes.h"

namespace traction {
namespace {

constexpr double kLength = 0.2, kHeight = 0.1;
constexpr int kCellsAlong = 4;

// A block whose bottom lies half-way in the layer of a plane.
ContactSupport support_of_block(bool rubs) {
  Scene scene = test::resting_box_scene(Integrator::tr_sdirk2);
  scene.contacts[0].vertices.region = "bottom";
  if (!rubs) scene.contacts[0].friction.reset();
  const Vec3 lower(-kLength / 2, -kLength / 2, scene.contacts[0].thickness / 2);
  const Simulation simulation =
      build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", lower, lower + Vec3(kLength, kLength, kHeight), {kCellsAlong, kCellsAlong, 2}));
  const State& state = simulation.loop->state();
  for (const auto& contact : simulation.contacts) contact->begin_step(state);
  const System& system = *simulation.system;
  return contact_supports(system, simulation.contacts, body_motions(system, state.q, state.v), state).at(0);
}

// The mean of y^2 over the bottom's vertices, each with its share of the area.
constexpr double kSquare = kLength * kLength / 12 * (1 + 2.0 / (kCellsAlong * kCellsAlong));

TEST(ContactSupport, OfABlockThatIsPressedEvenly) {
  const ContactSupport support = support_of_block(true);
  const double force = support.pressed, arm = kHeight / 2;
  ASSERT_GT(force, 0);
  EXPECT_NEAR(support.normal(2, 2) / force, 1, 1e-12);  // up and down
  EXPECT_NEAR(support.normal(3, 3) / force, kSquare, 1e-12);
  EXPECT_NEAR(support.normal(4, 4) / force, kSquare, 1e-12);
  for (const int motion : {0, 1, 5}) EXPECT_NEAR(support.normal(motion, motion) / force, 0, 1e-12) << motion;  // along the plane
  EXPECT_NEAR(support.grip(0, 0) / force, 1, 1e-12);
  EXPECT_NEAR(support.grip(1, 1) / force, 1, 1e-12);
  EXPECT_NEAR(support.grip(2, 2) / force, 0, 1e-12);
  EXPECT_NEAR(support.grip(3, 3) / force, arm * arm, 1e-12);  // about axes in the height of the center
  EXPECT_NEAR(support.grip(0, 4) / force, -arm, 1e-12);
  EXPECT_NEAR(support.grip(5, 5) / force, 2 * kSquare, 1e-12);  // in place
}

TEST(ContactSupport, WithoutFrictionNothingGrips) {
  const ContactSupport support = support_of_block(false);
  EXPECT_GT(support.pressed, 0);
  EXPECT_NEAR(support.normal(2, 2) / support.pressed, 1, 1e-12);
  EXPECT_EQ(support.grip.norm(), 0);
}

}  // namespace
}  // namespace traction
