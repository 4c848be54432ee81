#include "elements/materials/linear_elastic.h"

#include <gtest/gtest.h>

#include <cmath>

#include "elements/elasticity.h"

namespace traction {
namespace {

const double kHookeModulus = 6e6, kHookeRatio = 0.3;
const LinearElastic<double> kHooke{LameParameters<double>::from_engineering(kHookeModulus, kHookeRatio)};

// A bar stretched by 1 + e with free sides: P = E e at any size, W = E e^2 / 2.
TEST(LinearElastic, UniaxialStretch) {
  for (const double e : {-0.5, -0.01, 0.3, 2.0}) {
    const Mat3 F = Vec3(1 + e, 1 - kHookeRatio * e, 1 - kHookeRatio * e).asDiagonal(), expected = Vec3(kHookeModulus * e, 0, 0).asDiagonal();
    EXPECT_LT((kHooke.first_piola_stress<double>(F) - expected).norm(), 1e-14 * kHookeModulus);
    EXPECT_NEAR(kHooke.energy_density(F), kHookeModulus * e * e / 2, 1e-14 * kHookeModulus);
  }
}

// F = I + g e1 e2^T: shear stresses mu g alone, W = mu g^2 / 2.
TEST(LinearElastic, SimpleShear) {
  const double g = 0.8, mu = kHooke.moduli.mu;
  Mat3 F = Mat3::Identity(), expected = Mat3::Zero();
  F(0, 1) = g;
  expected(0, 1) = expected(1, 0) = mu * g;
  EXPECT_LT((kHooke.first_piola_stress<double>(F) - expected).norm(), 1e-14 * kHookeModulus);
  EXPECT_NEAR(kHooke.energy_density(F), mu * g * g / 2, 1e-14 * kHookeModulus);
}

// A rotation by a about an axis is a strain of cos(a) - 1 along both directions across it: W = 2 (lambda + mu) (cos(a) - 1)^2.
TEST(LinearElastic, TakesRotationsForStrains) {
  const auto [lambda, mu] = kHooke.moduli;
  for (const double angle : {0.1, 1.2}) {
    const Mat3 F = Eigen::AngleAxisd(angle, Vec3(1, 2, -1).normalized()).toRotationMatrix();
    const double strain = std::cos(angle) - 1;
    EXPECT_NEAR(kHooke.energy_density(F), 2 * (lambda + mu) * strain * strain, 1e-14 * kHookeModulus);
  }
}

}  // namespace
}  // namespace traction
