// Softening of rubber against Ogden's and Roxburgh's formulas, and the energy that a cycle takes.

#include "elements/softening.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "elements/elasticity.h"
#include "elements/homogeneous_loading.h"
#include "elements/materials/mooney_rivlin.h"
#include "elements/materials/ogden.h"
#include "elements/materials/yeoh.h"
#include "support/closed_forms.h"

namespace traction {
namespace {

constexpr double kR = 1.6, kM = 2e4, kBeta = 0.3;
const Yeoh<double> kRubber{2.5e5, -3e3, 90, 0};

SofteningLaw<Yeoh, double> softened_to(double peak) { return {kRubber, kR, kM, kBeta, peak}; }
Mat3 pulled(double stretch) { return Vec3(stretch, 1 / std::sqrt(stretch), 1 / std::sqrt(stretch)).asDiagonal(); }
// The force per area at rest of a bar that keeps its volume.
template <typename Law>
double force(const Law& law, double stretch) {
  const Mat3 P = law.template first_piola_stress<double>(pulled(stretch));
  return P(0, 0) - P(2, 2) * std::pow(stretch, -1.5);
}

TEST(Softening, ForceOfABarThatWasStretchedFurther) {
  const double largest = 2.4, peak = kRubber.energy_density(pulled(largest));
  for (const double stretch : {1.1, 1.5, 2.0, 2.3}) {
    const double W = kRubber.energy_density(pulled(stretch)), eta = 1 - std::erf((peak - W) / (kM + kBeta * peak)) / kR;
    const double got = force(kRubber, stretch) + force(softened_to(peak), stretch);
    test::expect_closed_form({"materials", fmt::format("bar of softened rubber, stretched to 2.4 before: force per area at {}", stretch),
                              "Ogden and Roxburgh: η = 1 − erf((W_max − W)/(m + β W_max))/r", eta * force(kRubber, stretch), got, 1e-6, "a point", "static"});
  }
  EXPECT_EQ(force(softened_to(peak), 2.5), 0);
}

// Simpson's rule along the unloading path: what loading took, less what unloading gives back, is dissipated; and the energy that is stored is what comes back.
TEST(Softening, ACycleDissipatesItsArea) {
  const double largest = 2.4, peak = kRubber.energy_density(pulled(largest));
  const int parts = 2000;
  double returned = 0;
  for (int i = 0; i <= parts; ++i) {
    const double stretch = 1 + (largest - 1) * i / parts;
    returned += (force(kRubber, stretch) + force(softened_to(peak), stretch)) * (i == 0 || i == parts ? 1 : i % 2 ? 4 : 2) * (largest - 1) / (3 * parts);
  }
  const SofteningEnergy energies{kR, kM, kBeta};
  test::expect_closed_form({"materials", "cycle of softening rubber to a stretch of 2.4: dissipated energy per volume", "∮ P dλ by Simpson's rule",
                            peak - returned, energies.dissipated(peak), 1e-6, "a point", "static"});
  EXPECT_NEAR(peak + energies.stored(peak, peak), returned, 1e-6 * returned);
  EXPECT_NEAR(energies.stored(0, peak), 0, 1e-12 * peak);
  EXPECT_GT(energies.dissipated(2 * peak), energies.dissipated(peak));
  EXPECT_EQ(energies.dissipated(0), 0);
}

template <template <typename> typename Material>
void expect_derivatives(const Material<double>& shape) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> number(-0.2, 0.2);
  for (int sample = 0; sample < 20; ++sample) {
    Mat3 F = Mat3::Identity(), dF;
    for (int k = 0; k < 9; ++k) F(k) += number(generator), dF(k) = number(generator);
    const double peak = 2 * shape.energy_density(F);
    const SofteningLaw<Material, double> law{shape, kR, 0.1 * peak, kBeta, peak};
    const SofteningEnergy energies{kR, 0.1 * peak, kBeta};
    Matrix3<Dual<double>> moved;
    for (int k = 0; k < 9; ++k) moved(k) = make_dual(F(k), dF(k));
    const auto product = law.template first_piola_stress<Dual<double>>(moved);
    const Mat3 P = law.template first_piola_stress<double>(F);
    const double h = 1e-4;
    const auto slope = [&](double by) {
      return Mat3((law.template first_piola_stress<double>(Mat3(F + by * dF)) - law.template first_piola_stress<double>(Mat3(F - by * dF))) / (2 * by));
    };
    const Mat3 numerical = (4 * slope(h) - slope(2 * h)) / 3;
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(product(k).derivative[0], numerical(k), 1e-6 * numerical.norm());
    const auto energy = [&](double by) { return energies.stored(shape.energy_density(Mat3(F + by * dF)), peak); };
    const double work = (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h);
    EXPECT_NEAR(P.cwiseProduct(dF).sum(), work, 1e-7 * P.norm() * dF.norm());
  }
}
TEST(Softening, StressAndProductAreDerivatives) {
  expect_derivatives<Yeoh>(kRubber);
  expect_derivatives<MooneyRivlin>(MooneyRivlin<double>{2e5, 5e4, 0});
  Ogden<double> ogden;
  ogden.shear_moduli = {6e5, 1e3, -1e4, 0, 0, 0};
  ogden.exponents = {1.3, 5, -2, 2, 2, 2};
  ogden.bulk = 0;
  expect_derivatives<Ogden>(ogden);
}

}  // namespace
}  // namespace traction
