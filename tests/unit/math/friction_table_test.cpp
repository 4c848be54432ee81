#include "math/friction_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace traction {
namespace {

const FrictionTable kOverSpeed{{0, 0.1, 0.3, 1}, {}, {0.8, 0.6, 0.5, 0.2}};

double over_speed(double speed) { return kOverSpeed.at(speed, 0.0); }

TEST(FrictionTable, HasItsValuesAndIsConstantBeyondItsEnds) {
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(over_speed(kOverSpeed.speeds[i]), kOverSpeed.coefficients[i], 1e-15);
  EXPECT_EQ(over_speed(7), 0.2);
  const FrictionTable late{{0.2, 0.4}, {}, {0.7, 0.3}};
  EXPECT_EQ(late.at(0.0, 0.0), 0.7);
  EXPECT_EQ(late.at(0.2, 0.0), 0.7);
  const FrictionTable both{{0, 1}, {10, 30}, {0.9, 0.5, 0.4, 0.1}};
  EXPECT_EQ(both.at(0.0, 0.0), 0.9);
  EXPECT_EQ(both.at(5.0, 0.0), 0.5);
  EXPECT_EQ(both.at(0.0, 50.0), 0.4);
  EXPECT_EQ(both.at(5.0, 50.0), 0.1);
  EXPECT_EQ((FrictionTable{{0.5}, {}, {0.3}}.at(2.0, 8.0)), 0.3);
}

// By hand. The slopes at 0.1 and 0.3 are those of the parabola, (0.2 (-2) + 0.1 (-0.5)) / 0.3 = -1.5, but at most 1.5 times 0.5, and
// (0.7 (-0.5) + 0.2 (-3/7)) / 0.9 = -0.484127; halfway a cubic has the mean of the values and an eighth of the width times the difference of the slopes.
TEST(FrictionTable, IsTheCubicThroughValuesAndLimitedSlopes) {
  const double first = -0.75, second = (0.7 * -0.5 + 0.2 * -0.3 / 0.7) / 0.9;
  EXPECT_NEAR(over_speed(0.2), 0.55 + 0.2 / 8 * (first - second), 1e-15);
  EXPECT_NEAR(kOverSpeed.at(make_dual(0.1, 1), Dual<double>(0.0)).derivative[0], first, 1e-14);
  EXPECT_NEAR(kOverSpeed.at(make_dual(0.3, 1), Dual<double>(0.0)).derivative[0], second, 1e-14);
  EXPECT_NEAR(over_speed(0.05), 0.7 + 0.1 / 8 * (0 - first), 1e-15);
}

// Over pressure alone, and over both where the table is a product: the corner's surface has no twist.
TEST(FrictionTable, TreatsPressureAsItTreatsSpeed) {
  const FrictionTable over_pressure{{}, kOverSpeed.speeds, kOverSpeed.coefficients};
  for (const double x : {0.0, 0.04, 0.2, 0.7, 2.0}) EXPECT_EQ(over_pressure.at(3.0, x), over_speed(x));
  const FrictionTable both{{0, 1}, {0, 2}, {0.8, 0.4, 0.6, 0.2}};
  EXPECT_NEAR(both.at(0.5, 1.0), 0.5, 1e-15);
}

// A random table, values that leap among them.
FrictionTable random_table(std::mt19937& random) {
  std::uniform_real_distribution<double> step(0.05, 1), value(0, 1);
  FrictionTable table;
  for (double at = 0; table.speeds.size() < 6; at += step(random)) table.speeds.push_back(at);
  for (double at = 0; table.pressures.size() < 5; at += step(random)) table.pressures.push_back(at);
  while (table.coefficients.size() < 30) table.coefficients.push_back(value(random) < 0.3 ? 0 : value(random));
  return table;
}

// Bicubic patches without twist whose slopes are at most 1.5 times those to their neighbours have control points that are means of their corners.
TEST(FrictionTable, StaysBetweenTheFourValuesAroundEveryPlace) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 40; ++trial) {
    const FrictionTable table = random_table(random);
    for (std::size_t j = 0; j + 1 < 5; ++j)
      for (std::size_t i = 0; i + 1 < 6; ++i) {
        const auto corners = {table.coefficients[6 * j + i], table.coefficients[6 * j + i + 1], table.coefficients[6 * j + i + 6],
                              table.coefficients[6 * j + i + 7]};
        for (int a = 0; a <= 8; ++a)
          for (int b = 0; b <= 8; ++b) {
            const double value = table.at(table.speeds[i] + a / 8.0 * (table.speeds[i + 1] - table.speeds[i]),
                                          table.pressures[j] + b / 8.0 * (table.pressures[j + 1] - table.pressures[j]));
            EXPECT_GE(value, std::min(corners) - 1e-14);
            EXPECT_LE(value, std::max(corners) + 1e-14);
          }
      }
  }
}

// Between rising values a curve rises.
TEST(FrictionTable, IsMonotoneWhereItsValuesAre) {
  const FrictionTable table{{0, 0.001, 0.5, 0.6, 3, 3.01}, {}, {0, 0.01, 0.011, 0.5, 0.9, 1}};
  double last = -1;
  for (int i = 0; i <= 4000; ++i) {
    const double value = table.at(i * 3.1 / 4000, 0.0);
    EXPECT_GE(value, last);
    last = value;
  }
}

// By central differences, and across the lines of the table and its ends.
TEST(FrictionTable, IsOnceContinuouslyDifferentiable) {
  std::mt19937 random(6);
  const FrictionTable table = random_table(random);
  std::uniform_real_distribution<double> part(-0.1, 1.1);
  constexpr double kStep = 1e-6;
  const auto slopes = [&](double speed, double pressure) {
    return std::array{table.at(make_dual(speed, 1), Dual<double>(pressure)).derivative[0], table.at(Dual<double>(speed), make_dual(pressure, 1)).derivative[0]};
  };
  for (int trial = 0; trial < 500; ++trial) {
    const double v = part(random) * table.speeds.back(), p = part(random) * table.pressures.back();
    const auto [by_speed, by_pressure] = slopes(v, p);
    EXPECT_NEAR(by_speed, (table.at(v + kStep, p) - table.at(v - kStep, p)) / (2 * kStep), 1e-4);
    EXPECT_NEAR(by_pressure, (table.at(v, p + kStep) - table.at(v, p - kStep)) / (2 * kStep), 1e-4);
  }
  for (const double knot : table.speeds)
    for (const double p : {-0.1, 0.3, 1.1}) {
      const auto before = slopes(knot - 1e-10, p * table.pressures.back()), after = slopes(knot + 1e-10, p * table.pressures.back());
      EXPECT_NEAR(before[0], after[0], 1e-6);
      EXPECT_NEAR(before[1], after[1], 1e-6);
    }
  for (const double knot : table.pressures) {
    const auto before = slopes(0.4, knot - 1e-10), after = slopes(0.4, knot + 1e-10);
    EXPECT_NEAR(before[0], after[0], 1e-6);
    EXPECT_NEAR(before[1], after[1], 1e-6);
  }
}

}  // namespace
}  // namespace traction
