#include "dynamics/pseudo_time.h"

#include <gtest/gtest.h>

namespace traction {
namespace {

constexpr double kFirst = 1e-2, kReference = 10;

PseudoTime::Outcome easy(double left) { return {left, kReference, 3, false, false}; }

TEST(PseudoTime, GrowsByThreeAfterEasyStepsUpToItsLongest) {
  PseudoTime time(kFirst);
  time.adapt(easy(5));
  EXPECT_DOUBLE_EQ(time.step(), 3e-2);
  for (int i = 0; i < 20; ++i) time.adapt(easy(4 - 0.1 * i));
  EXPECT_DOUBLE_EQ(time.step(), 1e3);
}

TEST(PseudoTime, ShrinksAfterManyIterationsAndStaysBetween) {
  PseudoTime time(kFirst);
  time.adapt({5, kReference, 15, false, false});
  EXPECT_DOUBLE_EQ(time.step(), kFirst);
  time.adapt({5, kReference, 21, false, false});
  EXPECT_DOUBLE_EQ(time.step(), kFirst / 2);
}

TEST(PseudoTime, AFailureBoundsTheStepsAfterItUntilEasyOnesRelieveTheBound) {
  PseudoTime time(kFirst);
  time.fail();
  EXPECT_DOUBLE_EQ(time.step(), kFirst / 8);
  time.adapt(easy(5));
  EXPECT_DOUBLE_EQ(time.step(), 3 * kFirst / 8);
  time.adapt(easy(4));
  EXPECT_DOUBLE_EQ(time.step(), kFirst / 2);  // half of the length that failed
  time.adapt(easy(3));
  EXPECT_DOUBLE_EQ(time.step(), 1.5 * kFirst / 2);
  time.adapt(easy(3));  // nothing improves: the bound stays
  EXPECT_DOUBLE_EQ(time.step(), 1.5 * kFirst / 2);
  time.begin_again();
  EXPECT_DOUBLE_EQ(time.step(), kFirst);
}

TEST(PseudoTime, IsExhaustedAfterTenFailures) {  // 8^-10 = 9.3e-10
  PseudoTime time(kFirst);
  for (int i = 0; i < 9; ++i) time.fail();
  EXPECT_FALSE(time.is_exhausted());
  time.fail();
  EXPECT_TRUE(time.is_exhausted());
}

TEST(PseudoTime, CutsByTheRootOfTheExcess) {
  PseudoTime time(kFirst);
  time.cut(4);
  EXPECT_DOUBLE_EQ(time.step(), 0.45 * kFirst);
  time.adapt(easy(5));
  EXPECT_DOUBLE_EQ(time.step(), 1.5 * 0.45 * kFirst);  // the bound is relieved
}

TEST(PseudoTime, StepsOfSlidingBodiesShrinkWhereTheyStallNearBalance) {
  PseudoTime time(kFirst);
  time.adapt({0.05, kReference, 3, true, false});
  const double before = time.step();
  time.adapt({0.04, kReference, 3, true, false});  // 0.8 of the imbalance remains
  EXPECT_DOUBLE_EQ(time.step(), before / 2);
  time.adapt({0.02, kReference, 3, true, false});  // half of it does
  EXPECT_DOUBLE_EQ(time.step(), before / 2);       // the bound of a sliding body is not relieved
}

TEST(PseudoTime, StepsOfBodiesThatAreKeptInPlaceDoNotShrinkBelowTheFirst) {
  PseudoTime time(kFirst);
  time.adapt({0.5, kReference, 3, false, true});
  time.adapt({0.49, kReference, 3, false, true});
  EXPECT_DOUBLE_EQ(time.step(), 1.5 * kFirst);
  time.adapt({0.48, kReference, 15, false, true});
  EXPECT_DOUBLE_EQ(time.step(), 0.75 * kFirst);
  time.adapt({0.47, kReference, 15, false, true});
  EXPECT_DOUBLE_EQ(time.step(), 0.75 * kFirst);
}

TEST(PseudoTime, ImbalanceThatRecursWhileABodySlidesShrinksTheStep) {
  PseudoTime time(kFirst);
  for (int i = 0; i < 10; ++i) time.adapt({2, kReference, 15, true, false});
  EXPECT_DOUBLE_EQ(time.step(), kFirst);
  time.adapt({2, kReference, 15, true, false});
  EXPECT_DOUBLE_EQ(time.step(), kFirst / 2);
  EXPECT_TRUE(time.leaves_the_same(2.001));
  EXPECT_FALSE(time.leaves_the_same(2.01));
}

}  // namespace
}  // namespace traction
