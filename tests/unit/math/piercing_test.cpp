#include "math/piercing.h"

#include <gtest/gtest.h>

namespace traction {
namespace {

const std::array<Vec3, 3> kTriangle{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 3, 0)};

TEST(Piercing, IsAsDeepAsTheNearestWayOut) {
  // Ends 0.2 above and 0.1 below; the sides are 1 away.
  const auto by_end = find_piercing(Vec3(1, 1, 0.2), Vec3(1, 1, -0.1), kTriangle);
  ASSERT_TRUE(by_end);
  EXPECT_NEAR((by_end->place - Vec3(1, 1, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR(by_end->depth, 0.1, 1e-15);
  // Ends far away; the slanted side 3 x + 4 y = 12 is at (12 - 3 * 2 - 4) / 5 = 0.4, the side on the x axis at 1.
  const auto by_side = find_piercing(Vec3(2, 1, 5), Vec3(2, 1, -7), kTriangle);
  ASSERT_TRUE(by_side);
  EXPECT_NEAR(by_side->depth, 0.4, 1e-15);
}

TEST(Piercing, NeedsTheInsideOfBoth) {
  EXPECT_FALSE(find_piercing(Vec3(1, 1, 0.2), Vec3(1, 1, 0.1), kTriangle));  // ends above
  EXPECT_FALSE(find_piercing(Vec3(3, 2, 1), Vec3(3, 2, -1), kTriangle));     // passes beside
  EXPECT_FALSE(find_piercing(Vec3(1, 1, 1), Vec3(1, 1, 0), kTriangle));      // touches
  EXPECT_FALSE(find_piercing(Vec3(2, 0, 1), Vec3(2, 0, -1), kTriangle));     // through a side
  EXPECT_FALSE(find_piercing(Vec3(0.5, 0.5, 0), Vec3(1, 1, 0), kTriangle));  // in the plane
}

}  // namespace
}  // namespace traction
