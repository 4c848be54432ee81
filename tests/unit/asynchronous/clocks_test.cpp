// Stable steps against frequencies that are known, and clocks.
#include "asynchronous/clocks.h"

#include <gtest/gtest.h>

#include <cmath>

#include "forces/point_spring.h"
#include "forces/spring_damper.h"
#include "support/few_vertices.h"

namespace traction {
namespace {

// omega = sqrt(k / m); h = 2 / omega.
TEST(StableSteps, AreThoseOfOscillators) {
  test::FewVertices points({Vec3::Zero(), Vec3(1, 0, 0)}, 2);
  points.system->add(std::make_shared<PointSpring>(std::vector<double>{50, 0}, std::vector<Vec3>(2, Vec3::Zero())));
  const Potentials potentials(*points.system);
  const std::vector<double> steps = stable_steps(potentials, *points.system, points.state);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_NEAR(steps[0], 2 / std::sqrt(50.0 / 2), 1e-8);
  EXPECT_TRUE(std::isinf(steps[1]));
}

// A spring between two masses with a damper: omega^2 = 2 k / m, rate 2 c / m, and the step of the leapfrog scheme with a lagging damper.
TEST(StableSteps, KnowDampers) {
  test::FewVertices points({Vec3::Zero(), Vec3(1, 0, 0)}, 2);
  SpringDamper spring{{0, 1}, {1, -1}, Vec3::Zero(), 50, 3, 1};
  points.system->add(std::make_shared<SpringDampers>(PETSC_COMM_SELF, std::vector{spring}));
  const Potentials potentials(*points.system);
  const double square = 2 * 50.0 / 2, rate = 2 * 3.0 / 2;
  EXPECT_NEAR(stable_steps(potentials, *points.system, points.state).front(), 2 / (std::sqrt(square + rate * rate / 4) + rate / 2), 1e-7);
}

// Two springs on one vertex have half of its mass each, so that both together are stable: the exact limit of both is 2 / sqrt(2 k / m).
TEST(StableSteps, ShareTheMassOfAVertex) {
  test::FewVertices points({Vec3::Zero()}, 2);
  for (int i = 0; i < 2; ++i) points.system->add(std::make_shared<PointSpring>(std::vector<double>{50}, std::vector<Vec3>{Vec3::Zero()}));
  const Potentials potentials(*points.system);
  for (const double step : stable_steps(potentials, *points.system, points.state)) EXPECT_NEAR(step, 2 / std::sqrt(2 * 50.0 / 2), 1e-8);
}

TEST(Clock, ActsInTheMiddleOfItsSteps) {
  Clock clock{0.25};
  EXPECT_EQ(clock.time(), 0.125);
  for (const auto& [after, time] : {std::pair(0.0, 0.125), std::pair(0.1, 0.125), std::pair(0.125, 0.375), std::pair(10.0, 10.125)}) {
    clock.start_after(after);
    EXPECT_EQ(clock.time(), time);
  }
}

}  // namespace
}  // namespace traction
