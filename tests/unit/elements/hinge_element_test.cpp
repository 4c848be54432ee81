#include "elements/hinge_element.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "support/sheets.h"

namespace traction {
namespace {

using std::numbers::pi;
using test::at_rest;
using test::random_vector;

constexpr double kStiffness = 0.7;  // [N m]

// Two unequal triangles, their edge along x, the second turned down by `angle`: the normals, +z where flat, come apart as on a ridge.
std::array<Vec3, 4> folded(double angle) {
  return {Vec3(0, 0, 0), Vec3(1.1, 0, 0), Vec3(0.3, 0.9, 0), Vec3(0.7, -0.6 * std::cos(angle), -0.6 * std::sin(angle))};
}

std::array<Vec3, 4> shaken(std::array<Vec3, 4> x, unsigned seed, double size) {
  std::mt19937 generator(seed);
  for (Vec3& point : x) point += random_vector(generator, size);
  return x;
}

std::array<Vec3, 4> velocities(unsigned seed) { return shaken(at_rest(std::array<Vec3, 4>()), seed, 2); }

class Hinges : public testing::TestWithParam<double> {
 protected:
  const double rest_angle_ = GetParam();
  const HingeElement elastic_{{0, 1, 2, 3}, folded(rest_angle_), kStiffness, 0, false};
  const HingeElement viscous_{{0, 1, 2, 3}, folded(rest_angle_), kStiffness, 0.03, false};
};

TEST_P(Hinges, AngleIsThatOfTheNormalsAndPositiveOnRidges) {
  EXPECT_NEAR(DihedralAngle<double>(folded(rest_angle_)).angle, rest_angle_, 1e-15);
  EXPECT_NEAR(elastic_.rest_angle, rest_angle_, 1e-15);
  // The other triangle first, or the edge's ends exchanged with them.
  const auto x = folded(rest_angle_);
  EXPECT_NEAR(DihedralAngle<double>({x[1], x[0], x[3], x[2]}).angle, rest_angle_, 1e-15);
}

TEST_P(Hinges, StiffnessHasTheEdgeOverTheAreasAtRest) {
  EXPECT_NEAR(elastic_.stiffness, kStiffness * 1.1 * 1.1 / (0.5 * 1.1 * 0.9 + 0.5 * 1.1 * 0.6), 1e-15);
  for (const double angle : {-2.5, 0.4, 2.9})
    EXPECT_NEAR(elastic_.energy(folded(angle)), 0.5 * elastic_.stiffness * (angle - rest_angle_) * (angle - rest_angle_), 1e-14 * kStiffness);
}

TEST_P(Hinges, NoForceInTheRestShapeWhereverItIs) {
  const Mat3 R = Eigen::AngleAxisd(1.9, Vec3(1, 1, -3).normalized()).toRotationMatrix();
  auto x = folded(rest_angle_);
  for (Vec3& point : x) point = R * point + Vec3(5, -7, 2);
  for (const Vec3& f : elastic_.forces<double>(x, at_rest(x))) EXPECT_LT(f.norm(), 3e-14 * kStiffness);
}

TEST_P(Hinges, AreMinusTheEnergysGradient) {
  for (const double angle : {-2.0, 0.0, 1.0, 2.5})
    for (unsigned seed = 1; seed <= 4; ++seed) EXPECT_LT(test::difference_from_energy(elastic_, shaken(folded(angle), seed, 0.2), 1e-3), 1e-7) << angle;
}

TEST_P(Hinges, ForcesSumToZeroWithoutMoment) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const auto x = shaken(folded(1), seed, 0.2);
    const auto [force, moment, scale] = test::resultants(x, viscous_.forces<double>(x, velocities(seed + 10)));
    EXPECT_GT(scale, 0.1);
    EXPECT_LT(force, 1e-15 * scale);
    EXPECT_LT(moment, 2e-15 * scale);
  }
}

