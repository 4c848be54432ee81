// The measured damping of every integrator against the spectral radius of its own recurrence for q'' + omega^2 q = 0, x = omega h.

#include "app/damping_curves.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>

namespace traction {
namespace {

using Complex = std::complex<double>;

const std::vector<double> kOmegaH = {0.1, 0.5, 1, 2, 5, 10, 50};

double damping(double radius, double x) { return -2 * std::log(radius) / x; }

// Of one-step schemes: u' = i omega u.
template <typename Function>
void expect_radius(Integrator integrator, Function growth) {
  for (double x : kOmegaH) EXPECT_NEAR(numerical_damping(integrator, x), damping(std::abs(growth(Complex(0, x))), x), 1e-9) << x;
}

TEST(DampingCurves, BackwardEuler) {
  for (double x : kOmegaH) EXPECT_NEAR(numerical_damping(Integrator::backward_euler, x), std::log(1 + x * x) / x, 1e-9) << x;
}

TEST(DampingCurves, TheTrapezoidalRuleHasNone) {
  for (double x : kOmegaH) EXPECT_NEAR(numerical_damping(Integrator::trapezoidal, x), 0, 1e-12) << x;
}

TEST(DampingCurves, DiagonallyImplicitSchemes) {
  expect_radius(Integrator::tr_bdf2, [](Complex z) { return (12.0 + 5.0 * z) / ((4.0 - z) * (3.0 - z)); });
  const double gamma = 1 - std::sqrt(0.5);  // of TR-SDIRK2 twice that, halved
  for (const Integrator integrator : {Integrator::sdirk2, Integrator::tr_sdirk2})
    expect_radius(integrator, [&](Complex z) { return (1.0 + (1 - 2 * gamma) * z) / ((1.0 - gamma * z) * (1.0 - gamma * z)); });
}

// The larger root of (1 - 2 z / 3) r^2 - 4/3 r + 1/3 = 0.
TEST(DampingCurves, Bdf2) {
  expect_radius(Integrator::bdf2, [](Complex z) {
    const Complex lead = 1.0 - 2.0 * z / 3.0, root = std::sqrt(16.0 / 9.0 - 4.0 / 3.0 * lead);
    const Complex first = (4.0 / 3.0 + root) / (2.0 * lead), second = (4.0 / 3.0 - root) / (2.0 * lead);
    return std::abs(first) > std::abs(second) ? first : second;
  });
}

}  // namespace
}  // namespace traction
