#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "forces/volume_penalty.h"

namespace traction {
namespace {

using ModelAndIndex = std::pair<VolumeModel, double>;  // adiabatic index

class VolumeLawTest : public testing::TestWithParam<ModelAndIndex> {
 protected:
  static constexpr double kVolume = 0.02, kCompressibility = 3e-6;
  static VolumeLaw with_pressure(double gauge) { return VolumeLaw::with_pressure(GetParam().first, kVolume, gauge, kCompressibility, GetParam().second); }

  // Richardson-extrapolated central difference.
  template <typename Function>
  static double slope(const Function& function, double x) {
    auto central = [&](double h) { return (function(x + h) - function(x - h)) / (2 * h); };
    return (4 * central(5e-4 * x) - central(1e-3 * x)) / 3;
  }
};

TEST_P(VolumeLawTest, HasTheGaugePressureAtTheInitialVolume) {
  for (const double gauge : {-20000.0, 0.0, 1000.0, 150000.0}) {
    const VolumeLaw law = with_pressure(gauge);
    EXPECT_NEAR(law.pressure(kVolume), gauge, 1e-10 * kAtmosphere) << gauge;
    EXPECT_EQ(law.rest_volume > kVolume, gauge > 0);
  }
}

TEST_P(VolumeLawTest, NoEnergyAndNoPressureAtTheRestVolume) {
  const VolumeLaw law = with_pressure(30000);
  EXPECT_NEAR(law.energy(law.rest_volume), 0, 1e-14 * kAtmosphere * kVolume);
  EXPECT_NEAR(law.pressure(law.rest_volume), 0, 1e-10);
}

TEST_P(VolumeLawTest, EnergyIsPositiveOnBothSidesOfTheRestVolume) {
  const VolumeLaw law = with_pressure(30000);
  for (const double ratio : {0.5, 0.9, 1.1, 2.0}) EXPECT_GT(law.energy(ratio * law.rest_volume), 0) << ratio;
}

// For small changes of volume the energy agrees to leading order: no digits are lost in differences of volumes.
TEST_P(VolumeLawTest, EnergyOfASmallChange) {
  const VolumeLaw law = with_pressure(30000);
  const double V0 = law.rest_volume, change = std::ldexp(V0, -20);
  const double expected = -law.pressure_slope(V0) * change * change / 2;
  EXPECT_NEAR(law.energy(V0 + change), expected, 1e-6 * expected);
}

TEST_P(VolumeLawTest, PressureIsMinusTheEnergysDerivative) {
  const VolumeLaw law = with_pressure(30000);
  for (const double ratio : {0.4, 0.9, 1.0, 1.3, 3.0}) {
    const double V = ratio * law.rest_volume;
    const double derivative = slope([&](double volume) { return law.energy(volume); }, V);
    EXPECT_NEAR(law.pressure(V), -derivative, 1e-9 * (std::abs(law.pressure(V)) + kAtmosphere)) << ratio;
  }
}

TEST_P(VolumeLawTest, SlopeIsThePressuresDerivative) {
  const VolumeLaw law = with_pressure(30000);
  for (const double ratio : {0.4, 0.9, 1.0, 1.3, 3.0}) {
    const double V = ratio * law.rest_volume;
    const double derivative = slope([&](double volume) { return law.pressure(volume); }, V);
    EXPECT_NEAR(law.pressure_slope(V), derivative, 1e-9 * std::abs(law.pressure_slope(V))) << ratio;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, VolumeLawTest,
                         testing::Values(ModelAndIndex{VolumeModel::quadratic, 1}, ModelAndIndex{VolumeModel::ideal_gas, 1},
                                         ModelAndIndex{VolumeModel::ideal_gas, 1.4}, ModelAndIndex{VolumeModel::nearly_incompressible, 1}));

// Boyle: (P0 + p) V is constant; compressed from one to three atmospheres in a third of the volume.
TEST(IdealGas, FollowsBoylesLaw) {
  const VolumeLaw law = VolumeLaw::with_pressure(VolumeModel::ideal_gas, 0.02, 0, 0);
  EXPECT_NEAR(law.pressure(0.02 / 3), 2 * 101325, 1e-9);
  for (const double V : {0.001, 0.01, 0.5}) EXPECT_NEAR((101325 + law.pressure(V)) * V, 101325 * 0.02, 1e-9);
}

// The work of isothermal compression against a constant ambient pressure, from V0 to V: P0 V0 ln(V0/V) - P0 (V0 - V).
TEST(IdealGas, EnergyIsTheIsothermalWork) {
  const VolumeLaw law{VolumeModel::ideal_gas, 0.02, 0};
  EXPECT_NEAR(law.energy(0.005), 101325 * (0.02 * std::log(4.0) - 0.015), 1e-10);
}

// p V^gamma is constant: a third of the volume of air at one atmosphere has 3^1.4 atmospheres, whatever gauge pressure fixes its amount.
TEST(IdealGas, FollowsTheAdiabaticLaw) {
  const VolumeLaw law = VolumeLaw::with_pressure(VolumeModel::ideal_gas, 0.02, 0, 0, 1.4);
  EXPECT_NEAR(law.pressure(0.02 / 3), (std::pow(3, 1.4) - 1) * 101325, 1e-9);
  const VolumeLaw filled = VolumeLaw::with_pressure(VolumeModel::ideal_gas, 0.02, 5e4, 0, 1.4);
  for (const double V : {0.001, 0.01, 0.5}) EXPECT_NEAR((101325 + filled.pressure(V)) * std::pow(V, 1.4), 151325 * std::pow(0.02, 1.4), 1e-9);
}

// The work of adiabatic compression against the ambient pressure: P0 V0 ((V0/V)^(gamma - 1) - 1) / (gamma - 1) - P0 (V0 - V). It tends to the isothermal one.
TEST(IdealGas, EnergyIsTheAdiabaticWork) {
  const VolumeLaw law{VolumeModel::ideal_gas, 0.02, 0, 1.4};
  EXPECT_NEAR(law.energy(0.005), 101325 * (0.02 * (std::pow(4, 0.4) - 1) / 0.4 - 0.015), 1e-10);
  const VolumeLaw nearly{VolumeModel::ideal_gas, 0.02, 0, 1 + 1e-9}, isothermal{VolumeModel::ideal_gas, 0.02, 0};
  EXPECT_NEAR(nearly.energy(0.005), isothermal.energy(0.005), 1e-8 * isothermal.energy(0.005));
}

TEST(QuadraticVolume, BulkModulusIsTheInverseCompressibility) {
  const VolumeLaw law{VolumeModel::quadratic, 0.02, 3e-6};
  EXPECT_NEAR(law.pressure(0.99 * 0.02), 0.01 / 3e-6, 1e-9);
  EXPECT_NEAR(law.energy(0.99 * 0.02), 0.5 * 0.01 * 0.01 * 0.02 / 3e-6, 1e-12);
}

TEST(NearlyIncompressibleVolume, PressureIsLogarithmic) {
  const VolumeLaw law{VolumeModel::nearly_incompressible, 0.02, 3e-6};
  EXPECT_NEAR(law.pressure(0.02 / std::exp(0.1)), 0.1 / 3e-6, 1e-9);
}

}  // namespace
}  // namespace traction
