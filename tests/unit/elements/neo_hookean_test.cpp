#include "elements/neo_hookean.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "elements/solid_element.h"

namespace traction {
namespace {

class Material : public testing::TestWithParam<std::pair<double, double>> {
 protected:
  const double youngs_modulus_ = GetParam().first, poisson_ratio_ = GetParam().second;
  const NeoHookean material_ = NeoHookean::from_engineering(youngs_modulus_, poisson_ratio_);
};

Mat3 random_gradient(std::mt19937& generator, double size) {
  std::uniform_real_distribution<double> number(-size, size);
  Mat3 F = Mat3::Identity();
  for (int i = 0; i < 9; ++i) F(i) += number(generator);
  return F;
}

TEST_P(Material, ZeroAtRestAndUnderRotation) {
  EXPECT_EQ(material_.energy_density(Mat3::Identity()), 0);
  EXPECT_EQ(material_.first_piola_stress<double>(Mat3::Identity()).norm(), 0);
  const Mat3 rotation = Eigen::AngleAxisd(2.1, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
  EXPECT_NEAR(material_.energy_density(rotation), 0, 1e-14 * youngs_modulus_);
  EXPECT_LT(material_.first_piola_stress<double>(rotation).norm(), 1e-14 * (material_.mu + material_.lambda) * 10);
}

TEST_P(Material, LameConstants) {
  const double E = youngs_modulus_, nu = poisson_ratio_;
  EXPECT_NEAR(material_.mu * 2 * (1 + nu), E, 1e-14 * E);
  // K = E / (3 (1 - 2 nu)) = lambda + 2 mu / 3
  EXPECT_NEAR((material_.lambda + 2 * material_.mu / 3) * 3 * (1 - 2 * nu), E, 1e-12 * E);
}

// A bar stretched by 1 + e with free sides: bisection for the lateral stretch that leaves them free of stress. The error of P/e against E is of first
// order in e, so two strains of opposite sign cancel it.
TEST_P(Material, SmallUniaxialStretchShowsYoungsModulusAndPoissonsRatio) {
  const double e = 1e-4;
  double modulus = 0, ratio = 0;
  for (const double strain : {e, -e}) {
    auto deformation = [&](double lateral) { return Mat3(Vec3(1 + strain, lateral, lateral).asDiagonal()); };
    double low = 1 - 2 * e, high = 1 + 2 * e;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      (material_.first_piola_stress<double>(deformation(middle))(1, 1) < 0 ? low : high) = middle;
    }
    modulus += 0.5 * material_.first_piola_stress<double>(deformation(low))(0, 0) / strain;
    ratio += 0.5 * (1 - low) / strain;
  }
  EXPECT_NEAR(modulus, youngs_modulus_, 1e-6 * youngs_modulus_);
  EXPECT_NEAR(ratio, poisson_ratio_, 1e-6);
}

// F = I + g e1 e2^T has J = 1, so W = mu g^2 / 2 and P = mu (F - F^-T) = mu g (e1 e2^T + e2 e1^T).
TEST_P(Material, SimpleShear) {
  const double g = 0.8;
  Mat3 F = Mat3::Identity(), expected = Mat3::Zero();
  F(0, 1) = g;
  expected(0, 1) = expected(1, 0) = material_.mu * g;
  EXPECT_NEAR(material_.energy_density(F), 0.5 * material_.mu * g * g, 1e-14 * youngs_modulus_);
  EXPECT_LT((material_.first_piola_stress<double>(F) - expected).norm(), 1e-14 * youngs_modulus_);
}

// F = s I: P = (mu (s - 1/s) + 3 lambda ln s / s) I.
TEST_P(Material, UniformDilation) {
  for (const double s : {0.5, 0.9, 1.3, 4.0}) {
    const double p = material_.mu * (s - 1 / s) + 3 * material_.lambda * std::log(s) / s;
    EXPECT_LT((material_.first_piola_stress<double>(s * Mat3::Identity()) - p * Mat3::Identity()).norm(), 1e-14 * (material_.mu + material_.lambda) * 10);
  }
}

// Richardson-extrapolated central differences of the energy.
TEST_P(Material, StressIsTheEnergysGradient) {
  std::mt19937 generator(5);
  for (int sample = 0; sample < 10; ++sample) {
    const Mat3 F = random_gradient(generator, 0.25), stress = material_.first_piola_stress<double>(F);
    Mat3 numerical;
    for (int i = 0; i < 9; ++i) {
      auto central = [&](double h) {
        Mat3 plus = F, minus = F;
        plus(i) += h, minus(i) -= h;
        return (material_.energy_density(plus) - material_.energy_density(minus)) / (2 * h);
      };
      numerical(i) = (4 * central(5e-4) - central(1e-3)) / 3;
    }
    EXPECT_LT((stress - numerical).norm(), 1e-8 * (material_.mu + material_.lambda));
  }
}

// W(R F) = W(F), P(R F) = R P(F); and isotropic: P(F R) = P(F) R.
TEST_P(Material, FrameIndifferentAndIsotropic) {
  std::mt19937 generator(6);
  const Mat3 R = Eigen::AngleAxisd(-1.1, Vec3(0.3, 1, 2).normalized()).toRotationMatrix();
  const Mat3 F = random_gradient(generator, 0.3);
  const Mat3 P = material_.first_piola_stress<double>(F);
  EXPECT_NEAR(material_.energy_density(R * F), material_.energy_density(F), 1e-12 * (material_.mu + material_.lambda));
  EXPECT_LT((material_.first_piola_stress<double>(R * F) - R * P).norm(), 1e-12 * (material_.mu + material_.lambda));
  EXPECT_LT((material_.first_piola_stress<double>(F * R) - P * R).norm(), 1e-12 * (material_.mu + material_.lambda));
}

TEST_P(Material, UndefinedWhereTurnedInsideOut) {
  for (const Vec3& stretch : {Vec3(-1, 1, 1), Vec3(0, 1, 1), Vec3(-2, -3, -0.1)}) {
    const Mat3 F = stretch.asDiagonal();
    EXPECT_FALSE(std::isfinite(material_.energy_density(F)));
    EXPECT_FALSE(material_.first_piola_stress<double>(F).allFinite());
  }
}

INSTANTIATE_TEST_SUITE_P(Rubbers, Material, testing::Values(std::pair(1e5, 0.0), std::pair(6e6, 0.3), std::pair(2e9, 0.45), std::pair(6e6, 0.4995)));

class SolidElementForces : public testing::Test {
 protected:
  const std::array<Vec3, 4> rest_ = {Vec3(0.1, 0, 0.2), Vec3(1.2, 0.1, 0), Vec3(0, 0.9, -0.1), Vec3(0.3, 0.2, 1.4)};
  const SolidElement element_{{0, 1, 2, 3}, rest_, NeoHookean::from_engineering(1e5, 0.4)};