TEST_P(Hinges, NoViscosityInRigidVelocitiesWhereBent) {
  const auto x = shaken(folded(1), 3, 0.2);
  std::array<Vec3, 4> v;
  for (int a = 0; a < 4; ++a) v[a] = Vec3(3, -1, 2) + Vec3(0.4, 5, -2).cross(x[a]);
  const auto still = elastic_.forces<double>(x, v), moving = viscous_.forces<double>(x, v);
  for (int a = 0; a < 4; ++a) EXPECT_LT((moving[a] - still[a]).norm(), 1e-14 * kStiffness);
}

// Turned at the rate w about the edge from the angle t: the moment k (t - theta0 + beta w) about it.
TEST_P(Hinges, MomentAboutTheEdge) {
  const double w = 3;
  for (const double angle : {-1.0, 0.2, 2.0}) {
    const auto x = folded(angle);
    std::array<Vec3, 4> v = at_rest(x);
    v[3] = Vec3(w, 0, 0).cross(x[3]);
    const auto f = viscous_.forces<double>(x, v);
    EXPECT_NEAR(x[3].cross(f[3]).x(), -viscous_.stiffness * (angle - rest_angle_ + 0.03 * w), 1e-14);
    EXPECT_NEAR(x[2].cross(f[2]).x(), viscous_.stiffness * (angle - rest_angle_ + 0.03 * w), 1e-14);
  }
}

INSTANTIATE_TEST_SUITE_P(RestAngles, Hinges, testing::Values(-3.0, -0.8, 0.0, 1.2, 3.1));

TEST(Hinge, FlatAtRestOnDemand) {
  const HingeElement element({0, 1, 2, 3}, folded(1.2), kStiffness, 0, true);
  EXPECT_EQ(element.rest_angle, 0);
  EXPECT_NEAR(element.energy(folded(1.2)), 0.5 * element.stiffness * 1.2 * 1.2, 1e-14);
  EXPECT_EQ(element.stiffness, HingeElement({0, 1, 2, 3}, folded(1.2), kStiffness, 0, false).stiffness);
}

// A sharp crease resists being opened beyond flat all the more, though it would be nearer to its rest angle through the fold.
TEST(Hinge, SharpCreaseIsNotTakenThroughTheFold) {
  const HingeElement element({0, 1, 2, 3}, folded(3.0), kStiffness, 0, false);
  double last = 0;
  for (const double angle : {2.0, 0.5, -0.1, -0.2, -1.0, -3.0}) {
    const double energy = element.energy(folded(angle));
    EXPECT_GT(energy, last) << angle;
    last = energy;
  }
}

TEST(Hinge, UndefinedWithoutArea) {
  const HingeElement element({0, 1, 2, 3}, folded(0), kStiffness, 0, false);
  auto x = folded(0.3);
  x[2] = Vec3(0.4, 0, 0);
  EXPECT_FALSE(element.forces<double>(x, at_rest(x))[2].allFinite());
  x = folded(0.3);
  x[1] = x[0];
  EXPECT_FALSE(element.forces<double>(x, at_rest(x))[1].allFinite());
}

// A hinge of each orientation in a mesh that repeats itself: a plane bent evenly into a cylinder has the same energy in all of one orientation.
using Stencils = std::vector<std::array<Vec3, 4>>;

// Triangles of side h, two to the three of them, the first edge at `angle` to x.
Stencils equilateral(double h, double angle) {
  Stencils stencils;
  for (int k = 0; k < 3; ++k) {
    const double turn = angle + k * pi / 3;
    const Vec3 along(std::cos(turn), std::sin(turn), 0), across(-along.y(), along.x(), 0);
    stencils.push_back({-h / 2 * along, h / 2 * along, h * std::sqrt(0.75) * across, -h * std::sqrt(0.75) * across});
  }
  return stencils;
}

// Squares of side h halved along (1, 1), in a frame at `angle` to x.
Stencils right_angled(double h, double angle) {
  const Vec3 x(h * std::cos(angle), h * std::sin(angle), 0), y(-x.y(), x.x(), 0);
  Stencils stencils{{-x / 2, x / 2, x / 2 + y, -x / 2 - y}, {-y / 2, y / 2, -x - y / 2, x + y / 2}, {-(x + y) / 2, (x + y) / 2, (y - x) / 2, (x - y) / 2}};
  return stencils;
}

