// Which steps are reported as impacts that they decide alone.

#include "app/contact_jumps.h"

#include <gtest/gtest.h>

namespace traction {
namespace {

StepRecord step(long active) {
  StepRecord record;
  record.dt = 1e-3;
  record.contacts.emplace_back().active = active;
  return record;
}

// A speed in m/s.
auto taken(double speed) {
  return [speed](std::size_t) { return speed; };
}

TEST(ContactJumps, WarnsOnceOfAStepThatTakesMoreThanTheThickness) {
  ContactJumps jumps({{"landing", 2e-3, true}});
  EXPECT_TRUE(jumps.look(step(0), taken(5)).empty());
  const auto warnings = jumps.look(step(5), taken(5));
  ASSERT_EQ(warnings.size(), 1u);
  for (const char* part :
       {"contact 'landing'", "a travel of 0.005 m per step of 0.001 s", "thickness of 0.002 m", "take steps of 0.0001 s", "larger thickness"})
    EXPECT_NE(warnings[0].find(part), std::string::npos) << part << " in: " << warnings[0];
  EXPECT_TRUE(jumps.look(step(0), taken(5)).empty());
  EXPECT_TRUE(jumps.look(step(5), taken(5)).empty());
}

TEST(ContactJumps, WarnsOfTheFirstStepWhereNothingTouchesAtTheStart) {
  ContactJumps jumps({{"landing", 2e-3, true, false}});
  EXPECT_EQ(jumps.look(step(5), taken(5)).size(), 1u);
}

TEST(ContactJumps, WarnsOfImpactsThatBeginAndEndWithinAStep) {
  ContactJumps jumps({{"landing", 2e-3, true, false}});
  StepRecord bounce = step(0);
  bounce.solver.contact.most = {0};
  EXPECT_TRUE(jumps.look(bounce, taken(5)).empty());
  bounce.solver.contact.most = {1e-3};  // energy that it stored in a stage [J]
  EXPECT_TRUE(jumps.look(bounce, taken(1.9)).empty());
  EXPECT_EQ(jumps.look(bounce, taken(5)).size(), 1u);
  EXPECT_TRUE(jumps.look(bounce, taken(5)).empty());  // once
}

TEST(ContactJumps, LeavesOutSlowImpactsContactThatLastsAndBoundedSteps) {
  ContactJumps jumps({{"landing", 2e-3, true}});
  EXPECT_TRUE(jumps.look(step(5), taken(5)).empty());  // what was before is not known
  EXPECT_TRUE(jumps.look(step(5), taken(5)).empty());
  EXPECT_TRUE(jumps.look(step(0), taken(5)).empty());
  EXPECT_TRUE(jumps.look(step(5), taken(1.9)).empty());
  ContactJumps bounded({{"landing", 2e-3, false}});
  EXPECT_TRUE(bounded.look(step(0), taken(5)).empty());
  EXPECT_TRUE(bounded.look(step(5), taken(5)).empty());
}

}  // namespace
}  // namespace traction
