#include "dynamics/growing_warnings.h"

#include <gtest/gtest.h>

namespace traction {
namespace {

TEST(GrowingWarnings, AreDueAtTheFirstValueAndAtTenTimesTheLastOne) {
  GrowingWarnings warnings;
  EXPECT_TRUE(warnings.is_due("a", 2e-5));
  EXPECT_FALSE(warnings.is_due("a", 1.9e-4));
  EXPECT_FALSE(warnings.is_due("a", 1e-5));
  EXPECT_TRUE(warnings.is_due("b", 1e-5));
  EXPECT_TRUE(warnings.is_due("a", 0.4));
  EXPECT_FALSE(warnings.is_due("a", 0.4));
  EXPECT_EQ(warnings.last("a"), 0.4);
  EXPECT_EQ(warnings.known("a"), 4);
  EXPECT_EQ(warnings.known("c"), 0);
  warnings.note("c", 2);
  EXPECT_FALSE(warnings.is_due("c", 20));
  EXPECT_TRUE(warnings.is_due("c", 20.1));
}

}  // namespace
}  // namespace traction
