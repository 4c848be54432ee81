#include "math/cubic_penalty.h"

#include <gtest/gtest.h>

namespace traction {
namespace {

constexpr double kThickness = 5e-3, kStiffness = 1.7e4;

// b = -(kappa/delta) (x - delta)^3: kappa delta^2 (1 - x/delta)^3.
TEST(CubicPenalty, KnownEnergies) {
  const double unit = kStiffness * kThickness * kThickness;
  EXPECT_NEAR(cubic_penalty(0.0, kThickness, kStiffness), unit, 1e-14 * unit);
  EXPECT_NEAR(cubic_penalty(0.5 * kThickness, kThickness, kStiffness), unit / 8, 1e-14 * unit);
  EXPECT_NEAR(cubic_penalty(-kThickness, kThickness, kStiffness), 8 * unit, 1e-14 * unit);
  EXPECT_EQ(cubic_penalty(kThickness, kThickness, kStiffness), 0);
  EXPECT_EQ(cubic_penalty(3 * kThickness, kThickness, kStiffness), 0);
}

// lambda = -b' = 3 kappa delta (1 - x/delta)^2.
TEST(CubicPenalty, KnownForces) {
  const double unit = 3 * kStiffness * kThickness;
  EXPECT_NEAR(cubic_penalty_force(0.0, kThickness, kStiffness), unit, 1e-14 * unit);
  EXPECT_NEAR(cubic_penalty_force(0.5 * kThickness, kThickness, kStiffness), unit / 4, 1e-14 * unit);
  EXPECT_NEAR(cubic_penalty_force(-kThickness, kThickness, kStiffness), 4 * unit, 1e-14 * unit);
  EXPECT_EQ(cubic_penalty_force(kThickness, kThickness, kStiffness), 0);
  EXPECT_EQ(cubic_penalty_force(3 * kThickness, kThickness, kStiffness), 0);
}

TEST(CubicPenalty, ForceIsMinusTheEnergysDerivative) {
  for (const double ratio : {-3.0, -0.2, 0.0, 0.3, 0.999, 1.0, 1.5}) {
    const Dual<double> energy = cubic_penalty(make_dual(ratio * kThickness, 1), kThickness, kStiffness);
    const double force = cubic_penalty_force(ratio * kThickness, kThickness, kStiffness);
    EXPECT_NEAR(-energy.derivative[0], force, 1e-14 * kStiffness * kThickness) << ratio;
    EXPECT_GE(force, 0);
  }
}

// lambda' = -(6 kappa / delta) (delta - x): continuous at delta, which Newton's method relies on.
TEST(CubicPenalty, SlopeOfTheForce) {
  for (const double ratio : {-1.0, 0.0, 0.5, 1.0, 2.0}) {
    const Dual<double> force = cubic_penalty_force(make_dual(ratio * kThickness, 1), kThickness, kStiffness);
    const double expected = ratio < 1 ? -6 * kStiffness * (1 - ratio) : 0;
    EXPECT_NEAR(force.derivative[0], expected, 1e-13 * kStiffness) << ratio;
  }
}

TEST(CubicPenalty, StiffeningFactorIsTheRatioOfForces) {
  const double reference = cubic_penalty(make_dual(0.5 * kThickness, 1), kThickness, kStiffness).derivative[0];
  for (const double ratio : {-5.0, -1.0, -1e-3, 0.0, 0.25, 0.5}) {
    const double slope = cubic_penalty(make_dual(ratio * kThickness, 1), kThickness, kStiffness).derivative[0];
    const double factor = stiffening_factor(ratio * kThickness, kThickness);
    EXPECT_NEAR(factor, slope / reference, 1e-13 * factor) << ratio;
  }
  EXPECT_NEAR(stiffening_factor(0, kThickness), 4, 1e-14);
  EXPECT_NEAR(stiffening_factor(-kThickness, kThickness), 16, 1e-13);
  EXPECT_NEAR(stiffening_factor(0.5 * kThickness, kThickness), 1, 1e-14);
}

}  // namespace
}  // namespace traction
