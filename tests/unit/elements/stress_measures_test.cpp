#include "elements/stress_measures.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>

#include "elements/elasticity.h"
#include "elements/materials/neo_hookean.h"

namespace traction {
namespace {

const Mat3 kTurn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
const Vec3 kStretches(1.3, 0.8, 1.1);

// Neo-Hookean: sigma_i = (mu (s_i^2 - 1) + lambda ln J) / J along the axes into which the principal directions are turned.
TEST(CauchyStress, HasTheClosedFormInPrincipalAxes) {
  const NeoHookean<double> material{{2e4, 1e4}};
  const double J = kStretches.prod();
  const Vec3 principal = (1e4 * (kStretches.array().square() - 1) + 2e4 * std::log(J)) / J;
  const Mat3 F = kTurn * kStretches.asDiagonal();
  const Mat3 expected = kTurn * principal.asDiagonal() * kTurn.transpose();
  EXPECT_LT((cauchy_stress(F, first_piola_stress<double>(material, F)) - expected).norm(), 1e-11 * expected.norm());
}

// Traction on a present area: sigma n da = P N dA with Nanson's n da = det F F^-T N dA.
TEST(CauchyStress, GivesTheForceOnAPresentArea) {
  const NeoHookean<double> material{{2e4, 1e4}};
  Mat3 F = kTurn * kStretches.asDiagonal();
  F(0, 2) += 0.3;
  const Mat3 P = first_piola_stress<double>(material, F);
  const Vec3 N = Vec3(2, -1, 0.5).normalized(), area = F.determinant() * F.inverse().transpose() * N;
  EXPECT_LT((cauchy_stress(F, P) * area - P * N).norm(), 1e-11 * P.norm());
}

TEST(VonMisesStress, OfBarShearAndPressure) {
  Mat3 stress = Mat3::Zero();
  stress(1, 1) = -7;
  EXPECT_NEAR(von_mises_stress(stress), 7, 1e-14);
  EXPECT_NEAR(von_mises_stress(kTurn * stress * kTurn.transpose() + 100 * Mat3::Identity()), 7, 1e-12);
  stress << 0, 5, 0, 5, 0, 0, 0, 0, 0;
  EXPECT_NEAR(von_mises_stress(stress), 5 * std::sqrt(3.0), 1e-14);
}

TEST(LogarithmicStrain, TurnsWithTheElement) {
  const Mat3 F = kTurn * kStretches.asDiagonal();
  const Vec3 logarithms = kStretches.array().log();
  EXPECT_LT((logarithmic_strain(F) - kTurn * logarithms.asDiagonal() * kTurn.transpose()).norm(), 1e-14);
}

// A sheet, stretched by 1.3 and 0.8 along its axes and turned, against the neo-Hookean solid whose third stretch leaves no stress across.
TEST(Tension, IsTheSolidsStressTimesThePresentThickness) {
  const double surface_modulus = 500, nu = 0.3;
  const MembraneMaterial sheet(surface_modulus, nu);
  Matrix32<double> F = kTurn.leftCols<2>();
  F.col(0) *= 1.3;
  F.col(1) *= 0.8;
  const double thinning = std::sqrt(sheet.squared_thickness_stretch(1.3 * 1.3 * 0.8 * 0.8));
  // A solid of unit thickness at rest.
  const NeoHookean<double> solid{LameParameters<double>::from_engineering(surface_modulus, nu)};
  const Mat3 F_solid = kTurn * Vec3(1.3, 0.8, thinning).asDiagonal();
  const Mat3 stress = cauchy_stress(F_solid, first_piola_stress<double>(solid, F_solid));
  EXPECT_LT((stress * kTurn.col(2)).norm(), 1e-11 * surface_modulus);
  EXPECT_LT((tension(F, sheet.first_piola_stress<double>(F)) - thinning * stress).norm(), 1e-11 * surface_modulus);
  EXPECT_LT((logarithmic_strain(thinning * thinning, F) - logarithmic_strain(F_solid)).norm(), 1e-13);
}

}  // namespace
}  // namespace traction
