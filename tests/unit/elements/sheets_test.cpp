// Sheets of rubber, cloth and cords: closed forms, and stresses that are their energies' gradients.

#include "elements/sheets.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "elements/material_settings.h"
#include "support/closed_forms.h"

namespace traction {
namespace {

constexpr double kDegreeOfWarp = EIGEN_PI / 180;

SolidMaterialSettings constants() {
  SolidMaterialSettings settings;
  settings.bulk_modulus = 0;
  settings.c10 = 250, settings.c01 = 60, settings.c20 = -3, settings.c30 = 0.1;
  settings.shear_modulus = 400, settings.locking_stretch = 4;
  settings.shear_moduli = {620, 1.2, -9.8}, settings.exponents = {1.3, 5, -2};
  return settings;
}
template <template <typename> typename Material>
IncompressibleSheet<Material> rubber() {
  return IncompressibleSheet<Material>(Material<double>::from(constants()));
}
Matrix32<double> biaxially_stretched(double first, double second) {
  Matrix32<double> F = Matrix32<double>::Zero();
  F(0, 0) = first, F(1, 1) = second;
  return F;
}

// Force per length at rest along the first of two principal stretches, for 2 dW/dI1, 2 dW/dI2 (Treloar, The physics of rubber elasticity, ch. 5).
double by_invariants(double l1, double l2, double first, double second) {
  const double l3 = 1 / (l1 * l2);
  return 2 * (l1 - l3 * l3 / l1) * (first + second * l2 * l2);
}

TEST(IncompressibleSheet, ClosedForms) {
  const double x = 1.7, free = 1 / std::sqrt(x);
  const auto chains = [](double first) {
    const double coefficients[] = {1. / 2, 1. / 20, 11. / 1050, 19. / 7000, 519. / 673750};
    double sum = 0;
    for (int i = 1; i <= 5; ++i) sum += coefficients[i - 1] * i * std::pow(first, i - 1) / std::pow(4, 2 * i - 2);
    return sum;
  };
  for (const bool biaxial : {false, true}) {
    const double y = biaxial ? x : free, l3 = 1 / (x * y), first = x * x + y * y + l3 * l3;
    const Matrix32<double> F = biaxially_stretched(x, y);
    const auto expect = [&](const char* law, const auto& sheet, double expected, const char* source) {
      const Matrix32<double> P = sheet.template first_piola_stress<double>(F);
      if (!biaxial) {
        EXPECT_NEAR(P(1, 1), 0, 1e-11 * expected);
      }
      test::expect_closed_form({"materials", fmt::format("sheet of {}, {} stretch 1.7: force per length", law, biaxial ? "equibiaxial" : "uniaxial"), source,
                                expected, P(0, 0), 1e-6, "a triangle", "static"});
      EXPECT_NEAR(P(0, 0), expected, 1e-12 * expected);
    };
    const char* source = "2 (λ − λ_3²/λ) (∂W/∂I1 + λ_2² ∂W/∂I2)";
    expect("mooney_rivlin", rubber<MooneyRivlin>(), by_invariants(x, y, 250, 60), source);
    expect("yeoh", rubber<Yeoh>(), by_invariants(x, y, 250 - 6 * (first - 3) + 0.3 * std::pow(first - 3, 2), 0), source);
    expect("arruda_boyce", rubber<ArrudaBoyce>(), by_invariants(x, y, 200 * chains(first) / chains(3), 0), source);
    double ogden = 0;
    for (int p = 0; p < 3; ++p) {
      const double alpha = constants().exponents[p];
      ogden += constants().shear_moduli[p] * (std::pow(x, alpha - 1) - std::pow(l3, alpha) / x);
    }
    expect("ogden", rubber<Ogden>(), ogden, "Σ µ (λ^(α−1) − λ_3^α/λ)");
  }
}

TEST(IncompressibleSheet, IsTheNeoHookeanSheetWithoutTheSecondConstant) {
  const MembraneMaterial membrane(6 * 250, 0.5);
  SolidMaterialSettings settings = constants();
  settings.c01 = 0;
  const IncompressibleSheet<MooneyRivlin> sheet(MooneyRivlin<double>::from(settings));
  Matrix32<double> F;
  F << 1.3, 0.2, -0.1, 0.8, 0.4, 0.3;
  EXPECT_LT((sheet.first_piola_stress<double>(F) - membrane.first_piola_stress<double>(F)).norm(), 1e-11 * 250);
  EXPECT_NEAR(sheet.energy_density(F), membrane.energy_density(F), 1e-11 * 250);
  EXPECT_EQ(sheet.squared_thickness_stretch(4), 0.25);
}

// A pull along the warp, free across: E1 (l^3 - l) / 2 in Green's strain, which contracts across by nu. Across it, the modulus of the weft. Shear by an angle.
TEST(OrthotropicSheet, ClosedForms) {
  const double along = 900, across = 300, contraction = 0.4, shear = 50, x = 1.05;
  const Eigen::Vector2d warp(std::cos(25 * kDegreeOfWarp), std::sin(25 * kDegreeOfWarp));
  const OrthotropicSheet cloth(along, across, contraction, shear, warp);
  Eigen::Matrix2d turn;
  turn << warp[0], -warp[1], warp[1], warp[0];
  const auto own = [&](const Matrix32<double>& F) { return Matrix32<double>(cloth.first_piola_stress<double>(Matrix32<double>(F * turn.transpose())) * turn); };
  const double strain = (x * x - 1) / 2;
  for (const bool is_warp : {true, false}) {
    const double nu = is_warp ? contraction : contraction * across / along, other = std::sqrt(1 - 2 * nu * strain);
    const Matrix32<double> P = own(is_warp ? biaxially_stretched(x, other) : biaxially_stretched(other, x));
    const double expected = (is_warp ? along : across) * strain * x;
    test::expect_closed_form({"materials", fmt::format("cloth pulled along the {}: force per length", is_warp ? "warp" : "weft"), "E λ (λ² − 1)/2", expected,
                              is_warp ? P(0, 0) : P(1, 1), 1e-6, "a triangle", "static"});
    EXPECT_NEAR(is_warp ? P(1, 1) : P(0, 0), 0, 1e-12 * along);
  }
  Matrix32<double> sheared = biaxially_stretched(1, 1);
  sheared(0, 1) = 1e-5;
  EXPECT_NEAR(own(sheared)(0, 1), shear * 1e-5, 1e-4 * shear * 1e-5);
}

// Cords at an angle to a stretch of the sheet: the force along the pull is k (l - 1) cos^2 x / l, and nothing where they are shortened.
TEST(CordLayer, ClosedForms) {
  const double stiffness = 700, angle = 40, x = 1.2, y = 0.9, c = std::cos(angle * kDegreeOfWarp), s = std::sin(angle * kDegreeOfWarp);
  const double length = std::hypot(x * c, y * s);
  const CordLayer cords(stiffness, {c, s}, false), struts(stiffness, {c, s}, true);
  const Matrix32<double> P = cords.first_piola_stress<double>(biaxially_stretched(x, y));
  test::expect_closed_form({"materials", "cords at 40° to a stretched sheet: force per length along the pull", "k (λ − 1) λ_1 cos² α/λ",
                            stiffness * (length - 1) * x * c * c / length, P(0, 0), 1e-6, "a triangle", "static"});
  EXPECT_NEAR(P(1, 1), stiffness * (length - 1) * y * s * s / length, 1e-10);
  EXPECT_NEAR(P(0, 1), stiffness * (length - 1) * x * c * s / length, 1e-10);
  EXPECT_NEAR(cords.energy_density(biaxially_stretched(x, y)), stiffness / 2 * std::pow(length - 1, 2), 1e-10);
  EXPECT_EQ(cords.first_piola_stress<double>(biaxially_stretched(0.9, 0.95)).norm(), 0);
  EXPECT_EQ(cords.energy_density(biaxially_stretched(0.9, 0.95)), 0);
  const double shorter = std::hypot(0.9 * c, 0.95 * s);
  EXPECT_NEAR(struts.first_piola_stress<double>(biaxially_stretched(0.9, 0.95))(0, 0), stiffness * (shorter - 1) * 0.9 * c * c / shorter, 1e-10);
}

template <typename Sheet>
void expect_gradient_and_objectivity(const Sheet& sheet, double scale) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> number(-0.2, 0.2);
  const Mat3 R = Eigen::AngleAxisd(1.9, Vec3(1, 2, -0.7).normalized()).toRotationMatrix();
  for (int sample = 0; sample < 20; ++sample) {
    Matrix32<double> F = R.leftCols<2>(), dF;
    for (int k = 0; k < 6; ++k) F(k) += number(generator), dF(k) = number(generator);
    const Matrix32<double> P = sheet.template first_piola_stress<double>(F);
    Matrix32<Dual<double>> moved;
    for (int k = 0; k < 6; ++k) moved(k) = make_dual(F(k), dF(k));
    const auto product = sheet.template first_piola_stress<Dual<double>>(moved);
    const double h = 1e-4;
    const auto along = [&](double by) { return Matrix32<double>(F + by * dF); };
    const auto work = [&](double by) { return (sheet.energy_density(along(by)) - sheet.energy_density(along(-by))) / (2 * by); };
    EXPECT_NEAR(P.cwiseProduct(dF).sum(), (4 * work(h) - work(2 * h)) / 3, 1e-6 * scale);
    const Matrix32<double> slope = (sheet.template first_piola_stress<double>(along(h)) - sheet.template first_piola_stress<double>(along(-h))) / (2 * h);
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(product(k).derivative[0], slope(k), 1e-6 * scale);
    EXPECT_LT((sheet.template first_piola_stress<double>(Matrix32<double>(R * F)) - R * P).norm(), 1e-12 * scale);
    EXPECT_NEAR(sheet.energy_density(Matrix32<double>(R * F)), sheet.energy_density(F), 1e-12 * scale);
  }
  EXPECT_LT(sheet.template first_piola_stress<double>(Matrix32<double>(R.leftCols<2>())).norm(), 1e-12 * scale);
}

TEST(Sheets, StressesAreGradientsAndTurnWithTheSheet) {
  expect_gradient_and_objectivity(rubber<MooneyRivlin>(), 600);
  expect_gradient_and_objectivity(rubber<Yeoh>(), 600);
  expect_gradient_and_objectivity(rubber<ArrudaBoyce>(), 600);
  expect_gradient_and_objectivity(rubber<Ogden>(), 600);
  expect_gradient_and_objectivity(OrthotropicSheet(900, 300, 0.4, 50, {0.8, 0.6}), 900);
  expect_gradient_and_objectivity(CordLayer(700, {0.6, -0.8}, false), 700);
  expect_gradient_and_objectivity(CordLayer(700, {0.6, -0.8}, true), 700);
}

// Rayleigh's viscosity of cloth: no stress in a rigid rotation, and D E' otherwise.
TEST(OrthotropicSheet, ViscousStressTakesEnergy) {
  const OrthotropicSheet cloth(900, 300, 0.4, 50, {0.8, 0.6});
  Matrix32<double> F, rate;
  F << 1.1, 0.1, -0.1, 0.9, 0.2, 0.3;
  rate << 0.3, -0.2, 0.1, 0.4, -0.5, 0.2;
  Mat3 spin;
  spin << 0, 1, -2, -1, 0, 0.5, 2, -0.5, 0;
  EXPECT_LT(cloth.viscous_stress<double>(F, Matrix32<double>(spin * F)).norm(), 1e-12 * 900);
  EXPECT_GT(cloth.viscous_stress<double>(F, rate).cwiseProduct(rate).sum(), 0);
  // At rest it is the derivative of the elastic stress.
  const Matrix32<double> rest = Mat3::Identity().leftCols<2>();
  const double h = 1e-6;
  const Matrix32<double> slope =
      (cloth.first_piola_stress<double>(Matrix32<double>(rest + h * rate)) - cloth.first_piola_stress<double>(Matrix32<double>(rest - h * rate))) / (2 * h);
  EXPECT_LT((cloth.viscous_stress<double>(rest, rate) - slope).norm(), 1e-6 * 900);
}

}  // namespace
}  // namespace traction
