#include "contact/stiffness_control.h"

#include <gtest/gtest.h>

namespace traction {
namespace {

constexpr StiffnessControl kControl{-1e-6, 4e-6, 0.01};

TEST(StiffnessControl, GrowsBelowTheRangeFallsAboveItAndRestsWithin) {
  EXPECT_DOUBLE_EQ(kControl.next(200, 100, -2e-6), 202);
  EXPECT_DOUBLE_EQ(kControl.next(202, 100, 5e-6), 200);
  for (const double gap : {-1e-6, 0.0, 4e-6}) EXPECT_EQ(kControl.next(200, 100, gap), 200);
}

TEST(StiffnessControl, StaysFinite) {
  double up = 1, down = 1;
  for (int i = 0; i < 100000; ++i) {
    up = kControl.next(up, 1, -1);
    down = kControl.next(down, 1, 1);
  }
  EXPECT_DOUBLE_EQ(up, 1e6);
  EXPECT_DOUBLE_EQ(down, 1e-6);
}

}  // namespace
}  // namespace traction
