#include "math/imc_potential.h"

#include <gtest/gtest.h>

#include <cmath>

namespace traction {
namespace {

constexpr double kRodRadius = 1.6e-3, kSharpness = 50, kRodStiffness = 30;
constexpr double kRodThickness = 0.15 * kRodRadius, kPotentialWidth = kRodRadius / kSharpness, kLargestForce = 6 * kRodStiffness * kRodThickness;

double imc_energy(double gap) { return imc_potential(gap, kRodThickness, kRodStiffness, kPotentialWidth); }
double imc_force(double gap) { return imc_potential_force(gap, kRodThickness, kRodStiffness, kPotentialWidth); }

// P3 Eq. 21: E = k_c ln(1 + exp(c (2 - Delta / h))) / c in units of h.
TEST(ImcPotential, IsThatOfThePaperUpToHalfTheThickness) {
  for (const double ratio : {-0.4, -0.1, 0.0, 0.2, 0.49}) {
    const double distance = 2 * kRodRadius + ratio * kRodThickness;
    const double expected = kLargestForce * kRodRadius * std::log(1 + std::exp(kSharpness * (2 - distance / kRodRadius))) / kSharpness;
    EXPECT_NEAR(imc_energy(ratio * kRodThickness), expected, 1e-11 * expected) << ratio;
  }
  EXPECT_NEAR(imc_force(0), 3 * kRodStiffness * kRodThickness, 1e-14 * kLargestForce);  // as the cubic penalty's
}

TEST(ImcPotential, IsLinearWhereDeepAndNothingWhereFar) {
  for (const double widths : {40.0, 1e3, 1e8, 1e300}) {
    EXPECT_NEAR(imc_energy(-widths * kPotentialWidth), kLargestForce * widths * kPotentialWidth, 1e-14 * kLargestForce * widths * kPotentialWidth);
    EXPECT_NEAR(imc_force(-widths * kPotentialWidth), kLargestForce, 1e-14 * kLargestForce);
  }
  for (const double gap : {kRodThickness, 1.0, 1e300}) {
    EXPECT_EQ(imc_energy(gap), 0);
    EXPECT_EQ(imc_force(gap), 0);
  }
  // A sharp potential underflows without a trace where it has not ended yet.
  EXPECT_EQ(imc_potential(0.4, 1.0, 1.0, 1e-4), 0);
  EXPECT_EQ(imc_potential_force(0.9, 1.0, 1.0, 1e-4), 0);
}

TEST(ImcPotential, ForceIsMinusTheEnergysDerivative) {
  for (const double ratio : {-3.0, -0.1, 0.0, 0.1, 0.45, 0.5, 0.51, 0.6, 0.75, 0.9, 0.999, 1.0, 1.5}) {
    const double gap = ratio * kRodThickness, h = 1e-4 * kPotentialWidth;
    const Dual<double> energy = imc_potential(make_dual(gap, 1), kRodThickness, kRodStiffness, kPotentialWidth);
    EXPECT_NEAR(-energy.derivative[0], imc_force(gap), 1e-13 * kLargestForce) << ratio;
    EXPECT_NEAR((imc_energy(gap - h) - imc_energy(gap + h)) / (2 * h), imc_force(gap), 1e-7 * kLargestForce) << ratio;
    EXPECT_GE(imc_force(gap), 0);
  }
}

TEST(ImcPotential, SecondDerivativeIsContinuousAndThatOfTheForce) {
  const auto slope = [](double gap) { return imc_potential_force(make_dual(gap, 1), kRodThickness, kRodStiffness, kPotentialWidth).derivative[0]; };
  for (const double ratio : {-0.6, -0.1, 0.0, 0.1, 0.45, 0.55, 0.7, 0.95}) {
    const double gap = ratio * kRodThickness, h = 1e-4 * kPotentialWidth;
    EXPECT_NEAR((imc_force(gap + h) - imc_force(gap - h)) / (2 * h), slope(gap), 1e-6 * kLargestForce / kPotentialWidth) << ratio;
    EXPECT_LT(slope(gap), 0) << ratio;  // the potential is convex
  }
  for (const double gap : {kRodThickness / 2, kRodThickness})
    EXPECT_NEAR(slope(gap * (1 - 1e-9)), slope(gap * (1 + 1e-9)), 1e-8 * kLargestForce / kPotentialWidth);
}

// Five widths are the least that a scene may have.
TEST(ImcPotential, IsConvexWhereItIsCutOffAsSoonAsAllowed) {
  for (double gap = -1; gap < 5; gap += 0.01) EXPECT_LE(imc_potential_force(make_dual(gap, 1), 5, 1, 1).derivative[0], 0) << gap;
}

}  // namespace
}  // namespace traction
