// Fibres in incompressible solids against closed forms (Holzapfel, Gasser and Ogden 2000; Gasser, Ogden and Holzapfel 2006), and their derivatives.

#include "elements/fibres.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "elements/elasticity.h"
#include "elements/fibre_loading.h"
#include "elements/materials/mooney_rivlin.h"
#include "elements/materials/neo_hookean.h"
#include "support/closed_forms.h"

namespace traction {
namespace {

constexpr double kShear = 3e4, kFibreStiffness = 8e4, kExponent = 2.5, kDegreeOfFibres = EIGEN_PI / 180;

FibreFamily<double> family(double angle, double dispersion) {
  return {{std::cos(angle * kDegreeOfFibres), std::sin(angle * kDegreeOfFibres), 0}, kFibreStiffness, kExponent, dispersion};
}
Reinforced<MooneyRivlin<double>> solid(std::vector<FibreFamily<double>> families) { return {{kShear / 2, 0, 0}, std::move(families)}; }

// The force per area at rest along x of a solid that keeps its volume: a pressure leaves the side across z without stress.
double pulled(const Reinforced<MooneyRivlin<double>>& material, const Vec3& stretches) {
  const Mat3 P = material.first_piola_stress<double>(Mat3(stretches.asDiagonal()));
  return P(0, 0) - P(2, 2) * stretches.z() / stretches.x();
}

// The same by hand: mu (l1 - l3^2 / l1) for the neo-Hookean matrix, and for each family at the angle to x 2 W' (kappa (l1 - l3^2 / l1) + (1 - 3 kappa) l1
// cos^2) with W' = k1 E exp(k2 E^2), E = kappa (I1 - 3) + (1 - 3 kappa) (l1^2 cos^2 + l2^2 sin^2 - 1), if E is positive.
double by_hand(const Vec3& l, const std::vector<double>& angles, double dispersion) {
  double sum = kShear * (l.x() - l.z() * l.z() / l.x());
  for (const double angle : angles) {
    const double c2 = std::pow(std::cos(angle * kDegreeOfFibres), 2);
    const double E = dispersion * (l.squaredNorm() - 3) + (1 - 3 * dispersion) * (l.x() * l.x() * c2 + l.y() * l.y() * (1 - c2) - 1);
    if (E > 0)
      sum += 2 * kFibreStiffness * E * std::exp(kExponent * E * E) * (dispersion * (l.x() - l.z() * l.z() / l.x()) + (1 - 3 * dispersion) * l.x() * c2);
  }
  return sum;
}

TEST(Fibres, ClosedForms) {
  struct Case {
    const char* name;
    std::vector<double> angles;
    Vec3 (*stretches)(double);
  };
  const auto uniaxial = [](double x) { return Vec3(x, 1 / std::sqrt(x), 1 / std::sqrt(x)); };
  const auto equibiaxial = [](double x) { return Vec3(x, x, 1 / (x * x)); };
  const auto planar = [](double x) { return Vec3(x, 1, 1 / x); };
  for (const Case& one : {Case{"pull along one family", {0}, uniaxial}, Case{"equibiaxial stretch, two families at 35°", {35, -35}, equibiaxial},
                          Case{"pure shear, two families at 50°", {50, -50}, planar}})
    for (const double dispersion : {0.0, 0.1, 0.226, 1.0 / 3})
      for (const double stretch : {0.8, 0.95, 1.05, 1.2, 1.4}) {
        std::vector<FibreFamily<double>> families;
        for (const double angle : one.angles) families.push_back(family(angle, dispersion));
        const double expected = by_hand(one.stretches(stretch), one.angles, dispersion), got = pulled(solid(families), one.stretches(stretch));
        if (stretch == 1.2 && (dispersion == 0 || dispersion == 0.226))
          test::expect_closed_form({"materials", fmt::format("fibres, {}, dispersion {}: force per area at a stretch of 1.2", one.name, dispersion),
                                    "Gasser, Ogden and Holzapfel: 2 ∂W/∂E (κ (λ − λ_3²/λ) + (1 − 3 κ) λ cos² α)", expected, got, 1e-6, "a point", "static"});
        EXPECT_NEAR(got, expected, 1e-11 * std::abs(expected)) << one.name << ' ' << dispersion << ' ' << stretch;
      }
}

TEST(Fibres, AreSlackUnderCompressionAndAtRest) {
  for (const double dispersion : {0.0, 0.2}) {
    const FibreFamily<double> fibres = family(0, dispersion);
    for (const Mat3& F : {Mat3(Mat3::Identity()), Mat3(Vec3(0.8, 1 / std::sqrt(0.8), 1 / std::sqrt(0.8)).asDiagonal())}) {
      EXPECT_EQ(fibres.energy_density(F), 0);
      EXPECT_EQ(fibres.first_piola_stress(F).norm(), 0);
    }
  }
}

// The energy at a stretch is that of the law without a toe, k1/(2 k2) (exp(k2 E^2) - 1), and nearly E^2 k1 / 2 for a small exponent.
TEST(Fibres, EnergyOfTheLaw) {
  const double stretch = 1.3, E = stretch * stretch - 1;
  const Mat3 F = Vec3(stretch, 1, 1).asDiagonal();
  EXPECT_NEAR(family(0, 0).energy_density(F), kFibreStiffness / (2 * kExponent) * std::expm1(kExponent * E * E), 1e-12 * kFibreStiffness);
  for (const double exponent : {0.0, 1e-9, 1e-3}) {
    FibreFamily<double> linear = family(0, 0);
    linear.exponent = exponent;
    EXPECT_NEAR(linear.energy_density(F), kFibreStiffness / 2 * E * E * (1 + exponent * E * E / 2),
                0.1 * exponent * exponent * kFibreStiffness + 1e-13 * kFibreStiffness);
  }
}

class RandomFibres : public testing::Test {
 protected:
  Mat3 deformation(double size) {
    Mat3 F = Mat3::Identity();
    for (int k = 0; k < 9; ++k) F(k) += size * number_(generator_);
    return F;
  }
  FibreFamily<double> fibres() {
    const Vec3 a = Vec3(number_(generator_), number_(generator_), number_(generator_)).normalized();
    return {{a.x(), a.y(), a.z()}, 2.0, 3.0, (1 + number_(generator_)) / 6};
  }
  std::mt19937 generator_{11};
  std::uniform_real_distribution<double> number_{-1, 1};
};

// Central differences of fourth order, also within the toe and across its ends, where the energy has only two continuous derivatives.
TEST_F(RandomFibres, StressIsTheEnergysGradient) {
  for (const double size : {0.2, 1e-3, 2e-4})
    for (int sample = 0; sample < 40; ++sample) {
      const FibreFamily<double> law = fibres();
      const Mat3 F = deformation(size), P = law.first_piola_stress(F);
      for (int k = 0; k < 9; ++k) {
        const auto central = [&](double h) {
          Mat3 plus = F, minus = F;
          plus(k) += h, minus(k) -= h;
          return (law.energy_density(plus) - law.energy_density(minus)) / (2 * h);
        };
        const double h = std::min(1e-3 * size, 2e-5);
        EXPECT_NEAR(P(k), (4 * central(h) - central(2 * h)) / 3, 1e-6 * (P.norm() + size)) << size;
      }
    }
}

TEST_F(RandomFibres, ProductIsTheStressDerivative) {
  for (int sample = 0; sample < 40; ++sample) {
    const FibreFamily<double> law = fibres();
    const Mat3 F = deformation(0.2), dF = deformation(0.5);
    Matrix3<Dual<double>> moved;
    for (int k = 0; k < 9; ++k) moved(k) = make_dual(F(k), dF(k));
    const auto exact = law.first_piola_stress(moved);
    const double h = 1e-6;
    const Mat3 numerical = (law.first_piola_stress(Mat3(F + h * dF)) - law.first_piola_stress(Mat3(F - h * dF))) / (2 * h);
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(exact(k).derivative[0], numerical(k), 1e-6 * (1 + numerical.norm()));
  }
}

// W(R F) = W(F), P(R F) = R P(F), and fibres that turn with the body at rest: P of F R^T with R a is P of F with a, times R^T.
TEST_F(RandomFibres, FrameIndifferent) {
  const Mat3 R = Eigen::AngleAxisd(2.3, Vec3(1, -2, 0.4).normalized()).toRotationMatrix();
  for (int sample = 0; sample < 20; ++sample) {
    const FibreFamily<double> law = fibres();
    const Mat3 F = deformation(0.3), P = law.first_piola_stress(F);
    EXPECT_NEAR(law.energy_density(Mat3(R * F)), law.energy_density(F), 1e-12 * (1 + law.energy_density(F)));
    EXPECT_LT((law.first_piola_stress(Mat3(R * F)) - R * P).norm(), 1e-12 * (1 + P.norm()));
    const Vec3 turned = R * Vec3(law.direction[0], law.direction[1], law.direction[2]);
    const FibreFamily<double> other{{turned.x(), turned.y(), turned.z()}, law.stiffness, law.exponent, law.dispersion};
    EXPECT_LT((other.first_piola_stress(Mat3(F * R.transpose())) - P * R.transpose()).norm(), 1e-12 * (1 + P.norm()));
  }
}

// A specimen along its fibres, with free sides that differ: no stress acts on them, and a nearly incompressible one follows the closed form.
TEST(FibreLoading, FreeSidesBearNothing) {
  const Reinforced<MooneyRivlin<double>> material{{kShear / 2, 0, 1e4 * kShear}, {family(30, 0.05), family(-30, 0.05)}};
  for (const Loading loading : {Loading::uniaxial, Loading::uniaxial_across, Loading::planar, Loading::planar_across, Loading::equibiaxial}) {
    Mat3 last = Mat3::Identity();
    for (const double stretch : {1.05, 1.1, 1.15}) {
      const HomogeneousState state = loaded_state(material, loading, stretch, last);
      ASSERT_TRUE(std::isfinite(state.stress)) << word_of(loading);
      last = state.F;
      const Mat3 P = material.first_piola_stress<double>(state.F);
      for (int i = 0; i < 3; ++i)
        if (is_free(loading, i)) {
          EXPECT_LT(std::abs(P(i, i)), 1e-6 * kShear);
        }
      if (loading == Loading::uniaxial) {
        const double expected = by_hand(state.F.diagonal(), {30, -30}, 0.05);
        EXPECT_NEAR(state.stress, expected, 2e-3 * expected);
      }
    }
  }
}

TEST(FibreLoading, SpecimensLieBetweenTheFamilies) {
  const auto directions = specimen_directions({Vec3(0, std::cos(1.2), std::sin(1.2)), Vec3(0, std::cos(1.2), -std::sin(1.2))});
  for (const Vec3& one : directions) {
    EXPECT_NEAR(std::abs(one.x()), std::sin(1.2), 1e-14);  // along z, with which they enclose the smaller angle
    EXPECT_NEAR(std::abs(one.y()), std::cos(1.2), 1e-14);
    EXPECT_NEAR(one.z(), 0, 1e-14);
  }
}

TEST(MaterialDirection, AboutAnAxis) {
  MaterialDirection direction;
  direction.axis = Vec3::UnitZ();
  direction.through = Vec3(1, 0, 5);
  direction.angle = 30;
  EXPECT_LT((direction.at(Vec3(3, 0, 0)) - Vec3(0, std::cos(30 * kDegreeOfFibres), 0.5)).norm(), 1e-15);
  EXPECT_LT((direction.at(Vec3(1, 0.1, -4)) - Vec3(-std::cos(30 * kDegreeOfFibres), 0, 0.5)).norm(), 1e-15);
  direction.radial = true;
  EXPECT_LT((direction.at(Vec3(1, -2, 7)) + Vec3::UnitY()).norm(), 1e-15);
}

}  // namespace
}  // namespace traction