double energy_density(const Stencils& stencils, double area, const std::function<Vec3(const Vec3&)>& bend) {
  double total = 0;
  for (const auto& rest : stencils) {
    std::array<Vec3, 4> x;
    for (int a = 0; a < 4; ++a) x[a] = bend(rest[a]);
    total += HingeElement({0, 1, 2, 3}, rest, kStiffness, 0, false).energy(x);
  }
  return total / area;
}

constexpr double kRadius = 0.8;

Vec3 on_cylinder(const Vec3& x) { return {kRadius * std::sin(x.x() / kRadius), x.y(), kRadius * std::cos(x.x() / kRadius)}; }

// With an error of second order, or none: in rounding, and of hinges along and across the axis.
void expect_convergence(const std::function<double(double)>& density_of_side, double expected) {
  double last = 0;
  for (const double h : {0.08, 0.04, 0.02}) {
    const double error = density_of_side(h) / expected - 1;
    EXPECT_LT(std::abs(error), 0.2 * h * h);
    if (std::abs(last) > 1e-10) {
      EXPECT_NEAR(last / error, 4, 0.1);
    }
    last = error;
  }
}

TEST(Bending, CylindersOfEquilateralTrianglesOfAnyOrientation) {
  for (const double angle : {0.0, 0.2, 0.45, pi / 6, 1.3})
    expect_convergence([&](double h) { return energy_density(equilateral(h, angle), std::sqrt(0.75) * h * h, on_cylinder); },
                       0.5 * kStiffness / (kRadius * kRadius));
}

// The cylinder's curvature along x: in the squares' frame H = r^-1 n n^T with n at minus the frame's angle.
TEST(Bending, CylindersOfHalvedSquares) {
  const std::pair<double, double> excesses[] = {{0, 1}, {pi / 2, 1}, {pi / 4, 1}, {-pi / 4, 3}, {3 * pi / 4, 3}};
  for (const auto& [angle, excess] : excesses)
    expect_convergence([&](double h) { return energy_density(right_angled(h, angle), h * h, on_cylinder); }, excess * 0.5 * kStiffness / (kRadius * kRadius));
}

// Any curvatures: z = x H x / 2.
TEST(Bending, PlatesEnergyWithPoissonRatioOfMinusAThird) {
  const double h = 1e-3;
  for (const auto& [k1, k2] : {std::pair(1.0, 1.0), std::pair(1.0, -1.0), std::pair(0.7, -0.2), std::pair(0.0, 1.3)}) {
    const auto bend = [k1 = k1, k2 = k2](const Vec3& x) { return Vec3(x.x(), x.y(), 0.5 * (k1 * x.x() * x.x() + k2 * x.y() * x.y())); };
    for (const double angle : {0.0, 0.3}) {
      const double plate = 0.5 * kStiffness * ((k1 + k2) * (k1 + k2) - 2 * (1 + 1.0 / 3) * k1 * k2);
      EXPECT_NEAR(energy_density(equilateral(h, angle), std::sqrt(0.75) * h * h, bend), plate, 1e-5 * kStiffness);
      const double c = std::cos(angle), s = std::sin(angle);
      const double Hxx = k1 * c * c + k2 * s * s, Hyy = k1 * s * s + k2 * c * c, Hxy = (k2 - k1) * c * s;
      const double squares = 0.5 * kStiffness * ((Hxx + Hxy) * (Hxx + Hxy) + (Hyy + Hxy) * (Hyy + Hxy) + 4 * Hxy * Hxy);
      EXPECT_NEAR(energy_density(right_angled(h, angle), h * h, bend), squares, 1e-5 * kStiffness);
    }
  }
}

// A whole sphere: outward normals give positive angles. The mesh of an icosahedron isn't regular, so no energy is asked of it.
TEST(Bending, ConvexWithOutwardNormalsIsPositive) {
  const test::Sheet sheet = test::sphere(2);
  const auto hinges = test::hinges_of(sheet.triangles);
  EXPECT_EQ(hinges.size(), sheet.triangles.size() * 3 / 2);
  for (const auto& hinge : hinges) EXPECT_GT(DihedralAngle<double>(test::corners(sheet.vertices, hinge)).angle, 0.05);
}

}  // namespace
}  // namespace traction
