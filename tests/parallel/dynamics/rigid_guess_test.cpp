// First guesses of a body that flies and spins: rigid motion, and the deformation of the step before.

#include "dynamics/rigid_guess.h"

#include <gtest/gtest.h>

#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/scenes.h"

namespace traction {
namespace {

Simulation spinning_block(bool reproducible) {
  Scene scene = test::resting_box_scene(Integrator::sdirk2);
  scene.time.end = 1;
  scene.bodies[0].solid["solid"].youngs_modulus = 1e7;
  scene.bodies[0].volumes.clear();
  scene.contacts.clear();
  scene.solver.reproducible = reproducible;
  scene.bodies[0].initial.angular_velocity = Vec3(1, 2, 3);
  return build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", Vec3(0, 0, 4e-3), Vec3(0.2, 0.2, 0.204), {3, 3, 3}));
}

// A deviation along the body's own axes, as it is now, is along them a step later.
TEST(RigidGuess, TurnsWhatItKeepsWithTheBody) {
  const Simulation simulation = spinning_block(true);
  const System& system = *simulation.system;
  const State& state = simulation.loop->state();
  const std::vector<BodyMotion> motions = body_motions(system, state.q, state.v);
  const Vec3 spin = motions[0].angular_velocity;
  EXPECT_LT((spin - Vec3(1, 2, 3)).norm(), 1e-10);
  const double dt = 0.1, step = 5e-3;
  Field rigid(system.halo().local()), solution = rigid, moved = rigid, guess = rigid;
  for (int i = 0; i < system.halo().owned(); ++i) solution[i] = 0.01 * (state.q[i] - motions[0].center);
  KeptDeviations deviations;
  deviations.keep({0, step, 1}, solution, rigid);
  EXPECT_FALSE(deviations.add(system, motions, {1, step, 1 + dt}, guess));      // not the stage that was kept
  EXPECT_FALSE(deviations.add(system, motions, {0, step / 2, 1 + dt}, guess));  // not its length
  EXPECT_EQ(guess.array().squaredNorm(), 0);
  EXPECT_TRUE(deviations.add(system, motions, {0, step, 1 + dt}, guess));
  move_rigidly(system, motions, state, dt, moved);
  const Vec3 center = motions[0].center + dt * motions[0].velocity;
  for (int i = 0; i < system.halo().owned(); ++i) EXPECT_LT((guess[i] - 0.01 * (moved[i] - center)).norm(), 1e-15);
  deviations.clear();
  EXPECT_FALSE(deviations.add(system, motions, {0, step, 1 + dt}, guess));
}

// Once its waves have faded, a body in flight takes the one iteration per stage that is always taken. Steps that know nothing of each other take more.
TEST(RigidGuess, FlightWithSpinTakesOneIterationInEachStage) {
  for (const bool reproducible : {false, true}) {
    const Simulation simulation = spinning_block(reproducible);
    int most = 0;
    for (int step = 0; step < 60; ++step) {
      const StepRecord record = simulation.loop->advance();
      if (step >= 50) most = std::max(most, record.solver.newton_iterations);
    }
    if (reproducible) EXPECT_GT(most, 2);
    else EXPECT_EQ(most, 2);
  }
}

}  // namespace
}  // namespace traction
