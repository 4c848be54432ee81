// What contact has moved, which numerical errors are judged by: of a block on a floor whose velocities are given.

#include "dynamics/moved_energy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "simulation/simulation.h"
#include "support/box_mesh.h"
#include "support/scenes.h"

namespace traction {
namespace {

class MovedEnergyTest : public testing::Test {
 protected:
  MovedEnergyTest()
      : simulation_(build_simulation(PETSC_COMM_WORLD, test::resting_box_scene(Integrator::tr_sdirk2),
                                     test::box_mesh("block", Vec3(0, 0, 4e-3), Vec3(0.2, 0.2, 0.204), {2, 2, 2}))),
        body_(body_motions(*simulation_.system, simulation_.loop->state().q, simulation_.loop->state().v).at(0)),
        moved_(*simulation_.system, simulation_.contacts) {}

  State moving(const Vec3& velocity, const Vec3& angular_velocity = Vec3::Zero()) const {
    State state = simulation_.loop->state();
    for (int i = 0; i < simulation_.system->halo().local(); ++i) state.v[i] = velocity + angular_velocity.cross(state.q[i] - body_.center);
    return state;
  }

  Simulation simulation_;
  BodyMotion body_;
  MovedEnergy moved_;
};

// The energy is that of the changes of momentum and of angular momentum, whatever the frame.
TEST_F(MovedEnergyTest, IsThatOfTheChangesOfBothMomenta) {
  const Vec3 frame(30, -20, 5), change(0.3, 0, 0.4), spin(0, 2, 0);
  moved_.begin(moving(frame), 1);
  const double turned = (body_.inertia * spin).squaredNorm() / (2 * body_.inertia.trace() / 3), expected = body_.mass * 0.25 / 2 + turned + 0.5;
  EXPECT_GT(turned, 0.05);
  EXPECT_NEAR(moved_.until(moving(frame + change, spin), 0.5).energy, expected, 1e-9);
  EXPECT_NEAR(moved_.until(moving(frame), 1, 0.02).energy, body_.mass * simulation_.system->reference_acceleration() * 0.02, 1e-9);  // less does not count
  moved_.leave(moved_.until(moving(frame + change, spin), 0.5));
  EXPECT_FALSE(moved_.has_begun());
  EXPECT_NEAR(moved_.largest(), expected, 1e-9);
}

// A long run judges by what it has done lately: the reference follows by a 64th of the difference in each step, and the largest energy fades by a thousandth.
TEST_F(MovedEnergyTest, ForgetsWhatIsLongAgo) {
  moved_.begin(moving(Vec3::Zero()), 0);
  const State end = moving(Vec3(0, 0, 1));
  const double at_once = body_.mass / 2;
  moved_.accept(end, 0);
  EXPECT_NEAR(moved_.until(end, 0).energy, at_once, 1e-9 * at_once);
  const int steps = 3000;
  for (int step = 0; step < steps; ++step) moved_.accept(end, 0);
  EXPECT_NEAR(moved_.until(end, 0).energy, at_once * std::pow(0.999, steps), 1e-6 * at_once);
  EXPECT_NEAR(moved_.until(moving(Vec3::Zero()), 0).energy, at_once, 1e-6 * at_once);  // from where the reference is by now
  EXPECT_NEAR(moved_.largest(), at_once, 1e-9 * at_once);
}

}  // namespace
}  // namespace traction
