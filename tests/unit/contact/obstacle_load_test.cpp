// The work of an obstacle's motion, against the sum of forces times the ways of the points at which they act.

#include "contact/obstacle_load.h"

#include <gtest/gtest.h>

#include <random>

#include "support/sheets.h"

namespace traction {
namespace {

class ObstacleMotion : public testing::TestWithParam<Motion> {};

TEST_P(ObstacleMotion, DoesTheWorkOfForcesAlongTheWaysOfTheirPoints) {
  const Motion motion = GetParam();
  const Pose start(motion, 0.2), end(motion, 0.7);
  std::mt19937 generator(5);
  ObstacleLoad at_start{&motion}, at_end{&motion};
  double forward = 0, backward = 0, size = 0;
  for (int i = 0; i < 6; ++i) {
    const Vec3 place = test::random_vector(generator, 2), first = test::random_vector(generator, 3), second = test::random_vector(generator, 3);
    const Vec3 x = start.to_world(place), y = end.to_world(place);
    at_start.add(start, x, first);
    at_end.add(end, y, second);
    forward += first.dot(y - x);
    backward += second.dot(x - y);
    size += first.norm() * (y - x).norm();
  }
  EXPECT_NEAR(at_start.work(start, end), forward, 1e-13 * size);
  EXPECT_NEAR(at_end.work(end, start), backward, 1e-13 * size);
  EXPECT_NEAR(at_start.work(start, start), 0, 1e-14 * size);
}

MotionSettings motion_of(const Vec3& velocity, const Vec3& angular_velocity, const Vec3& about) {
  MotionSettings motion;
  motion.velocity = velocity;
  motion.angular_velocity = angular_velocity;
  motion.about = about;
  motion.ramp = 0.3;
  return motion;
}

INSTANTIATE_TEST_SUITE_P(
    Motions, ObstacleMotion,
    testing::Values(Motion{motion_of(Vec3(1, -2, 0.5), Vec3::Zero(), Vec3(3, 0, 0))}, Motion{motion_of(Vec3::Zero(), Vec3(0.4, 3, -1), Vec3(0.3, 1, -2))},
                    Motion{motion_of(Vec3(1, 0, 0), Vec3(0, 0, 5), Vec3(1, 1, 0)), motion_of(Vec3(0, 2, 1), Vec3(1, 0, 0), Vec3(-2, 0, 1))}));

}  // namespace
}  // namespace traction
