#include "elements/materials/neo_hookean.h"

#include <gtest/gtest.h>

#include <cmath>

namespace traction {
namespace {

class NeoHookeanRubber : public testing::TestWithParam<std::pair<double, double>> {
 protected:
  const double youngs_modulus_ = GetParam().first;
  const NeoHookean<double> material_{LameParameters<double>::from_engineering(youngs_modulus_, GetParam().second)};
  const double lambda_ = material_.moduli.lambda, mu_ = material_.moduli.mu;
};

// F = I + g e1 e2^T has J = 1, so W = mu g^2 / 2 and P = mu (F - F^-T) = mu g (e1 e2^T + e2 e1^T).
TEST_P(NeoHookeanRubber, SimpleShear) {
  const double g = 0.8;
  Mat3 F = Mat3::Identity(), expected = Mat3::Zero();
  F(0, 1) = g;
  expected(0, 1) = expected(1, 0) = mu_ * g;
  EXPECT_NEAR(material_.energy_density(F), 0.5 * mu_ * g * g, 1e-14 * youngs_modulus_);
  EXPECT_LT((material_.first_piola_stress<double>(F) - expected).norm(), 1e-14 * youngs_modulus_);
}

// F = s I: P = (mu (s - 1/s) + 3 lambda ln s / s) I.
TEST_P(NeoHookeanRubber, UniformDilation) {
  for (const double s : {0.5, 0.9, 1.3, 4.0}) {
    const double p = mu_ * (s - 1 / s) + 3 * lambda_ * std::log(s) / s;
    EXPECT_LT((material_.first_piola_stress<double>(Mat3(s * Mat3::Identity())) - p * Mat3::Identity()).norm(), 1e-14 * (mu_ + lambda_) * 10);
  }
}

TEST_P(NeoHookeanRubber, UndefinedWhereTurnedInsideOut) {
  for (const Vec3& stretch : {Vec3(-1, 1, 1), Vec3(0, 1, 1), Vec3(-2, -3, -0.1)}) {
    const Mat3 F = stretch.asDiagonal();
    EXPECT_FALSE(std::isfinite(material_.energy_density(F)));
    EXPECT_FALSE(material_.first_piola_stress<double>(F).allFinite());
  }
}

INSTANTIATE_TEST_SUITE_P(Moduli, NeoHookeanRubber, testing::Values(std::pair(1e5, 0.0), std::pair(6e6, 0.3), std::pair(2e9, 0.45), std::pair(6e6, 0.4995)));

}  // namespace
}  // namespace traction
