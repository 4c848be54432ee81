#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "dynamics/scheduled_step.h"

namespace traction {
namespace {

TimeSettings two_pieces() {
  TimeSettings settings;
  settings.steps = {{0, 0.1, std::nullopt}, {0.35, 0.02, Integrator::backward_euler}};
  settings.end = 0.5;
  settings.integrator = Integrator::tr_bdf2;
  return settings;
}

// 0.35 s in steps of at most 0.1 s are 4 of 0.0875 s; 0.15 s in steps of at most 0.02 s are 8 of 0.01875 s.
TEST(ScheduledStep, DividesAPieceEvenly) {
  EXPECT_NEAR(scheduled_step(two_pieces(), 0, 0).length, 0.0875, 1e-16);
  EXPECT_NEAR(scheduled_step(two_pieces(), 0.2625, 0).length, 0.0875, 1e-15);
  EXPECT_NEAR(scheduled_step(two_pieces(), 0.35, 0).length, 0.01875, 1e-16);
}

// 0.12 s until the first time at which a step must end are 2 of 0.06 s, from there 0.23 s 3 of 0.23/3 s.
TEST(ScheduledStep, EndsAtGivenTimes) {
  const std::array<double, 2> ends{0.12, 2};
  EXPECT_NEAR(scheduled_step(two_pieces(), 0, 0, ends).length, 0.06, 1e-16);
  EXPECT_NEAR(scheduled_step(two_pieces(), 0.06, 0, ends).length, 0.06, 1e-16);
  EXPECT_NEAR(scheduled_step(two_pieces(), 0.12, 0, ends).length, 0.23 / 3, 1e-15);
}

// A run may be shorter than the rounding of the times at which its steps would end.
TEST(ScheduledStep, TimePassesInTheShortestRun) {
  TimeSettings settings;
  settings.steps = {{0, 5e-3, std::nullopt}};
  settings.end = 1e-12;
  EXPECT_EQ(scheduled_step(settings, 0, 0).end, 1e-12);
}

TEST(ScheduledStep, PiecesMayNameTheirIntegrator) {
  EXPECT_EQ(scheduled_step(two_pieces(), 0.3, 0).integrator, Integrator::tr_bdf2);
  EXPECT_EQ(scheduled_step(two_pieces(), 0.35, 0).integrator, Integrator::backward_euler);
  EXPECT_EQ(scheduled_step(two_pieces(), 0.49, 0).integrator, Integrator::backward_euler);
}

// Halved once: 0.35 s in steps of at most 0.05 s are 7; three times, of at most 0.0125 s: 28.
TEST(ScheduledStep, HalvingsShortenTheStep) {
  EXPECT_NEAR(scheduled_step(two_pieces(), 0, 1).length, 0.05, 1e-16);
  EXPECT_NEAR(scheduled_step(two_pieces(), 0, 3).length, 0.0125, 1e-16);
}

TEST(ScheduledStep, RestOfAPieceIsOneStepWhenItIsShort) {
  EXPECT_NEAR(scheduled_step(two_pieces(), 0.349, 0).length, 0.001, 1e-15);
  EXPECT_NEAR(scheduled_step(two_pieces(), 0.499, 0).length, 0.001, 1e-15);
}

// 100 steps of 1 ms by floating-point addition: rounding of the time must not add a step, nor lengthen one.
TEST(ScheduledStep, RoundingOfTheTimeAddsNoStep) {
  TimeSettings settings;
  settings.steps = {{0, 1e-3, std::nullopt}};
  settings.end = 0.1;
  double time = 0;
  int steps = 0;
  for (; time < settings.end * (1 - 1e-12); ++steps) {
    const double length = scheduled_step(settings, time, 0).length;
    EXPECT_NEAR(length, 1e-3, 1e-13);
    time += length;
  }
  EXPECT_EQ(steps, 100);
}

// Steps of 5 ms, some halved twice, have the same lengths and ends whether the run ends at 0.3 s or at 1.7 s, and no time has more digits than its decimal
// number.
TEST(ScheduledStep, DoesNotDependOnTheEndInWholeSteps) {
  TimeSettings sooner, later;
  sooner.steps = later.steps = {{0, 5e-3, std::nullopt}};
  sooner.end = 0.3;
  later.end = 1.7;
  double time = 0;
  for (int steps = 0; time < 0.3; ++steps) {
    const int halvings = steps % 12 < 4 ? 2 : 0;
    const ScheduledStep step = scheduled_step(sooner, time, halvings);
    EXPECT_EQ(step.length, std::ldexp(5e-3, -halvings));
    EXPECT_EQ(step.length, scheduled_step(later, time, halvings).length);
    EXPECT_EQ(step.end, scheduled_step(later, time, halvings).end);
    time = step.end;
  }
  EXPECT_EQ(time, 0.3);
}

// Halved steps may be doubled where they end with a step of twice their length since the piece's begin, 0.35 s.
TEST(ScheduledStep, KnowsPairsOfHalvedSteps) {
  TimeSettings settings = two_pieces();
  settings.steps[1].step = 0.01;
  EXPECT_FALSE(scheduled_step(settings, 0.35, 1).splits_a_pair);
  EXPECT_TRUE(scheduled_step(settings, 0.355, 1).splits_a_pair);
  EXPECT_FALSE(scheduled_step(settings, 0.36, 1).splits_a_pair);
  EXPECT_FALSE(scheduled_step(settings, 0.355, 2).splits_a_pair);
  EXPECT_TRUE(scheduled_step(settings, 0.3625, 2).splits_a_pair);
}

TEST(ScheduledStep, LandsOnThePiecesEnds) {
  const TimeSettings settings = two_pieces();
  double time = 0;
  int first = 0, second = 0;
  for (; time < 0.35 - 1e-12; ++first) time += scheduled_step(settings, time, 0).length;
  EXPECT_NEAR(time, 0.35, 1e-15);
  for (; time < 0.5 - 1e-12; ++second) time += scheduled_step(settings, time, 0).length;
  EXPECT_NEAR(time, 0.5, 1e-15);
  EXPECT_EQ(first, 4);
  EXPECT_EQ(second, 8);
}

// A time that rounding left a little short of a piece's start belongs to that piece.
TEST(ScheduledStep, ATimeJustBeforeAPieceBelongsToIt) {
  const ScheduledStep step = scheduled_step(two_pieces(), 0.35 - 1e-15, 0);
  EXPECT_NEAR(step.length, 0.01875, 1e-14);
  EXPECT_EQ(step.integrator, Integrator::backward_euler);
}

}  // namespace
}  // namespace traction