  std::array<Vec3, 4> moved(double size) const {
    std::mt19937 generator(9);
    std::uniform_real_distribution<double> number(-size, size);
    std::array<Vec3, 4> x = rest_;
    for (Vec3& point : x) point += Vec3(number(generator), number(generator), number(generator));
    return x;
  }
  double energy(const std::array<Vec3, 4>& x) const {
    Mat3 shape;
    for (int a = 1; a < 4; ++a) shape.col(a - 1) = x[a] - x[0];
    return element_.volume * element_.material.energy_density(shape * element_.inverse_rest_shape);
  }
};

TEST_F(SolidElementForces, VolumeIsTheTetrahedrons) {
  const SolidElement unit({0, 1, 2, 3}, {Vec3::Zero(), 2 * Vec3::UnitX(), 3 * Vec3::UnitY(), 4 * Vec3::UnitZ()}, {});
  EXPECT_DOUBLE_EQ(unit.volume, 4);  // 2 * 3 * 4 / 6
}

TEST_F(SolidElementForces, SumToZeroWithoutTorque) {
  const auto x = moved(0.2);
  const auto f = elastic_forces<double>(element_, x);
  Vec3 sum = Vec3::Zero(), torque = Vec3::Zero();
  double scale = 0;
  for (int a = 0; a < 4; ++a) sum += f[a], torque += x[a].cross(f[a]), scale += f[a].norm();
  EXPECT_GT(scale, 1000);
  EXPECT_LT(sum.norm(), 1e-15 * scale);
  EXPECT_LT(torque.norm(), 1e-14 * scale);
}

TEST_F(SolidElementForces, VanishAfterARigidMotion) {
  const Mat3 R = Eigen::AngleAxisd(1.9, Vec3(1, 1, -3).normalized()).toRotationMatrix();
  std::array<Vec3, 4> x;
  for (int a = 0; a < 4; ++a) x[a] = R * rest_[a] + Vec3(5, -7, 2);
  for (const Vec3& f : elastic_forces<double>(element_, x)) EXPECT_LT(f.norm(), 1e-9);  // rounding of positions, 1e-15 m, times 1e5 Pa m
}

TEST_F(SolidElementForces, AreMinusTheEnergysGradient) {
  const auto x = moved(0.15);
  const auto f = elastic_forces<double>(element_, x);
  for (int a = 0; a < 4; ++a)
    for (int i = 0; i < 3; ++i) {
      auto central = [&](double h) {
        auto plus = x, minus = x;
        plus[a][i] += h, minus[a][i] -= h;
        return (energy(plus) - energy(minus)) / (2 * h);
      };
      EXPECT_NEAR(f[a][i], -(4 * central(5e-4) - central(1e-3)) / 3, 1e-3 * 1e-5 * 1e5);
    }
}

// Stretched by s along x with P = diag(P11, P22, P22): the face x = 1 of a corner tetrahedron carries P11 times a third of its area per vertex.
TEST_F(SolidElementForces, TractionOfAStretchedCornerTetrahedron) {
  const NeoHookean material = NeoHookean::from_engineering(1e5, 0.4);
  const SolidElement corner({0, 1, 2, 3}, {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()}, material);
  const double s = 1.25;
  const auto f = elastic_forces<double>(corner, {Vec3::Zero(), s * Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()});
  const double P11 = material.mu * (s - 1 / s) + material.lambda * std::log(s) / s, P22 = material.lambda * std::log(s);
  EXPECT_LT((f[1] - Vec3(-P11 / 6, 0, 0)).norm(), 1e-11 * P11);  // V grad N_1 = e_x / 6
  EXPECT_LT((f[2] - Vec3(0, -P22 / 6, 0)).norm(), 1e-11 * P11);
  EXPECT_LT((f[0] - Vec3(P11, P22, P22) / 6).norm(), 1e-11 * P11);
}

}  // namespace
}  // namespace traction
