#include "math/time_table.h"

#include <gtest/gtest.h>

namespace traction {
namespace {

TEST(TimeTable, IsLinearBetweenTimesAndConstantOutside) {
  const TimeTable table = {{1, 2}, {2, 6}, {4, -2}};
  EXPECT_EQ(factor_at(table, 0), 2);
  EXPECT_EQ(factor_at(table, 1), 2);
  EXPECT_EQ(factor_at(table, 1.25), 3);
  EXPECT_EQ(factor_at(table, 2), 6);
  EXPECT_EQ(factor_at(table, 3.5), 0);
  EXPECT_EQ(factor_at(table, 4), -2);
  EXPECT_EQ(factor_at(table, 9), -2);
}

TEST(TimeTable, IsOneWithoutTimes) { EXPECT_EQ(factor_at(TimeTable(), 3), 1); }

}  // namespace
}  // namespace traction
