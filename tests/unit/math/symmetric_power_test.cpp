// Powers of symmetric matrices: known ones, and derivatives against differences, where eigenvalues are apart, close to each other, and equal.

#include "math/symmetric_power.h"

#include <gtest/gtest.h>

#include <cmath>

namespace traction {
namespace {

const Mat3 kTurn = Eigen::AngleAxisd(0.7, Vec3(1, -2, 0.4).normalized()).toRotationMatrix();

Mat3 with_eigenvalues(const Vec3& values) { return kTurn * values.asDiagonal() * kTurn.transpose(); }

class SymmetricPowerOf : public testing::TestWithParam<std::array<double, 3>> {
 protected:
  const Mat3 C_ = with_eigenvalues({GetParam()[0], GetParam()[1], GetParam()[2]});
};

TEST_P(SymmetricPowerOf, WholePowersAreProducts) {
  const SymmetricPower<double, double> C(C_);
  EXPECT_LT((C.power(1) - C_).norm(), 1e-14 * C_.norm());
  EXPECT_LT((C.power(2) - C_ * C_).norm(), 1e-14 * C_.squaredNorm());
  EXPECT_LT((C.power(-1) * C_ - Mat3::Identity()).norm(), 1e-12);
  EXPECT_LT((C.power(0.5) * C.power(0.5) - C_).norm(), 1e-14 * C_.norm());
  EXPECT_NEAR(C.trace_of_power(1.7), C.power(1.7).trace(), 1e-13 * C.power(1.7).norm());
}

TEST_P(SymmetricPowerOf, DerivativesAreThoseOfDifferences) {
  Mat3 change;
  change << 0.3, -0.7, 0.2, -0.7, 0.1, 0.5, 0.2, 0.5, -0.4;
  for (const double p : {-2.0, -0.35, 0.65, 1.5, 2.5}) {
    Matrix3<Dual<double>> moved;
    for (int k = 0; k < 9; ++k) moved(k) = make_dual(C_(k), change(k));
    const SymmetricPower<Dual<double>, double> dual(moved);
    const auto power = dual.power(p);
    const auto trace = dual.trace_of_power(p);
    const auto central = [&](double h) -> Mat3 {
      return (SymmetricPower<double, double>(C_ + h * change).power(p) - SymmetricPower<double, double>(C_ - h * change).power(p)) / (2 * h);
    };
    const double h = 1e-3 * C_.norm() / 10;
    const Mat3 expected = (4 * central(h) - central(2 * h)) / 3;
    Mat3 derivative;
    for (int k = 0; k < 9; ++k) derivative(k) = power(k).derivative[0];
    EXPECT_LT((derivative - expected).norm(), 1e-8 * expected.norm()) << p;
    EXPECT_NEAR(trace.derivative[0], expected.trace(), 1e-8 * expected.norm()) << p;
  }
}

// On both sides of where a series takes over from the quotient, at a hundredth.
INSTANTIATE_TEST_SUITE_P(Eigenvalues, SymmetricPowerOf,
                         testing::Values(std::array<double, 3>{0.4, 1.3, 2.9}, std::array<double, 3>{1, 1.0099, 1.0101}, std::array<double, 3>{1.2, 1.2, 0.7},
                                         std::array<double, 3>{1.1, 1.1, 1.1}, std::array<double, 3>{1, 1 + 1e-9, 2}));

// Lanes of packs are matrices of their own.
TEST(SymmetricPower, OfPacks) {
  Matrix3<Pack> packed;
  Pack exponents;
  for (int lane = 0; lane < kPackWidth; ++lane) {
    const Mat3 matrix = with_eigenvalues({1.0 + 0.1 * lane, 0.5, 2.0 + lane});
    for (int k = 0; k < 9; ++k) packed(k).set(lane, matrix(k));
    exponents.set(lane, 0.5 + lane);
  }
  const auto power = SymmetricPower<Pack, Pack>(packed).power(exponents);
  for (int lane = 0; lane < kPackWidth; ++lane) {
    const Mat3 expected = SymmetricPower<double, double>(with_eigenvalues({1.0 + 0.1 * lane, 0.5, 2.0 + lane})).power(0.5 + lane);
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(power(k)[lane], expected(k), 1e-14 * expected.norm());
  }
}

}  // namespace
}  // namespace traction
