#include "system/rigid_motion.h"

#include <gtest/gtest.h>

#include <cmath>

namespace traction {
namespace {

MotionSettings motion_with(double start, double ramp, std::optional<double> stop) {
  MotionSettings motion;
  motion.velocity = Vec3(0.3, -1.2, 0.5);
  motion.angular_velocity = Vec3(2, -1, 4);
  motion.about = Vec3(0.7, 0.1, -0.4);
  motion.start = start;
  motion.ramp = ramp;
  motion.stop = stop;
  return motion;
}

// tau' is 0 before 0.5, (t - 0.5)/0.2 on the ramp, 1 until 1.5, then 0; tau is its area.
TEST(MotionProgress, StartRampAndStop) {
  const MotionSettings motion = motion_with(0.5, 0.2, 1.5);
  const double expected[][3] = {{0, 0, 0},         {0.5, 0, 0},   {0.6, 0.025, 0.5}, {0.65, 0.05625, 0.75}, {0.7, 0.1, 1}, {1.0, 0.4, 1},
                                {1.499, 0.899, 1}, {1.5, 0.9, 0}, {9, 0.9, 0}};
  for (const auto& [time, tau, rate] : expected) {
    EXPECT_NEAR(motion_progress(motion, time), tau, 1e-14) << time;
    EXPECT_NEAR(motion_progress_rate(motion, time), rate, 1e-14) << time;
  }
}

TEST(MotionProgress, WithoutRampIsTheTimeSinceTheStart) {
  const MotionSettings motion = motion_with(0.25, 0, std::nullopt);
  for (const double time : {0.0, 0.2, 0.25, 0.3, 1.0, 100.0}) {
    EXPECT_NEAR(motion_progress(motion, time), std::max(0.0, time - 0.25), 1e-14) << time;
    EXPECT_EQ(motion_progress_rate(motion, time), time < 0.25 ? 0 : 1) << time;
  }
}

TEST(MotionProgress, MayStopOnTheRampOrBeforeItsStart) {
  const MotionSettings on_ramp = motion_with(1, 0.4, 1.2);
  EXPECT_NEAR(motion_progress(on_ramp, 5), 0.5 * 0.2 * 0.2 / 0.4, 1e-15);
  EXPECT_EQ(motion_progress_rate(on_ramp, 1.3), 0);
  const MotionSettings never = motion_with(1, 0.4, 0.5);
  EXPECT_EQ(motion_progress(never, 5), 0);
  EXPECT_EQ(motion_progress_rate(never, 5), 0);
}

TEST(MotionProgress, RateIsTheDerivative) {
  const MotionSettings motion = motion_with(0.5, 0.2, 1.5);
  const double h = 1e-6;
  for (const double time : {0.3, 0.55, 0.69, 0.9, 1.49, 1.6})
    EXPECT_NEAR((motion_progress(motion, time + h) - motion_progress(motion, time - h)) / (2 * h), motion_progress_rate(motion, time), 1e-9) << time;
}

// A quarter turn about z through (1, 0, 0), lifted by 2 m: (2, 0, 0) goes to (1, 1, 2).
TEST(RigidPose, QuarterTurn) {
  MotionSettings motion;
  motion.velocity = Vec3(0, 0, 1);
  motion.angular_velocity = Vec3(0, 0, EIGEN_PI / 4);
  motion.about = Vec3(1, 0, 0);
  const Pose pose(motion, 2);
  EXPECT_LT((pose.to_world<double>(Vec3(2, 0, 0)) - Vec3(1, 1, 2)).norm(), 1e-15);
  // v = (0, 0, 1) + (pi/4) z x (0, 1, 0)
  EXPECT_LT((pose.velocity_at<double>(Vec3(1, 1, 2)) - Vec3(-EIGEN_PI / 4, 0, 1)).norm(), 1e-15);
}

TEST(RigidPose, IsTheIdentityAtTheStart) {
  const Pose pose(motion_with(0, 0.3, std::nullopt), 0);
  const Vec3 x(3, -2, 1);
  EXPECT_LT((pose.to_world<double>(x) - x).norm(), 1e-15);
  EXPECT_LT((Pose().to_world<double>(x) - x).norm(), 1e-15);
  EXPECT_EQ(Pose().velocity_at<double>(x).norm(), 0);
}

TEST(RigidPose, KeepsDistancesAndOrientation) {
  const Pose pose(motion_with(0.1, 0.2, std::nullopt), 1.3);
  EXPECT_LT((pose.rotation.transpose() * pose.rotation - Mat3::Identity()).norm(), 1e-15);
  EXPECT_NEAR(pose.rotation.determinant(), 1, 1e-15);
}

TEST(RigidPose, ToRestInvertsToWorld) {
  const MotionSettings motion = motion_with(0.1, 0.2, 2.0);
  for (const double time : {0.0, 0.2, 1.0, 5.0})
    for (const Vec3& x : {Vec3(0, 0, 0), Vec3(1, 2, -3), Vec3(-0.2, 40, 0.3)}) {
      const Pose pose(motion, time);
      EXPECT_LT((pose.to_rest<double>(pose.to_world<double>(x)) - x).norm(), 1e-14 * (1 + x.norm()));
      EXPECT_LT((pose.to_world<double>(pose.to_rest<double>(x)) - x).norm(), 1e-14 * (1 + x.norm()));
    }
}

// Central differences of the path of a point that moves with the frame, Richardson-extrapolated.
TEST(RigidPose, VelocityIsTheTimeDerivativeOfTheWorldPoint) {
  const MotionSettings motion = motion_with(0.1, 0.5, 2.0);
  const Vec3 x(1, 2, -3);
  auto path = [&](double time) { return Pose(motion, time).to_world<double>(x); };
  auto central = [&](double time, double h) { return Vec3((path(time + h) - path(time - h)) / (2 * h)); };
  for (const double time : {0.05, 0.3, 0.9, 1.9, 3.0}) {
    const Vec3 numerical = (4 * central(time, 5e-4) - central(time, 1e-3)) / 3;
    EXPECT_LT((Pose(motion, time).velocity_at<double>(path(time)) - numerical).norm(), 1e-8) << time;
  }
}

// One motion upon the other: the path of a point is that of the second applied to where the first has taken it, and its velocity the derivative.
TEST(RigidPose, MotionsFollowOneAnother) {
  MotionSettings first = motion_with(0.1, 0.5, 2.0), second = motion_with(0.7, 0.2, 3.0);
  second.about = Vec3(-2, 0.5, 1);
  second.angular_velocity = Vec3(0.3, -2, 0.4);
  const Vec3 x(1, 2, -3);
  auto path = [&](double time) { return Pose(Motion{first, second}, time).to_world<double>(x); };
  auto central = [&](double time, double h) { return Vec3((path(time + h) - path(time - h)) / (2 * h)); };
  for (const double time : {0.05, 0.3, 0.8, 1.9, 2.5, 4.0}) {
    EXPECT_LT((path(time) - Pose(second, time).to_world<double>(Pose(first, time).to_world<double>(x))).norm(), 1e-13) << time;
    const Pose pose(Motion{first, second}, time);
    EXPECT_LT((pose.to_rest<double>(path(time)) - x).norm(), 1e-13) << time;
    const Vec3 numerical = (4 * central(time, 5e-4) - central(time, 1e-3)) / 3;
    EXPECT_LT((pose.velocity_at<double>(path(time)) - numerical).norm(), 1e-7) << time;
  }
}

// A dual number through velocity_at gives omega x dx.
TEST(RigidPose, VelocityGradientIsTheSpin) {
  const Pose pose(motion_with(0, 0, std::nullopt), 0.8);
  const Vec3 x(1, 2, -3), dx(0.2, -0.5, 0.9), expected = pose.angular_velocity.cross(dx);
  Vector3<Dual<double>> seeded;
  for (int i = 0; i < 3; ++i) seeded[i] = make_dual(x[i], dx[i]);
  const Vector3<Dual<double>> velocity = pose.velocity_at(seeded);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(velocity[i].derivative[0], expected[i], 1e-14);
}

// The second difference of the position of a point that two successive motions move; both are on their ramps.
TEST(RigidPose, AccelerationIsTheSecondDerivative) {
  const MotionSettings inner = motion_with(0, 2, std::nullopt);
  MotionSettings outer = motion_with(0.1, 3, std::nullopt);
  outer.angular_velocity = Vec3(-1, 3, 0.5);
  const Motion motion = {inner, outer};
  const double h = 1e-4;
  for (const double time : {0.3, 1.1, 2.5, 3.5}) {
    const Vec3 x(0.2, -0.9, 1.4);
    const auto at = [&](double t) { return Pose(motion, t).to_world<double>(x); };
    const Vec3 expected = (at(time + h) - 2 * at(time) + at(time - h)) / (h * h);
    EXPECT_LT((Pose(motion, time).acceleration_at(at(time)) - expected).norm(), 1e-6 * expected.norm()) << time;
  }
}

// A mean velocity carries a point from where two motions had it at the start to where they have it now, however far they turn; the mean spin of one motion is
// its angle over the duration.
TEST(RigidPose, MeanVelocityIsTheDisplacementOverTheDuration) {
  const MotionSettings inner = motion_with(0, 2, 2.5);
  MotionSettings outer = motion_with(0.1, 3, std::nullopt);
  outer.angular_velocity = Vec3(-1, 3, 0.5);
  const Motion motion = {inner, outer};
  State state;
  state.time = 2.6;
  state.mean = MeanVelocity{1.1, 1.7};
  const Pose now(motion, state);
  for (const Vec3& x : {Vec3(0.2, -0.9, 1.4), Vec3(-30, 2, 5)}) {
    const Vec3 before = Pose(motion, 1.1).to_world(x), after = Pose(motion, 2.6).to_world(x);
    EXPECT_LT((now.velocity_at(after) - (after - before) / 1.7).norm(), 1e-13 * after.norm());
  }
  const double angles = motion_progress(inner, 2.6) - motion_progress(inner, 1.1);
  EXPECT_LT((Pose(Motion{inner}, state).angular_velocity - inner.angular_velocity * angles / 1.7).norm(), 1e-14);
}

TEST(MotionProgress, AccelerationIsThatBeforeAKink) {
  const MotionSettings motion = motion_with(0.5, 0.25, 1.5);
  for (const auto& [time, expected] : {std::pair(0.5, 0.0), {0.6, 4.0}, {0.75, 4.0}, {0.8, 0.0}, {1.5, 0.0}, {2.0, 0.0}})
    EXPECT_EQ(motion_progress_acceleration(motion, time), expected) << time;
  EXPECT_EQ(motion_progress_acceleration(motion_with(0, 1, 0.5), 0.5), 1);
  EXPECT_EQ(motion_progress_acceleration(motion_with(0, 1, 0.5), 0.6), 0);
}

}  // namespace
}  // namespace traction
