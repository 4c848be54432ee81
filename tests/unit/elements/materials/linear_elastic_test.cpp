#include "elements/materials/linear_elastic.h"

#include <gtest/gtest.h>

#include <cmath>

#include "elements/elasticity.h"

namespace traction {
namespace {

const double kModulus = 6e6, kRatio = 0.3;
const LinearElastic<double> kMaterial{LameParameters<double>::from_engineering(kModulus, kRatio)};

// A bar stretched by 1 + e with free sides: P = E e at any size, W = E e^2 / 2.
TEST(LinearElastic, UniaxialStretch) {
  for (const double e : {-0.5, -0.01, 0.3, 2.0}) {
    const Mat3 F = Vec3(1 + e, 1 - kRatio * e, 1 - kRatio * e).asDiagonal(), expected = Vec3(kModulus * e, 0, 0).asDiagonal();
    EXPECT_LT((kMaterial.first_piola_stress<double>(F) - expected).norm(), 1e-14 * kModulus);
    EXPECT_NEAR(kMaterial.energy_density(F), kModulus * e * e / 2, 1e-14 * kModulus);
  }
}

// F = I + g e1 e2^T: shear stresses mu g alone, W = mu g^2 / 2.
TEST(LinearElastic, SimpleShear) {
  const double g = 0.8, mu = kMaterial.moduli.mu;
  Mat3 F = Mat3::Identity(), expected = Mat3::Zero();
  F(0, 1) = g;
  expected(0, 1) = expected(1, 0) = mu * g;
  EXPECT_LT((kMaterial.first_piola_stress<double>(F) - expected).norm(), 1e-14 * kModulus);
  EXPECT_NEAR(kMaterial.energy_density(F), mu * g * g / 2, 1e-14 * kModulus);
}

// A rotation by a about an axis is a strain of cos(a) - 1 along both directions across it: W = 2 (lambda + mu) (cos(a) - 1)^2.
TEST(LinearElastic, TakesRotationsForStrains) {
  const auto [lambda, mu] = kMaterial.moduli;
  for (const double angle : {0.1, 1.2}) {
    const Mat3 F = Eigen::AngleAxisd(angle, Vec3(1, 2, -1).normalized()).toRotationMatrix();
    const double strain = std::cos(angle) - 1;
    EXPECT_NEAR(kMaterial.energy_density(F), 2 * (lambda + mu) * strain * strain, 1e-14 * kModulus);
  }
}

}  // namespace
}  // namespace traction
