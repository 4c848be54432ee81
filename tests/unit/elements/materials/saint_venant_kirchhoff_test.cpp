#include "elements/materials/saint_venant_kirchhoff.h"

#include <gtest/gtest.h>

#include <cmath>

#include "elements/elasticity.h"

namespace traction {
namespace {

const double kModulus = 6e6, kRatio = 0.3;
const SaintVenantKirchhoff<double> kMaterial{LameParameters<double>::from_engineering(kModulus, kRatio)};

Mat3 stress(const Vec3& stretches) { return kMaterial.first_piola_stress<double>(Mat3(stretches.asDiagonal())); }

// A bar stretched by s with free sides has the Green strains e = (s^2 - 1)/2 along and -nu e across, so P = E s e, and W = E e^2 / 2.
TEST(SaintVenantKirchhoff, UniaxialStretch) {
  for (const double s : {0.5, 0.8, 1.3, 1.7}) {
    const double e = (s * s - 1) / 2, lateral = std::sqrt(1 - 2 * kRatio * e);
    const Vec3 stretches(s, lateral, lateral);
    const Mat3 expected = Vec3(kModulus * s * e, 0, 0).asDiagonal();
    EXPECT_LT((stress(stretches) - expected).norm(), 1e-14 * kModulus);
    EXPECT_NEAR(kMaterial.energy_density(Mat3(stretches.asDiagonal())), kModulus * e * e / 2, 1e-14 * kModulus);
  }
}

// F = I + g e1 e2^T has E = [0 g; g g^2] / 2, so W = lambda g^4/8 + mu (g^2/2 + g^4/4).
TEST(SaintVenantKirchhoff, SimpleShear) {
  const auto [lambda, mu] = kMaterial.moduli;
  const double g = 0.8;
  Mat3 F = Mat3::Identity(), S;
  F(0, 1) = g;
  S << lambda * g * g / 2, mu * g, 0, mu * g, (lambda + 2 * mu) * g * g / 2, 0, 0, 0, lambda * g * g / 2;
  EXPECT_NEAR(kMaterial.energy_density(F), lambda * std::pow(g, 4) / 8 + mu * (g * g / 2 + std::pow(g, 4) / 4), 1e-14 * kModulus);
  EXPECT_LT((kMaterial.first_piola_stress<double>(F) - F * S).norm(), 1e-14 * kModulus);
}

// Between rigid walls P = (lambda/2 + mu) (s^3 - s), largest in size at s = 1/sqrt(3); beyond it the element's stiffness is negative.
TEST(SaintVenantKirchhoff, GivesWayUnderCompression) {
  const auto [lambda, mu] = kMaterial.moduli;
  for (const double s : {0.4, 0.55, 0.6, 0.9}) EXPECT_NEAR(stress(Vec3(s, 1, 1))(0, 0), (lambda / 2 + mu) * (s * s * s - s), 1e-14 * kModulus);
  const SolidElement corner({0, 1, 2, 3}, {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()});
  const auto stiffness = [&](double s) {  // -df_0/dx_1 along x: moving the far corner changes s
    return elastic_blocks(corner, kMaterial, {Vec3::Zero(), Vec3(s, 0, 0), Vec3::UnitY(), Vec3::UnitZ()}, 1)(0, 1)(0, 0);
  };
  const double weakest = 1 / std::sqrt(3);
  EXPECT_NEAR(stiffness(weakest), 0, 1e-14 * kModulus);
  EXPECT_GT(stiffness(weakest + 0.01), 0);
  EXPECT_LT(stiffness(weakest - 0.01), 0);
}

}  // namespace
}  // namespace traction
