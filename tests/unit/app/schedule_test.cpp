// Steps and frames that a schedule foresees, counted by hand.

#include "app/schedule.h"

#include <gtest/gtest.h>

namespace traction {
namespace {

TimeSettings schedule(std::vector<StepSettings> steps, double end) {
  TimeSettings time;
  time.steps = std::move(steps);
  time.end = end;
  return time;
}

StepSettings piece(double from, double step) {
  StepSettings settings;
  settings.from = from;
  settings.step = step;
  return settings;
}

TEST(Schedule, DividesTheTimeIntoWholeSteps) {
  const auto pieces = scheduled_pieces(schedule({piece(0, 0.01), piece(0.1, 0.03)}, 0.2), 0);
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[0].steps, 10);
  EXPECT_EQ(pieces[1].steps, 4);  // 0.1 s need 3 1/3 steps of 0.03 s: 4 of 0.025 s are taken
  EXPECT_NEAR(pieces[1].step(), 0.025, 1e-15);
  EXPECT_EQ(scheduled_steps(pieces), 14);
}

TEST(Schedule, EndsStepsWherePartsAreReleased) {
  const auto pieces = scheduled_pieces(schedule({piece(0, 0.01)}, 0.1), 0, {0.025, 0.3});
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[0].steps, 3);
  EXPECT_EQ(pieces[1].steps, 8);
}

TEST(Schedule, CountsFromWhereARunContinues) {
  const auto pieces = scheduled_pieces(schedule({piece(0, 0.01), piece(0.1, 0.02), piece(0.4, 1)}, 0.3), 0.1 - 1e-14);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0].steps, 10);
}

TEST(Schedule, WritesAFrameAtMostAfterEachStep) {
  const TimeSettings fine_then_coarse = schedule({piece(0, 0.001), piece(0.1, 0.02)}, 0.3);
  const auto pieces = scheduled_pieces(fine_then_coarse, 0);
  EXPECT_EQ(scheduled_frames(pieces, 0.005), 20 + 10);   // every 5 steps, then after each
  EXPECT_EQ(scheduled_frames(pieces, 1e-30), 100 + 10);  // after each
  EXPECT_EQ(scheduled_frames(pieces, 0.02), 15);
  EXPECT_EQ(scheduled_frames(pieces, 0.3), 1);
  EXPECT_EQ(scheduled_frames(pieces, 1), 0);
  EXPECT_EQ(scheduled_frames(scheduled_pieces(fine_then_coarse, 0.052), 0.02), 13);  // 0.06, 0.08, ..., 0.3
}

}  // namespace
}  // namespace traction
