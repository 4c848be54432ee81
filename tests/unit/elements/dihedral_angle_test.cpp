#include "elements/dihedral_angle.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/sheets.h"

namespace traction {
namespace {

using test::random_vector;

// Two unequal triangles, their edge along x, the second turned down by `angle`: the normals, +z where flat, come apart as on a ridge.
std::array<Vec3, 4> folded(double angle) {
  return {Vec3(0, 0, 0), Vec3(1.1, 0, 0), Vec3(0.3, 0.9, 0), Vec3(0.7, -0.6 * std::cos(angle), -0.6 * std::sin(angle))};
}

std::array<Vec3, 4> shaken(std::array<Vec3, 4> x, unsigned seed, double size) {
  std::mt19937 generator(seed);
  for (Vec3& point : x) point += random_vector(generator, size);
  return x;
}

TEST(DihedralAngles, AreThoseOfTheNormalsAndPositiveOnRidges) {
  for (const double angle : {-3.0, -0.8, 0.0, 1.2, 3.1}) {
    const auto x = folded(angle);
    EXPECT_NEAR(DihedralAngle<double>(x).angle, angle, 1e-15);
    // The other triangle first, or the edge's ends exchanged with them.
    EXPECT_NEAR(DihedralAngle<double>({x[1], x[0], x[3], x[2]}).angle, angle, 1e-15);
  }
}

TEST(DihedralAngles, GradientsAreThoseOfTheAngle) {
  for (const double angle : {-2.0, 0.0, 1.0, 2.5})
    for (unsigned seed = 1; seed <= 4; ++seed) {
      const auto x = shaken(folded(angle), seed, 0.2);
      const DihedralAngle<double> at(x);
      for (int a = 0; a < 4; ++a)
        for (int i = 0; i < 3; ++i) {
          const auto central = [&](double h) {
            auto plus = x, minus = x;
            plus[a][i] += h, minus[a][i] -= h;
            return (DihedralAngle<double>(plus).angle - DihedralAngle<double>(minus).angle) / (2 * h);
          };
          EXPECT_NEAR(at.gradients[a][i], (4 * central(5e-4) - central(1e-3)) / 3, 1e-8);
        }
      const auto [sum, moment, scale] = test::resultants(x, at.gradients);
      EXPECT_LT(sum, 1e-15 * scale);
      EXPECT_LT(moment, 2e-15 * scale);
    }
}

TEST(DihedralAngles, UndefinedWithoutArea) {
  auto x = folded(0.3);
  x[2] = Vec3(0.4, 0, 0);
  EXPECT_FALSE(DihedralAngle<double>(x).gradients[2].allFinite());
  x = folded(0.3);
  x[1] = x[0];
  EXPECT_FALSE(DihedralAngle<double>(x).gradients[1].allFinite());
}

// On a whole sphere outward normals give positive angles.
TEST(DihedralAngles, PositiveOnConvexBodiesWithOutwardNormals) {
  const test::Sheet sheet = test::sphere(2);
  const auto hinges = test::hinges_of(sheet.triangles);
  EXPECT_EQ(hinges.size(), sheet.triangles.size() * 3 / 2);
  for (const auto& hinge : hinges) EXPECT_GT(DihedralAngle<double>(test::corners(sheet.vertices, hinge)).angle, 0.05);
}

}  // namespace
}  // namespace traction
