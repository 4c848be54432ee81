// The strain limit of sheets: its barrier, stresses that are its energy's gradient, and derivatives where stretches are equal.

#include "elements/strain_limit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "support/sheets.h"

namespace traction {
namespace {

constexpr double kBarrier = 900, kBegin = 0.05, kEnd = 0.2;  // [N/m]

Matrix32<double> stretched_both_ways(double first, double second, double angle = 0) {
  Matrix32<double> F = Matrix32<double>::Zero();
  F(0, 0) = first, F(1, 1) = second;
  const Eigen::Matrix2d turn = Eigen::Rotation2Dd(angle).toRotationMatrix();
  const Mat3 inclined = Eigen::AngleAxisd(1.9, Vec3(1, 2, -0.7).normalized()).toRotationMatrix();
  return inclined * F * turn;
}

class StrainBarrierTest : public testing::Test {
 protected:
  const StrainBarrier barrier_{kBarrier, kBegin, kEnd - kBegin};
};

TEST_F(StrainBarrierTest, DerivativesAreThoseOfTheEnergy) {
  for (const double strain : {0.051, 0.08, 0.125, 0.17, 0.19}) {
    const double h = 1e-5, l = 1 + strain;
    const auto central = [&](auto function) {
      const auto by = [&](double step) { return (function(l + step) - function(l - step)) / (2 * step); };
      return (4 * by(h) - by(2 * h)) / 3;
    };
    EXPECT_NEAR(barrier_.force(l), central([&](double at) { return barrier_.energy(at); }), 1e-7 * kBarrier) << strain;
    EXPECT_NEAR(barrier_.slope(l), central([&](double at) { return barrier_.force(at); }), 1e-5 * barrier_.slope(l)) << strain;
  }
}

// f = -k x^2 ln(1 - x/w): with x = w/2, f = k w^2 ln(2)/4, f' = k w (ln 2 + 1/2), f'' = k (2 ln 2 + 5).
TEST_F(StrainBarrierTest, ValuesHalfway) {
  const double w = kEnd - kBegin, l = 1 + kBegin + w / 2;
  EXPECT_NEAR(barrier_.energy(l), kBarrier * w * w * std::log(2) / 4, 1e-12 * kBarrier);
  EXPECT_NEAR(barrier_.force(l), kBarrier * w * (std::log(2) + 0.5), 1e-12 * kBarrier);
  EXPECT_NEAR(barrier_.slope(l), kBarrier * (2 * std::log(2) + 5), 1e-11 * kBarrier);
}

TEST_F(StrainBarrierTest, BeginsSmoothlyAndEndsAtTheLimit) {
  EXPECT_EQ(barrier_.energy(1 + kBegin - 1e-12), 0);
  EXPECT_EQ(barrier_.slope(0.3), 0);
  const double x = 1e-6, w = kEnd - kBegin;  // f'' = 6 k x / w to first order: continuous
  EXPECT_NEAR(barrier_.slope(1 + kBegin + x), 6 * kBarrier * x / w, 1e-4 * kBarrier * x / w);
  EXPECT_GT(barrier_.force(1 + kEnd - 1e-9), 1e6 * kBarrier);
  for (const double l : {1 + kEnd + 1e-12, 1.5, 1e9, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_TRUE(std::isnan(barrier_.energy(l))) << l;
    EXPECT_TRUE(std::isnan(barrier_.force(l))) << l;
    EXPECT_TRUE(std::isnan(barrier_.slope(l))) << l;
    EXPECT_TRUE(std::isnan(barrier_.force_difference(l, 1))) << l;
  }
}

// Against the quotient, and for neighbours against the slope between them, with which the mean over the interval agrees to second order.
TEST_F(StrainBarrierTest, DifferencesOfForcesDoNotCancel) {
  for (const double b : {0.9, 1.03, 1.06, 1.1, 1.15})
    for (const double apart : {0.02, 1e-4, 1e-9, 1e-14, 0.0}) {
      const double a = b + apart, divided = barrier_.force_difference(a, b);
      if (apart >= 1e-4) {
        EXPECT_NEAR(divided, (barrier_.force(a) - barrier_.force(b)) / (a - b), 1e-10 * kBarrier);
      } else {
        EXPECT_NEAR(divided, barrier_.slope((a + b) / 2), 1e-12 * (1 + barrier_.slope(b)));
      }
    }
}

class StrainLimitTest : public testing::Test {
 protected:
  const StrainLimit limit_{kBarrier, kBegin, kEnd};

  Matrix32<double> product(const Matrix32<double>& F, const Matrix32<double>& dF) const {
    Matrix32<Dual<double>> moved;
    for (int k = 0; k < 6; ++k) moved(k) = make_dual(F(k), dF(k));
    const auto stress = limit_.first_piola_stress<Dual<double>>(moved);
    Matrix32<double> result;
    for (int k = 0; k < 6; ++k) result(k) = stress(k).derivative[0];
    return result;
  }
};

// Both stretches beyond the beginning, equal and almost equal ones, one below, and one pressed.
const double kPairsOfStretches[][2] = {{1.12, 1.07}, {1.1, 1.1},  {1.1, 1.1 + 1e-9}, {1.1 - 1e-5, 1.1}, {1.15, 1.01},
                                       {1.03, 1.17}, {1.08, 0.5}, {1.18, 1.18},      {1.04, 1.02}};

TEST_F(StrainLimitTest, StressesAreGradientsAndProductsAreTheirDerivatives) {
  std::mt19937 generator(4);
  std::uniform_real_distribution<double> number(-1, 1);
  for (const auto& [first, second] : kPairsOfStretches)
    for (const double angle : {0.0, 0.7, -2.0}) {
      const Matrix32<double> F = stretched_both_ways(first, second, angle);
      Matrix32<double> dF;
      for (int k = 0; k < 6; ++k) dF(k) = number(generator);
      const auto along = [&](double by) { return Matrix32<double>(F + by * dF); };
      const auto work = [&](double h) { return (limit_.energy_density(along(h)) - limit_.energy_density(along(-h))) / (2 * h); };
      const auto slope = [&](double h) {
        return Matrix32<double>((limit_.first_piola_stress<double>(along(h)) - limit_.first_piola_stress<double>(along(-h))) / (2 * h));
      };
      const double h = 1e-5;
      EXPECT_NEAR(limit_.first_piola_stress<double>(F).cwiseProduct(dF).sum(), (4 * work(h) - work(2 * h)) / 3, 1e-8 * kBarrier) << first << " " << second;
      EXPECT_LT((product(F, dF) - (4 * slope(h) - slope(2 * h)) / 3).norm(), 1e-6 * kBarrier) << first << " " << second;
    }
}

// A force per length f' along each principal direction, in any position of the sheet.
TEST_F(StrainLimitTest, IsTheBarrierOfEachPrincipalStretch) {
  const StrainBarrier barrier{kBarrier, kBegin, kEnd - kBegin};
  for (const auto& [first, second] : kPairsOfStretches)
    for (const double angle : {0.0, 0.7}) {
      const Matrix32<double> expected = stretched_both_ways(barrier.force(first), barrier.force(second), angle);
      EXPECT_LT((limit_.first_piola_stress<double>(stretched_both_ways(first, second, angle)) - expected).norm(), 1e-11 * kBarrier) << first << " " << second;
      EXPECT_NEAR(limit_.energy_density(stretched_both_ways(first, second, angle)), barrier.energy(first) + barrier.energy(second), 1e-11 * kBarrier);
    }
}

// The derivative is symmetric, and that of equal stretches is the limit of those of unequal ones.
TEST_F(StrainLimitTest, DerivativesAreSymmetricAndContinuousAtEqualStretches) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int sample = 0; sample < 20; ++sample) {
    Matrix32<double> first, second;
    for (int k = 0; k < 6; ++k) first(k) = number(generator), second(k) = number(generator);
    const Matrix32<double> equal = stretched_both_ways(1.13, 1.13, 0.4);
    const double work = product(equal, first).cwiseProduct(second).sum();
    EXPECT_NEAR(work, product(equal, second).cwiseProduct(first).sum(), 1e-11 * kBarrier);
    for (const double apart : {1e-7, 1e-10, 1e-13, 1e-16})
      EXPECT_NEAR(product(Matrix32<double>(equal + apart * first), first).cwiseProduct(second).sum(), work, (1e3 * apart + 1e-11) * kBarrier) << apart;
  }
}

TEST_F(StrainLimitTest, IsUndefinedAtTheLimitAndZeroInCompression) {
  for (const double other : {0.8, 1.0, 1.1, 1.3}) {
    EXPECT_TRUE(std::isnan(limit_.energy_density(stretched_both_ways(1.25, other))));
    EXPECT_FALSE(limit_.first_piola_stress<double>(stretched_both_ways(1.25, other, 0.3)).allFinite());
  }
  EXPECT_EQ(limit_.energy_density(stretched_both_ways(0.4, 1.04)), 0);
  EXPECT_EQ(limit_.first_piola_stress<double>(stretched_both_ways(0.4, 1.04)).norm(), 0);
  EXPECT_EQ(limit_.first_piola_stress<double>(Matrix32<double>(Matrix32<double>::Zero())).norm(), 0);
  EXPECT_NEAR(largest_strain(stretched_both_ways(1.25, 0.8, 0.3)), 0.25, 1e-14);
}

TEST_F(StrainLimitTest, ForcesOfATriangleAreItsEnergysGradient) {
  const std::array<Vec3, 3> rest = {Vec3(0.1, 0, 0.2), Vec3(1.2, 0.1, 0), Vec3(0, 0.9, -0.1)};
  const MembraneElementOf<StrainLimit> element({0, 1, 2}, rest, limit_, 0);
  std::array<Vec3, 3> x = rest;
  for (Vec3& point : x) point *= 1.1;
  x[2] += Vec3(0.02, -0.01, 0.03);
  EXPECT_GT(element.energy(x), 0);
  EXPECT_LT(test::difference_from_energy(element, x, 1e-4), 1e-7);
}

}  // namespace
}  // namespace traction
