// Momentum, angular momentum and rigid motion of bodies, against a known motion.

#include "system/body_motion.h"

#include <gtest/gtest.h>

#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"

namespace traction {
namespace {

Scene scene_of_a_block() {
  Scene scene;
  Body body;
  body.name = "block";
  body.solid["solid"] = {1e5, 0.4, 1000, {}};
  scene.bodies = {body};
  scene.time.steps = {{0, 1e-3, std::nullopt}};
  scene.time.end = 1;
  return scene;
}

TEST(BodyMotion, FindsTheRigidMotionThatABodyHasFarFromTheOrigin) {
  const Vec3 far(1e4, -2e4, 3e4), velocity(1, 2, 3), spin(4, -5, 6);
  const Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene_of_a_block(), test::box_mesh("block", far, far + Vec3(0.1, 0.2, 0.4), {2, 3, 4}));
  const System& system = *simulation.system;
  State state = simulation.loop->state();
  std::array<double, 4> sums{};
  for (int i = 0; i < system.halo().owned(); ++i) {
    sums[0] += system.mass()[i];
    for (int k = 0; k < 3; ++k) sums[1 + k] += system.mass()[i] * (state.q[i][k] - far[k]);
  }
  sum_over_ranks(system.communicator(), sums);
  const Vec3 center = Vec3(sums[1], sums[2], sums[3]) / sums[0];
  Vec3 angular = Vec3::Zero();
  for (int i = 0; i < system.halo().owned(); ++i) {
    const Vec3 arm = state.q[i] - far - center;
    state.v[i] = velocity + spin.cross(arm);
    angular += system.mass()[i] * arm.cross(spin.cross(arm));
  }
  sum_over_ranks(system.communicator(), {angular.data(), 3});

  const BodyMotion motion = body_motions(system, state.q, state.v).at(0);
  EXPECT_NEAR(motion.mass, 1000 * 0.1 * 0.2 * 0.4, 1e-9);  // so far out the mesh is off by rounding
  EXPECT_LT((motion.center - far - center).norm(), 1e-10);
  EXPECT_LT((motion.velocity - velocity).norm(), 1e-10);
  EXPECT_LT((motion.angular_momentum - angular).norm(), 1e-9 * angular.norm());
  EXPECT_LT((motion.angular_velocity - spin).norm(), 1e-8);
  EXPECT_LT((motion.velocity_at(far) - velocity + spin.cross(center)).norm(), 1e-8);
}

// Two point masses turn freely about the line through them.
TEST(BodyMotion, HasNoAngularVelocityAboutALineOfMass) {
  const Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene_of_a_block(), test::box_mesh("block", Vec3::Zero(), Vec3(1, 1, 1), {1, 1, 1}));
  State state = simulation.loop->state();
  for (int i = 0; i < simulation.system->halo().owned(); ++i) {
    state.q[i] = Vec3(0, 0, state.q[i].z());
    state.v[i] = Vec3(0, 7, 0).cross(Vec3(state.q[i]));
  }
  const BodyMotion motion = body_motions(*simulation.system, state.q, state.v).at(0);
  EXPECT_TRUE(motion.angular_velocity.allFinite());
  EXPECT_NEAR(motion.angular_velocity.y(), 7, 1e-10);
}

// A turn by 160 degrees and a shift of a block that is also stretched along its axes is found as the turn alone. What is held does not turn.
TEST(BodyRotations, FindTheTurnOfABody) {
  const Mat3 turn = Eigen::AngleAxisd(2.8, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
  const Vec3 lower(1, 2, 3);
  for (const bool is_held : {false, true}) {
    Scene scene = scene_of_a_block();
    HeldPart roller;
    roller.components = {Axis::z};
    if (is_held) scene.bodies[0].driven = {{roller, "bottom", {}, {}}};
    const Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, test::box_mesh("block", lower, lower + Vec3(0.1, 0.2, 0.4), {2, 3, 4}));
    const Field& from = simulation.loop->state().q;
    Field to = from;
    for (int i = 0; i < simulation.system->halo().local(); ++i) to[i] = turn * Vec3(1.1, 0.9, 1.2).cwiseProduct(from[i] - lower) + Vec3(5, 0, -1);
    EXPECT_LT((body_rotations(*simulation.system, from, to).at(0) - (is_held ? Mat3(Mat3::Identity()) : turn)).norm(),
              5e-2);  // nearly: the mesh's masses lie unevenly
    for (int i = 0; i < simulation.system->halo().local(); ++i) to[i] = turn * from[i] + Vec3(5, 0, -1);
    EXPECT_LT((body_rotations(*simulation.system, from, to).at(0) - (is_held ? Mat3(Mat3::Identity()) : turn)).norm(), 1e-12);
  }
}

// Where all mass lies on a line, the line is turned, and nothing about it.
TEST(BodyRotations, TurnALineByTheSmallestRotation) {
  const Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene_of_a_block(), test::box_mesh("block", {1, 2, 3}, {1.1, 2.2, 3.4}, {2, 3, 4}));
  for (const double angle : {0.0, 0.7, 2.8}) {
    const Mat3 smallest = Eigen::AngleAxisd(angle, Vec3::UnitX()).toRotationMatrix();
    const Mat3 turn = smallest * Eigen::AngleAxisd(0.4, Vec3::UnitZ()).toRotationMatrix();
    Field from = simulation.loop->state().q, to = from;
    for (int i = 0; i < simulation.system->halo().local(); ++i) {
      from[i] = Vec3(1, -2, from[i].z());
      to[i] = turn * from[i] + Vec3(5, 0, -1);
    }
    EXPECT_LT((body_rotations(*simulation.system, from, to).at(0) - smallest).norm(), 1e-7) << angle;
  }
}

}  // namespace
}  // namespace traction
