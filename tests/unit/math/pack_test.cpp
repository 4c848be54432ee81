// Packs give the same results in every lane as doubles.

#include "math/pack.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "math/dual.h"

namespace traction {
namespace {

TEST(Pack, LanesAreIndependent) {
  Pack a(2.5), b(-1);
  for (int lane = 0; lane < kPackWidth; ++lane) a.set(lane, lane + 0.5);
  const Pack result = (a * a + 2 * b - a) / (b - 3);
  double total = 0;
  for (int lane = 0; lane < kPackWidth; ++lane) {
    const double x = lane + 0.5, expected = (x * x - 2 - x) / -4;
    EXPECT_DOUBLE_EQ(result[lane], expected);
    total += expected;
  }
  EXPECT_NEAR(sum(result), total, 1e-12);
}

double units_apart(double a, double b) { return std::abs(a - b) / (std::nextafter(std::abs(b), std::numeric_limits<double>::infinity()) - std::abs(b)); }

// The C library's logarithm is right to one unit in the last place.
TEST(Pack, LogarithmToTwoUnitsInTheLastPlace) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> number(-1, 1), decades(-12, 0);
  for (int sample = 0; sample < 20000; ++sample) {
    Pack x;
    for (int lane = 0; lane < kPackWidth; ++lane)
      x.set(lane,
            sample % 2 ? std::exp(700 * number(generator)) : 1 + 0.6 * number(generator) * std::pow(10, decades(generator)));  // everywhere, and close to 1
    const Pack result = log(x);
    for (int lane = 0; lane < kPackWidth; ++lane) ASSERT_LE(units_apart(result[lane], std::log(x[lane])), 3) << x[lane];
  }
  EXPECT_EQ(log(Pack(1))[0], 0);
}

TEST(Pack, ExponentialToTwoUnitsInTheLastPlace) {
  std::mt19937 generator(4);
  std::uniform_real_distribution<double> number(-1, 1), decades(-12, 0);
  for (int sample = 0; sample < 20000; ++sample) {
    Pack x;
    for (int lane = 0; lane < kPackWidth; ++lane) x.set(lane, sample % 2 ? 700 * number(generator) : number(generator) * std::pow(10, decades(generator)));
    const Pack result = exp(x);
    for (int lane = 0; lane < kPackWidth; ++lane) ASSERT_LE(units_apart(result[lane], std::exp(x[lane])), 3) << x[lane];
  }
  EXPECT_EQ(exp(Pack(0))[0], 1);
  EXPECT_EQ(exp(Pack(-800))[0], 0);
  EXPECT_EQ(exp(Pack(-std::numeric_limits<double>::infinity()))[0], 0);
  EXPECT_EQ(exp(Pack(800))[0], std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(exp(Pack(std::numeric_limits<double>::quiet_NaN()))[0]));
}

TEST(Pack, LogarithmIsUndefinedWhereThereIsNone) {
  for (const double x : {0.0, -0.0, -1.0, -1e300, std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity(),
                         std::numeric_limits<double>::infinity(), 1e-310})
    EXPECT_TRUE(std::isnan(log(Pack(x))[0]));
}

TEST(Pack, CarriesDerivatives) {
  Dual<Pack> x(Pack(3), {Pack(2)});
  const Dual<Pack> y = log(x) * Pack(5) + x / 2.0 - Pack(1);
  EXPECT_DOUBLE_EQ(y.value[kPackWidth - 1], 5 * std::log(3) + 0.5);
  EXPECT_DOUBLE_EQ(y.derivative[0][0], 2 * (5.0 / 3 + 0.5));
}

}  // namespace
}  // namespace traction
