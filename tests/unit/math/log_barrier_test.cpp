#include "math/log_barrier.h"

#include <gtest/gtest.h>

#include <cmath>

namespace traction {
namespace {

constexpr double kReach = 5e-3, kWeight = 1.7e4;

// At half the thickness: b = (delta / 2)^2 ln 2, -b' = delta (ln 2 + 1 / 2).
TEST(LogBarrier, KnownValues) {
  const double energy = kWeight * kReach * kReach * std::log(2) / 4, force = kWeight * kReach * (std::log(2) + 0.5);
  EXPECT_NEAR(log_barrier(0.5 * kReach, kReach, kWeight), energy, 1e-14 * energy);
  EXPECT_NEAR(log_barrier_force(0.5 * kReach, kReach, kWeight), force, 1e-14 * force);
  EXPECT_EQ(log_barrier(kReach, kReach, kWeight), 0);
  EXPECT_EQ(log_barrier_force(2 * kReach, kReach, kWeight), 0);
}

TEST(LogBarrier, ForceIsMinusTheEnergysDerivative) {
  for (const double ratio : {1e-9, 0.01, 0.3, 0.999, 1.0, 1.5}) {
    const Dual<double> energy = log_barrier(make_dual(ratio * kReach, 1), kReach, kWeight);
    const double force = log_barrier_force(ratio * kReach, kReach, kWeight);
    EXPECT_NEAR(-energy.derivative[0], force, 1e-13 * (kWeight * kReach + force)) << ratio;
    EXPECT_GE(force, 0);
  }
}

TEST(LogBarrier, IsUndefinedWithoutAGap) {
  for (const double gap : {0.0, -1e-6}) {
    EXPECT_TRUE(std::isnan(log_barrier(gap, kReach, kWeight)));
    EXPECT_TRUE(std::isnan(log_barrier_force(gap, kReach, kWeight)));
  }
}

}  // namespace
}  // namespace traction
