// The stiffness that holds approaching bodies.

#include "contact/stiffness_ahead.h"

#include <gtest/gtest.h>

#include <cmath>

namespace traction {
namespace {

// Steel: lambda + 2 mu = 2.8e11 Pa, c = 6 km/s.
TEST(StiffnessAhead, ImpedanceIsThatOfPlaneWaves) {
  const double youngs_modulus = 2.1e11, poisson_ratio = 0.3, density = 7850;
  const double lambda = youngs_modulus * poisson_ratio / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio)), mu = youngs_modulus / (2 * (1 + poisson_ratio));
  EXPECT_NEAR(wave_impedance(youngs_modulus, poisson_ratio, density), density * std::sqrt((lambda + 2 * mu) / density), 1e-6);
}

TEST(StiffnessAhead, HoldsThePressureOfAFront) {
  const ApproachingSides sides{1e-3, 1e-4, 0, 3e4};
  const double kappa = stiffness_for_approach(sides, 5);
  EXPECT_NEAR(3 * kappa * sides.thickness / sides.area, 2 * sides.impedance * 5, 1e-6);  // at zero gap
}

TEST(StiffnessAhead, StoresTheEnergyOfAVertex) {
  const ApproachingSides sides{1e-3, 1e-4, 0.02, 0};
  EXPECT_NEAR(stiffness_for_approach(sides, 3) * sides.thickness * sides.thickness, 2 * 0.02 * 9 / 2, 1e-12);
  EXPECT_EQ(stiffness_for_approach(sides, 0), 0);
}

}  // namespace
}  // namespace traction
