#include "math/friction_curve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace traction {
namespace {

constexpr double kTolerance = 2e-3;

double smoothed_coulomb(double speed) { return speed * smoothed_coulomb_over_speed(speed, kTolerance); }

double friction(const FrictionCurve& curve, double speed, double normal_force) { return speed * friction_over_speed(curve, speed, normal_force); }

// s = 2v/eps - v^2/eps^2: 0, 3/4 and 1 at 0, eps/2 and eps.
TEST(SmoothedCoulomb, KnownValues) {
  EXPECT_EQ(smoothed_coulomb(0), 0);
  EXPECT_NEAR(smoothed_coulomb(0.5 * kTolerance), 0.75, 1e-15);
  EXPECT_NEAR(smoothed_coulomb(kTolerance), 1, 1e-15);
  EXPECT_NEAR(smoothed_coulomb(std::nextafter(kTolerance, 0.0)), 1, 1e-15);
  EXPECT_NEAR(smoothed_coulomb(1e6 * kTolerance), 1, 1e-15);
}

TEST(SmoothedCoulomb, RatioIsFiniteAtRest) {
  EXPECT_DOUBLE_EQ(smoothed_coulomb_over_speed(0.0, kTolerance), 2 / kTolerance);
  EXPECT_NEAR(smoothed_coulomb_over_speed(std::numeric_limits<double>::min(), kTolerance), 2 / kTolerance, 1e-12);
}

// s' = 2/eps - 2v/eps^2 below eps and 0 above: once continuously differentiable.
TEST(SmoothedCoulomb, SlopeIsContinuous) {
  for (const double ratio : {0.0, 0.3, 1 - 1e-9, 1.0, 4.0}) {
    const Dual<double> v = make_dual(ratio * kTolerance, 1);
    const Dual<double> s = v * smoothed_coulomb_over_speed(v, kTolerance);
    EXPECT_NEAR(s.derivative[0], ratio < 1 ? 2 / kTolerance * (1 - ratio) : 0, 1e-12 / kTolerance) << ratio;
  }
}

TEST(CompactGaussian, KnownValuesAndSlopes) {
  auto slope = [](double x) { return compact_gaussian(make_dual(x, 1)).derivative[0]; };
  EXPECT_DOUBLE_EQ(compact_gaussian(0.0), 1);
  EXPECT_DOUBLE_EQ(compact_gaussian(0.5), 0.5);  // 2 * 1/4
  EXPECT_EQ(compact_gaussian(1.0), 0);
  EXPECT_EQ(compact_gaussian(7.0), 0);
  EXPECT_NEAR(slope(0), 0, 1e-15);
  EXPECT_NEAR(slope(0.5), -1.5, 1e-15);  // g' = 6 x (x - 1)
  EXPECT_NEAR(slope(1 - 1e-9), 0, 1e-8);
  EXPECT_EQ(slope(1), 0);
}

TEST(FrictionCurve, SmoothedCoulombWhenBothCoefficientsAreEqual) {
  const FrictionCurve curve{0.4, 0.4, kTolerance, 10 * kTolerance, 0};
  for (const double ratio : {0.1, 0.5, 1.0, 3.0, 10.0, 1000.0}) {
    const double s = ratio < 1 ? 2 * ratio - ratio * ratio : 1;
    EXPECT_NEAR(friction(curve, ratio * kTolerance, 25), 0.4 * 25 * s, 1e-13) << ratio;
  }
}

// c = (mu_d + (mu_s - mu_d) g(v / v_s)) s lambda + mu_v v (docs/theory/friction.md, "Friction curve", (F2)).
TEST(FrictionCurve, StribeckAndViscousTerms) {
  const double v_s = 10 * kTolerance;
  const FrictionCurve curve{0.3, 0.7, kTolerance, v_s, 4};
  EXPECT_NEAR(friction(curve, 0.5 * v_s, 10), (0.3 + 0.4 * 0.5) * 10 + 4 * 0.5 * v_s, 1e-13);
  EXPECT_NEAR(friction(curve, v_s, 10), 0.3 * 10 + 4 * v_s, 1e-13);
  EXPECT_NEAR(friction(curve, 100 * v_s, 10), 0.3 * 10 + 4 * 100 * v_s, 1e-12);
  EXPECT_NEAR(friction_over_speed(curve, 0.0, 10.0), 0.7 * 10 * 2 / kTolerance + 4, 1e-9);
}

// Beyond eps the slope of c is that of g, negative, and far below it s rises faster than g falls: the peak lies at eps, or a little before it, as s is flat
// there. At eps c = (mu_d + (mu_s - mu_d) g(0.1)) lambda with g(0.1) = 1.2 * 0.81 = 0.972.
TEST(FrictionCurve, StribeckPeakIsAtTheTolerance) {
  const double v_s = 10 * kTolerance;
  const FrictionCurve curve{0.3, 0.7, kTolerance, v_s, 0};
  double peak = 0, at = 0;
  for (int i = 1; i <= 200000; ++i) {
    const double speed = i * 1e-5 * v_s, value = friction(curve, speed, 1);
    if (value > peak) peak = value, at = speed;
  }
  EXPECT_NEAR(at, kTolerance, 0.05 * kTolerance);
  EXPECT_NEAR(friction(curve, kTolerance, 1), 0.3 + 0.4 * 0.972, 1e-14);
  EXPECT_NEAR(peak, 0.3 + 0.4 * 0.972, 1e-3);
  EXPECT_LT(peak, 0.7);
}

// Smoothed friction holds a block on a slope only while it creeps: mu s(v) = tan theta at v = eps (1 - sqrt(1 - tan theta / mu)).
TEST(FrictionCurve, CreepSpeedOnASlope) {
  const double mu = 0.5;
  const FrictionCurve curve{mu, mu, kTolerance, 10 * kTolerance, 0};
  for (const double tangent : {0.01, 0.2, 0.45}) {
    double low = 0, high = kTolerance;
    for (int i = 0; i < 100; ++i) (friction(curve, 0.5 * (low + high), 1) < tangent ? low : high) = 0.5 * (low + high);
    EXPECT_NEAR(low, kTolerance * (1 - std::sqrt(1 - tangent / mu)), 1e-13 * kTolerance) << tangent;
  }
}

}  // namespace
}  // namespace traction
