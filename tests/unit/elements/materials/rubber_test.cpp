// Laws of rubber in homogeneous deformations without change of volume, against closed forms, and Ogden's constants against Treloar's measurements.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "elements/elasticity.h"
#include "elements/homogeneous_loading.h"
#include "elements/material_settings.h"
#include "elements/materials/solid_materials.h"

namespace traction {
namespace {

constexpr double kBulk = 2e9;
constexpr double kUnit = 0.0980665e6;  // 1 kg/cm^2 in Pa

SolidMaterialSettings constants() {
  SolidMaterialSettings settings;
  settings.bulk_modulus = kBulk;
  return settings;
}
MooneyRivlin<double> mooney_rivlin() {
  SolidMaterialSettings settings = constants();
  settings.c10 = 3e5, settings.c01 = 0.8e5;
  return MooneyRivlin<double>::from(settings);
}
Yeoh<double> yeoh() {
  SolidMaterialSettings settings = constants();
  settings.c10 = 2.5e5, settings.c20 = -3e3, settings.c30 = 90;
  return Yeoh<double>::from(settings);
}
ArrudaBoyce<double> arruda_boyce() {
  SolidMaterialSettings settings = constants();
  settings.shear_modulus = 4e5, settings.locking_stretch = 5;
  return ArrudaBoyce<double>::from(settings);
}
// R. W. Ogden, Large deformation isotropic elasticity (1972): three terms for Treloar's rubber, in kg/cm^2.
Ogden<double> ogden() {
  SolidMaterialSettings settings = constants();
  settings.shear_moduli = {6.3 * kUnit, 0.012 * kUnit, -0.1 * kUnit}, settings.exponents = {1.3, 5.0, -2.0};
  return Ogden<double>::from(settings);
}

// The force per area at rest of a solid whose volume cannot change: a pressure that leaves the free side without stress is taken off.
template <typename Material>
double incompressible_stress(const Material& material, Loading loading, double stretch) {
  const double free = loading == Loading::uniaxial ? 1 / std::sqrt(stretch) : loading == Loading::equibiaxial ? 1 / (stretch * stretch) : 1 / stretch;
  const Mat3 P = first_piola_stress<double>(material, loaded(loading, stretch, free));
  return loading == Loading::shear ? P(0, 1) : P(0, 0) - P(2, 2) * free / stretch;
}

// `closed_form`: force per area for the powers of the principal stretches along x and along the free side.
template <typename Material>
void expect_closed_form(const Material& material, const std::function<double(Loading, double)>& closed_form) {
  for (const Loading loading : {Loading::uniaxial, Loading::equibiaxial, Loading::planar, Loading::shear})
    for (const double stretch : {0.4, 0.8, 1.3, 2.0, 4.0}) {
      const double expected = closed_form(loading, stretch);
      EXPECT_NEAR(incompressible_stress(material, loading, stretch), expected, 1e-12 * std::abs(expected) + 1e-9) << word_of(loading) << ' ' << stretch;
    }
}

double first_invariant(Loading loading, double x) {
  switch (loading) {
    case Loading::uniaxial: return x * x + 2 / x;
    case Loading::equibiaxial: return 2 * x * x + 1 / (x * x * x * x);
    case Loading::planar: return x * x + 1 + 1 / (x * x);
    default: return 3 + x * x;
  }
}
// The force per area for a law whose derivatives with respect to both invariants are these (Treloar, The physics of rubber elasticity, ch. 5).
double by_invariants(Loading loading, double x, double first, double second) {
  switch (loading) {
    case Loading::uniaxial: return 2 * (x - 1 / (x * x)) * (first + second / x);
    case Loading::equibiaxial: return 2 * (x - std::pow(x, -5)) * (first + second * x * x);
    case Loading::planar: return 2 * (x - std::pow(x, -3)) * (first + second);
    default: return 2 * x * (first + second);
  }
}

TEST(MooneyRivlin, ClosedForms) {
  expect_closed_form(mooney_rivlin(), [](Loading loading, double x) { return by_invariants(loading, x, 3e5, 0.8e5); });
}

TEST(Yeoh, ClosedForms) {
  expect_closed_form(yeoh(), [](Loading loading, double x) {
    const double stretched = first_invariant(loading, x) - 3;
    return by_invariants(loading, x, 2.5e5 + 2 * -3e3 * stretched + 3 * 90 * stretched * stretched, 0);
  });
}

TEST(ArrudaBoyce, ClosedForms) {
  expect_closed_form(arruda_boyce(), [](Loading loading, double x) {
    const double L = 5, I = first_invariant(loading, x);
    const auto sum = [&](double first) {
      return 1. / 2 + first / (10 * L * L) + 33 * std::pow(first, 2) / (1050 * std::pow(L, 4)) + 76 * std::pow(first, 3) / (7000 * std::pow(L, 6)) +
             2595 * std::pow(first, 4) / (673750 * std::pow(L, 8));
    };
    return by_invariants(loading, x, 4e5 / (2 * sum(3)) * sum(I), 0);
  });
}

// The series approximates chains whose force is the inverse Langevin function: P = mu_0 / 3 (L / c) l^-1(c / L) (x - x^-2), c = sqrt(I1 / 3), here by Newton's
// method for the Langevin function coth(b) - 1/b. Within 1 % up to 0.6 of the locking stretch.
TEST(ArrudaBoyce, FollowsTheInverseLangevinFunction) {
  const double L = 5;
  const auto chain = [&](double first) {
    const double c = std::sqrt(first / 3), y = c / L;
    double b = 3 * y;
    for (int i = 0; i < 50; ++i) b -= (1 / std::tanh(b) - 1 / b - y) / (1 / (b * b) - 1 / std::pow(std::sinh(b), 2));
    return L / c * b;
  };
  for (const double x : {1.2, 2.0, 3.0, 5.0}) {
    const double I = first_invariant(Loading::uniaxial, x);
    const double expected = 4e5 * chain(I) / chain(3) * (x - 1 / (x * x));
    EXPECT_NEAR(incompressible_stress(arruda_boyce(), Loading::uniaxial, x), expected, 0.01 * expected) << x;
  }
}

TEST(Ogden, ClosedForms) {
  const std::vector<std::pair<double, double>> terms = {{6.3 * kUnit, 1.3}, {0.012 * kUnit, 5.0}, {-0.1 * kUnit, -2.0}};
  expect_closed_form(ogden(), [&](Loading loading, double x) {
    double sum = 0;
    for (const auto& [mu, alpha] : terms) {
      if (loading == Loading::shear) {  // principal stretches l and 1/l with l - 1/l = x
        const double l = x / 2 + std::sqrt(1 + x * x / 4);
        sum += mu * (std::pow(l, alpha) - std::pow(l, -alpha)) / (l + 1 / l);
      } else {
        const double lateral = loading == Loading::uniaxial ? -alpha / 2 : loading == Loading::equibiaxial ? -2 * alpha : -alpha;
        sum += mu * (std::pow(x, alpha - 1) - std::pow(x, lateral - 1));
      }
    }
    return sum;
  });
}

// Two terms with the exponents 2 and -2 are the Mooney-Rivlin material: c10 = mu_1 / 2, c01 = -mu_2 / 2, at any deformation.
TEST(Ogden, IsMooneyRivlinForTheExponentsTwoAndMinusTwo) {
  SolidMaterialSettings settings = constants();
  settings.shear_moduli = {6e5, -1.6e5}, settings.exponents = {2, -2};
  const auto material = Ogden<double>::from(settings);
  Mat3 F;
  F << 1.2, 0.3, -0.1, 0.05, 0.8, 0.2, 0.4, -0.15, 1.1;
  const Mat3 expected = first_piola_stress<double>(mooney_rivlin(), F);
  EXPECT_LT((first_piola_stress<double>(material, F) - expected).norm(), 1e-12 * expected.norm());
  EXPECT_NEAR(material.energy_density(F), mooney_rivlin().energy_density(F), 1e-12 * expected.norm());
}

// L. R. G. Treloar, Stress-strain data for vulcanised rubber under various types of deformation (1944): stretches, and forces per area at rest in kg/cm^2.
// Ogden's constants follow them within 12 %, 5.5 % in the mean square.
TEST(Ogden, FollowsTreloarsMeasurements) {
  const std::vector<std::pair<double, double>> uniaxial = {{1.24, 2.3},  {1.39, 3.23}, {1.585, 4.16}, {1.9, 5.1},   {2.18, 6.0},  {2.42, 6.9},  {3.02, 8.8},
                                                           {3.57, 10.7}, {4.03, 12.5}, {4.76, 16.2},  {5.36, 19.9}, {5.75, 23.6}, {6.15, 27.4}, {6.4, 31.0}};
  const std::vector<std::pair<double, double>> equibiaxial = {{1.12, 2.42}, {1.14, 2.62}, {1.2, 3.32},  {1.31, 4.43}, {1.42, 5.18}, {1.68, 6.6}, {1.94, 7.78},
                                                              {2.49, 9.79}, {3.03, 12.6}, {3.43, 14.7}, {3.75, 17.4}, {4.07, 20.1}, {4.26, 22.5}};
  double squares = 0;
  for (const auto& [stretch, force] : uniaxial) {
    const double error = loaded_state(ogden(), Loading::uniaxial, stretch).stress / (force * kUnit) - 1;
    EXPECT_LT(std::abs(error), 0.12) << stretch;
    squares += error * error;
  }
  for (const auto& [stretch, force] : equibiaxial) {
    const double error = loaded_state(ogden(), Loading::equibiaxial, stretch).stress / (force * kUnit) - 1;
    EXPECT_LT(std::abs(error), 0.12) << stretch;
    squares += error * error;
  }
  EXPECT_LT(std::sqrt(squares / static_cast<double>(uniaxial.size() + equibiaxial.size())), 0.06);
}

// F = s I: P = K/2 (J^2 - 1) / s in all laws, because the change of shape stores nothing.
TEST(LawsOfRubber, UniformDilation) {
  for (const double s : {0.8, 1.1}) {
    const Mat3 F = s * Mat3::Identity(), expected = kBulk / 2 * (std::pow(s, 6) - 1) / s * Mat3::Identity();
    const auto expect_pressure = [&](const auto& material) { EXPECT_LT((first_piola_stress<double>(material, F) - expected).norm(), 1e-13 * kBulk); };
    expect_pressure(mooney_rivlin());
    expect_pressure(yeoh());
    expect_pressure(arruda_boyce());
    expect_pressure(ogden());
  }
}

TEST(LawsOfRubber, UndefinedWhereTurnedInsideOut) {
  for (const Vec3& stretch : {Vec3(-1, 1, 1), Vec3(0, 1, 1)}) {
    const Mat3 F = stretch.asDiagonal();
    const auto expect_undefined = [&](const auto& material) { EXPECT_FALSE(first_piola_stress<double>(material, F).allFinite()); };
    expect_undefined(mooney_rivlin());
    expect_undefined(yeoh());
    expect_undefined(arruda_boyce());
    expect_undefined(ogden());
  }
}

// With free sides a bar thins: the state of `loaded_state` has no stress there, and tends to that of a solid whose volume cannot change.
TEST(HomogeneousLoading, FreeSidesHaveNoStress) {
  for (const Loading loading : {Loading::uniaxial, Loading::equibiaxial, Loading::planar})
    for (const double stretch : {0.5, 1.5, 3.0}) {
      const HomogeneousState state = loaded_state(yeoh(), loading, stretch);
      EXPECT_LT(std::abs(first_piola_stress<double>(yeoh(), state.F)(2, 2)), 1e-11 * kBulk);
      EXPECT_NEAR(state.stress, incompressible_stress(yeoh(), loading, stretch), 0.01 * std::abs(state.stress));
      EXPECT_NEAR(state.F.determinant(), 1, 0.01);
    }
}

}  // namespace
}  // namespace traction
