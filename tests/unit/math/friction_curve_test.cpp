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

// c = (mu_d + (mu_s - mu_d) g) s lambda + mu_v v, with g falling from 1 at the tolerance through 1/2 in the middle to 0 at v_s (docs/theory/friction.md, (F2)).
TEST(FrictionCurve, StribeckAndViscousTerms) {
  const double v_s = 11 * kTolerance, middle = 6 * kTolerance;
  const FrictionCurve curve{0.3, 0.7, kTolerance, v_s, 4};
  EXPECT_NEAR(friction(curve, middle, 10), (0.3 + 0.4 * 0.5) * 10 + 4 * middle, 1e-13);
  EXPECT_NEAR(friction(curve, v_s, 10), 0.3 * 10 + 4 * v_s, 1e-13);
  EXPECT_NEAR(friction(curve, 100 * v_s, 10), 0.3 * 10 + 4 * 100 * v_s, 1e-12);
  EXPECT_NEAR(friction_over_speed(curve, 0.0, 10.0), 0.7 * 10 * 2 / kTolerance + 4, 1e-9);
}

// Below the tolerance friction rises as s does, above it falls: the largest is the static one, at the tolerance, however soon the dynamic one follows.
TEST(FrictionCurve, StribeckPeakIsStaticFriction) {
  for (const double ratio : {1.01, 2.0, 10.0, 100.0}) {
    const FrictionCurve curve{0.3, 0.5, kTolerance, ratio * kTolerance, 0};
    double peak = 0, at = 0;
    for (int i = 1; i <= 20000; ++i) {
      const double speed = i * 2e-4 * kTolerance, value = friction(curve, speed, 1);
      if (value > peak) peak = value, at = speed;
    }
    EXPECT_NEAR(peak, 0.5, 1e-15) << ratio;
    EXPECT_NEAR(at, kTolerance, 1e-3 * kTolerance) << ratio;
    EXPECT_NEAR(friction(curve, ratio * kTolerance, 1), 0.3, 1e-15) << ratio;
  }
}

// Once continuously differentiable where the decay begins and ends, with the derivative of the force from dual numbers.
TEST(FrictionCurve, StribeckSlopeIsContinuous) {
  const FrictionCurve curve{0.3, 0.5, kTolerance, 3 * kTolerance, 0};
  const auto slope = [&](double speed) { return (make_dual(speed, 1) * friction_over_speed(curve, make_dual(speed, 1), Dual<double>(1))).derivative[0]; };
  for (const double at : {1.0, 3.0}) {
    EXPECT_NEAR(slope(at * kTolerance * (1 - 1e-9)), 0, 1e-8 / kTolerance);
    EXPECT_NEAR(slope(at * kTolerance * (1 + 1e-9)), 0, 1e-8 / kTolerance);
  }
  for (const double at : {0.4, 1.7, 2.5}) {
    const double v = at * kTolerance, h = 1e-4 * kTolerance;
    EXPECT_NEAR(slope(v), (friction(curve, v + h, 1) - friction(curve, v - h, 1)) / (2 * h), 1e-6 / kTolerance);
  }
}

// Above the tolerance it is mu_d + (mu_s - mu_d) exp(-v / v_c) (Abaqus's exponential decay, with a decay coefficient of 1 / v_c); at rest it is smooth like
// the other curves, 2 mu_s / eps times the speed.
TEST(FrictionCurve, ExponentialDecay) {
  const double v_c = 15 * kTolerance;
  FrictionCurve curve{0.3, 0.7, kTolerance, 10 * kTolerance, 4};
  curve.decay_velocity = v_c;
  for (const double ratio : {1.0, 2.0, 15.0, 80.0, 1e4}) {
    const double v = ratio * kTolerance;
    EXPECT_NEAR(friction(curve, v, 10), (0.3 + 0.4 * std::exp(-v / v_c)) * 10 + 4 * v, 1e-13 * (1 + v)) << ratio;
  }
  EXPECT_NEAR(friction_over_speed(curve, 0.0, 10.0), 0.7 * 10 * 2 / kTolerance + 4, 1e-9);
}

TEST(FrictionCurve, ExponentialDecayHasExactAndContinuousSlopes) {
  FrictionCurve curve{0.3, 0.5, kTolerance, 10 * kTolerance, 0};
  curve.decay_velocity = 3 * kTolerance;
  const auto slope = [&](double speed) { return (make_dual(speed, 1) * friction_over_speed(curve, make_dual(speed, 1), Dual<double>(1))).derivative[0]; };
  EXPECT_NEAR(slope(kTolerance * (1 - 1e-9)), slope(kTolerance * (1 + 1e-9)), 1e-8 / kTolerance);
  for (const double at : {0.4, 1.7, 2.5, 9.0}) {
    const double v = at * kTolerance, h = 1e-4 * kTolerance;
    EXPECT_NEAR(slope(v), (friction(curve, v + h, 1) - friction(curve, v - h, 1)) / (2 * h), 1e-6 / kTolerance);
  }
}

// The coefficient is that of the table at the pressure, normal force times pressure per force; its derivative by the normal force is mu + p dmu/dp.
TEST(FrictionCurve, TakesCoefficientsFromATable) {
  FrictionCurve curve;
  curve.tolerance = kTolerance;
  curve.table = FrictionTable{{0, 0.1, 1}, {1e4, 1e5, 1e6}, {0.9, 0.7, 0.6, 0.6, 0.5, 0.4, 0.4, 0.3, 0.2}};
  const double area = 3e-4, speed = 0.07, force = 17;
  const LocalFriction local(curve, 0, 1 / area);
  const double mu = curve.table->at(speed, force / area), by_pressure = curve.table->at(Dual<double>(speed), make_dual(force / area, 1)).derivative[0];
  EXPECT_NEAR(speed * friction_over_speed(local, speed, force), mu * force, 1e-13);
  const Dual<double> slope = speed * friction_over_speed(local, Dual<double>(speed), make_dual(force, 1));
  EXPECT_NEAR(slope.derivative[0], mu + force / area * by_pressure, 1e-13);
  EXPECT_GT(std::abs(force / area * by_pressure), 0.01);
  EXPECT_EQ(curve.largest_coefficient(), 0.9);
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
