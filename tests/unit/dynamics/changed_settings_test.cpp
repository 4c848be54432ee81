#include "dynamics/changed_settings.h"

#include <gtest/gtest.h>

namespace traction {
namespace {

TEST(ChangedSettings, AreSummedBeyondRoundingAndReportedOnceIfLarge) {
  ChangedSettings changed;
  changed.add(1e-10, 1);  // rounding
  EXPECT_EQ(changed.total(), 0);
  changed.add(1e-4, 1);
  EXPECT_EQ(changed.total(), 1e-4);
  EXPECT_FALSE(changed.warning("energy_numerical"));
  changed.add(-0.5, 1);
  EXPECT_DOUBLE_EQ(changed.total(), 1e-4 - 0.5);
  EXPECT_EQ(changed.warning("energy_numerical"),
            "the changed settings have taken 0.5 J at the moment at which the run continues; energy_numerical does not count this");
  EXPECT_FALSE(changed.warning("energy_numerical"));
  changed.add(2, 1);
  changed.restore(3);
  EXPECT_EQ(changed.total(), 3);
  EXPECT_FALSE(changed.warning("energy_numerical"));
}

}  // namespace
}  // namespace traction
