// The time and text of reports about a long step, by a clock that the test sets.

#include "app/step_watch.h"

#include <gtest/gtest.h>

namespace traction {
namespace {

TEST(StepWatch, WarnsAfterAMinuteThenAfterTwiceAsLong) {
  double now = 1000;
  StepWatch watch([&] { return now; });
  watch.begin_step(7, 0.25);
  EXPECT_FALSE(watch.look(std::nullopt));
  EXPECT_FALSE(watch.look(1e-2));
  now += 59;
  EXPECT_FALSE(watch.look(3e-3));
  now += 2;
  const auto warning = watch.look(2e-3);
  ASSERT_TRUE(warning);
  for (const char* part : {"step 7 from t = 0.25 s", "61 s", "attempt 1, Newton iteration 3", "0.01, 0.003, 0.002 m/s", "shorter time.step"})
    EXPECT_NE(warning->find(part), std::string::npos) << part << " in: " << *warning;
  now += 60;
  EXPECT_FALSE(watch.look(1e-3));
  now += 2;
  EXPECT_TRUE(watch.look(1e-4));
}

TEST(StepWatch, NamesAnotherRemedyWithoutInertia) {
  double now = 0;
  StepWatch watch([&] { return now; });
  watch.begin_step(3, 0.5, false);
  watch.look({});
  now = 61;
  const auto warning = watch.look(1e-3);
  ASSERT_TRUE(warning);
  EXPECT_NE(warning->find("run the scene with inertia"), std::string::npos);
  EXPECT_EQ(warning->find("shorter time.step"), std::string::npos);
}

TEST(StepWatch, ForgetsTheErrorsOfEarlierAttemptsAndSteps) {
  double now = 0;
  StepWatch watch([&] { return now; });
  watch.begin_step(1, 0);
  watch.look(std::nullopt);
  watch.look(0.5);
  watch.look(std::nullopt);
  now = 60;
  const auto warning = watch.look(0.25);
  ASSERT_TRUE(warning);
  EXPECT_NE(warning->find("attempt 2, Newton iteration 1; the last iterates are off by 0.25 m/s"), std::string::npos) << *warning;
  watch.begin_step(2, 1e-3);
  watch.look(std::nullopt);
  EXPECT_FALSE(watch.look(0.125));
}

TEST(StepWatch, WarnsOfALongSearchForEquilibrium) {
  double now = 0;
  StepWatch watch([&] { return now; });
  watch.begin_equilibrium();
  watch.look(std::nullopt);
  watch.look(0.5);
  watch.look(std::nullopt);
  now = 61;
  const auto warning = watch.look(0.25);
  ASSERT_TRUE(warning);
  for (const char* part : {"equilibrium at the start has run for 61 s", "step 2 of pseudo-time, Newton iteration 1", "off by 0.25 m/s"})
    EXPECT_NE(warning->find(part), std::string::npos) << part << " in: " << *warning;
}

}  // namespace
}  // namespace traction
