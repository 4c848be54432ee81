// The measured damping of every integrator against the spectral radius of its own recurrence for q'' + omega^2 q = 0, x = omega h.

#include "app/damping_curves.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <complex>

namespace traction {
namespace {

using Complex = std::complex<double>;

const std::vector<double> kOmegaH = {0.1, 0.5, 1, 2, 5, 10, 50};

double damping(double radius, double x) { return -2 * std::log(radius) / x; }

SchemeSettings with_modes(int modes, bool published = false) {
  SchemeSettings settings;
  settings.exponential_tolerance = 1e-13;
  settings.modes = modes;
  settings.published_history = published;
  return settings;
}

// Damping of schemes whose motion over a step is `growth` times that before, for u' = i omega u.
template <typename Function>
void expect_radius(Integrator integrator, Function growth, SchemeSettings settings = {}) {
  for (double x : kOmegaH) {
    const double expected = damping(std::abs(growth(Complex(0, x))), x);
    EXPECT_NEAR(numerical_damping(integrator, settings, x), expected, 1e-9) << x;
    if (traits(integrator).is_exponential()) continue;
    settings.semi_implicit = true;  // the same on a linear problem
    EXPECT_NEAR(numerical_damping(integrator, settings, x), expected, 1e-9) << x;
    settings.semi_implicit = false;
  }
}

// The larger root of a r^2 + b r + c = 0.
Complex larger_root(Complex a, Complex b, Complex c) {
  const Complex root = std::sqrt(b * b - 4.0 * a * c), first = (-b + root) / (2.0 * a), second = (-b - root) / (2.0 * a);
  return std::abs(first) > std::abs(second) ? first : second;
}

Complex backward_euler(Complex z) { return 1.0 / (1.0 - z); }
Complex bdf2(Complex z) { return larger_root(1.0 - 2.0 * z / 3.0, -4.0 / 3.0, 1.0 / 3.0); }
Complex tr_bdf2(Complex z) { return (12.0 + 5.0 * z) / ((4.0 - z) * (3.0 - z)); }

TEST(DampingCurves, BackwardEuler) {
  for (double x : kOmegaH) EXPECT_NEAR(numerical_damping(Integrator::backward_euler, {}, x), std::log(1 + x * x) / x, 1e-9) << x;
  expect_radius(Integrator::backward_euler, backward_euler);
}

TEST(DampingCurves, TheTrapezoidalRuleHasNone) {
  for (double x : kOmegaH) EXPECT_NEAR(numerical_damping(Integrator::trapezoidal, {}, x), 0, 1e-12) << x;
}

TEST(DampingCurves, DiagonallyImplicitSchemes) {
  expect_radius(Integrator::tr_bdf2, tr_bdf2);
  const double gamma = 1 - std::sqrt(0.5);  // TR-SDIRK2 has twice this gamma, halved
  for (const Integrator integrator : {Integrator::sdirk2, Integrator::tr_sdirk2})
    expect_radius(integrator, [&](Complex z) { return (1.0 + (1 - 2 * gamma) * z) / ((1.0 - gamma * z) * (1.0 - gamma * z)); });
}

TEST(DampingCurves, Sdirk3) {
  const double g = 0.4358665215084590;
  expect_radius(Integrator::sdirk3, [&](Complex z) { return (1.0 + (1 - 3 * g) * z + (0.5 - 3 * g + 3 * g * g) * z * z) / std::pow(1.0 - g * z, 3); });
}

TEST(DampingCurves, Bdf2) { expect_radius(Integrator::bdf2, bdf2); }

// Chung and Hulbert (1993), Eq. 19: the amplification matrix of (q, h v, h^2 a), solved for here from their Eqs. 1 to 5; its spectral radius is rho_infinity
// where omega h is large.
TEST(DampingCurves, GeneralizedAlpha) {
  for (double radius : {0.0, 0.3, 0.8, 1.0}) {
    const double m = (2 * radius - 1) / (radius + 1), f = radius / (radius + 1), gamma = 0.5 - m + f, beta = (1 - m + f) * (1 - m + f) / 4;
    SchemeSettings settings;
    settings.spectral_radius = radius;
    for (double x : kOmegaH) {
      Eigen::Matrix3d left, right;
      left << 1, 0, -beta, 0, 1, -gamma, (1 - f) * x * x, 0, 1 - m;
      right << 1, 1, 0.5 - beta, 0, 1, 1 - gamma, -f * x * x, 0, -m;
      const double expected = Eigen::EigenSolver<Eigen::Matrix3d>(left.inverse() * right).eigenvalues().cwiseAbs().maxCoeff();
      // Where roots meet (rho_infinity = 0 and omega h large) rounding moves them by its square root.
      EXPECT_NEAR(numerical_damping(Integrator::generalized_alpha, settings, x), damping(expected, x), 1e-6) << radius << " " << x;
    }
    EXPECT_NEAR(std::exp(-numerical_damping(Integrator::generalized_alpha, settings, 1e4) * 1e4 / 2), radius, 1e-3);
  }
}

TEST(DampingCurves, ExponentialEulerHasNone) {
  for (double x : kOmegaH) EXPECT_NEAR(numerical_damping(Integrator::ere, with_modes(0), x), 0, 1e-9) << x;
}

// High modes have the implicit part's damping, low ones none, except that in the second half of STR-SBDF2ERE's steps the exponential continues from the
// trapezoidal rule, which has no damping either.
TEST(DampingCurves, AdditiveSchemesDampHighModesOnly) {
  const std::vector<std::pair<Integrator, Complex (*)(Complex)>> parts = {{Integrator::siere, backward_euler},
                                                                          {Integrator::beere, backward_euler},
                                                                          {Integrator::bdf2ere, bdf2},
                                                                          {Integrator::sbdf2ere, bdf2},
                                                                          {Integrator::str_sbdf2ere, tr_bdf2}};
  for (const auto& [integrator, part] : parts) {
    expect_radius(integrator, part, with_modes(0));
    for (double x : kOmegaH) EXPECT_NEAR(numerical_damping(integrator, with_modes(3), x), 0, 1e-9) << x;
  }
}

// P1 Eqs. 21 and 22 as printed, with G alone: 3 r^2 = 2 (1 + e^z) r - 1; and Eq. 26: r = 2/3 (1 + e^(z/2)) R - 1/3, R = (1 + z/4) / (1 - z/4). Their low modes
// gain energy.
TEST(DampingCurves, ThePublishedHistoryDrivesLowModes) {
  for (const Integrator integrator : {Integrator::bdf2ere, Integrator::sbdf2ere})
    expect_radius(
        integrator, [](Complex z) { return larger_root(3, -2.0 * (1.0 + std::exp(z)), 1); }, with_modes(3, true));
  expect_radius(
      Integrator::str_sbdf2ere, [](Complex z) { return 2.0 / 3.0 * (1.0 + std::exp(z / 2.0)) * (1.0 + z / 4.0) / (1.0 - z / 4.0) - 1.0 / 3.0; },
      with_modes(3, true));
  EXPECT_LT(numerical_damping(Integrator::bdf2ere, with_modes(3, true), 0.1), -0.05);
}

}  // namespace
}  // namespace traction
