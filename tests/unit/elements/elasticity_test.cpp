#include "elements/elasticity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "elements/materials/neo_hookean.h"

namespace traction {
namespace {

class SolidElementForces : public testing::Test {
 protected:
  const std::array<Vec3, 4> rest_ = {Vec3(0.1, 0, 0.2), Vec3(1.2, 0.1, 0), Vec3(0, 0.9, -0.1), Vec3(0.3, 0.2, 1.4)};
  const SolidElement element_{{0, 1, 2, 3}, rest_};
  const NeoHookean<double> material_{LameParameters<double>::from_engineering(1e5, 0.4)};

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
    return element_.volume * material_.energy_density(Mat3(shape * element_.inverse_rest_shape));
  }
};

TEST_F(SolidElementForces, VolumeIsTheTetrahedrons) {
  const SolidElement unit({0, 1, 2, 3}, {Vec3::Zero(), 2 * Vec3::UnitX(), 3 * Vec3::UnitY(), 4 * Vec3::UnitZ()});
  EXPECT_DOUBLE_EQ(unit.volume, 4);  // 2 * 3 * 4 / 6
}

TEST_F(SolidElementForces, SumToZeroWithoutTorque) {
  const auto x = moved(0.2);
  const auto f = elastic_forces<double>(element_, material_, x);
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
  for (const Vec3& f : elastic_forces<double>(element_, material_, x)) EXPECT_LT(f.norm(), 1e-9);  // rounding of positions, 1e-15 m, times 1e5 Pa m
}

TEST_F(SolidElementForces, AreMinusTheEnergysGradient) {
  const auto x = moved(0.15);
  const auto f = elastic_forces<double>(element_, material_, x);
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
  const auto [lambda, mu] = material_.moduli;
  const SolidElement corner({0, 1, 2, 3}, {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()});
  const double s = 1.25;
  const auto f = elastic_forces<double>(corner, material_, {Vec3::Zero(), s * Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()});
  const double P11 = mu * (s - 1 / s) + lambda * std::log(s) / s, P22 = lambda * std::log(s);
  EXPECT_LT((f[1] - Vec3(-P11 / 6, 0, 0)).norm(), 1e-11 * P11);  // V grad N_1 = e_x / 6
  EXPECT_LT((f[2] - Vec3(0, -P22 / 6, 0)).norm(), 1e-11 * P11);
  EXPECT_LT((f[0] - Vec3(P11, P22, P22) / 6).norm(), 1e-11 * P11);
}

}  // namespace
}  // namespace traction
