// The energy that a triangle stores, computed from the angles of the patch around it, against that of a plate with known curvature.

#include "elements/shell_curvature.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "elements/dihedral_angle.h"
#include "support/sheets.h"

namespace traction {
namespace {

constexpr double kStiffness = 0.7;  // [N m]

// Twelve points of the plane z = 0: the corners of a triangle, the apexes of its neighbours, and for each neighbour the two beyond.
struct Points {
  std::array<Vec3, 12> rest;

  // A grid of equilateral triangles of side h, moved by up to `disorder` h.
  Points(double h, double disorder, unsigned seed, double turn = 0) {
    const Vec3 a(h, 0, 0), b(h / 2, h * std::sqrt(0.75), 0), corner = Vec3(0.3 * h, -0.2 * h, 0);
    rest = {corner,     corner + a,         corner + b,     corner + a - b, corner + a + b,     corner + b - a,
            corner - b, corner + 2 * a - b, corner + 2 * a, corner + 2 * b, corner + 2 * b - a, corner - a};
    std::mt19937 generator(seed);
    for (Vec3& x : rest) {
      Vec3 shift = test::random_vector(generator, disorder * h);
      shift.z() = 0;
      x = Eigen::AngleAxisd(turn, Vec3::UnitZ()) * Vec3(x + shift);
    }
  }
  // The triangle's edge i, and the edges beyond it from its first corner and to its second, as DihedralAngle has them.
  static std::array<int, 4> own(int i) { return {i, (i + 1) % 3, (i + 2) % 3, 3 + i}; }
  static std::array<int, 4> beyond(int i, int side) {
    const int a = i, b = (i + 1) % 3, apex = 3 + i;
    return side == 0 ? std::array{a, apex, b, 6 + 2 * i} : std::array{apex, b, a, 7 + 2 * i};
  }
  ShellPatch patch(const Plate& plate, const Plate& others) const {
    ShellPatch patch{{rest[0], rest[1], rest[2]}, plate, {}};
    for (int i = 0; i < 3; ++i)
      patch.neighbours[i] =
          ShellPatch::Neighbour{{rest[3 + i], i, 1}, others, {PatchEdge{rest[6 + 2 * i], 3 + 2 * i, 1}, PatchEdge{rest[7 + 2 * i], 4 + 2 * i, 1}}};
    return patch;
  }
  ShellPatch patch(double poisson_ratio) const { return patch({kStiffness, poisson_ratio}, {kStiffness, poisson_ratio}); }
  Eigen::Matrix<double, ShellPatch::kAngles, 1> angles(const std::function<Vec3(const Vec3&)>& bend) const {
    std::array<Vec3, 12> x;
    for (int a = 0; a < 12; ++a) x[a] = bend(rest[a]);
    const auto angle = [&](const std::array<int, 4>& hinge) { return DihedralAngle<double>({x[hinge[0]], x[hinge[1]], x[hinge[2]], x[hinge[3]]}).angle; };
    Eigen::Matrix<double, ShellPatch::kAngles, 1> result;
    for (int i = 0; i < 3; ++i) result[i] = angle(own(i)), result[3 + 2 * i] = angle(beyond(i, 0)), result[4 + 2 * i] = angle(beyond(i, 1));
    return result;
  }
  double area() const { return (rest[1] - rest[0]).cross(rest[2] - rest[0]).norm() / 2; }
  double density(const ShellPatch& patch, const std::function<Vec3(const Vec3&)>& bend) const {  // [J/m^2]
    return 0.5 * (bending_strains(patch) * angles(bend)).squaredNorm() / area();
  }
};

struct Curvature {
  double xx, yy, xy;
  double density(double nu) const { return 0.5 * kStiffness * ((xx + yy) * (xx + yy) - 2 * (1 - nu) * (xx * yy - xy * xy)); }
  Vec3 operator()(const Vec3& x) const {
    constexpr double kSmall = 1e-5;  // angles are small
    return {x.x(), x.y(), kSmall / 2 * (xx * x.x() * x.x() + 2 * xy * x.x() * x.y() + yy * x.y() * x.y())};
  }
  static double scale() { return 1e-10; }
};

// Koiter's energy in plane stress of any curvature and Poisson's ratio. On equilateral triangles the neighbours' shares are exact without the other angles.
TEST(ShellCurvature, StoresThePlatesEnergyOfParabolas) {
  for (const Curvature& curvature : {Curvature{1, 0, 0}, Curvature{0, 1, 0}, Curvature{0.4, 0.4, 0}, Curvature{0, 0, 1}, Curvature{1, -0.7, 0.3}})
    for (const double nu : {-0.2, 0.0, 0.3, 0.5}) {
      const double expected = curvature.density(nu) * Curvature::scale();
      for (const double turn : {0.0, 0.4}) {
        const Points regular(1, 0, 1, turn);
        EXPECT_NEAR(regular.density(regular.patch(nu), curvature), expected, 1e-7 * expected);
      }
      for (unsigned seed = 1; seed <= 20; ++seed) {
        const Points irregular(1, 0.25, seed);
        EXPECT_NEAR(irregular.density(irregular.patch(nu), curvature), expected, 0.02 * expected) << seed;
      }
    }
}

// Half of each angle to either side would give wrong results on the same patches, which shows that irregular patches distinguish the two formulas.
TEST(ShellCurvature, NeedsTheAnglesOfTheNeighbours) {
  double worst = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Points points(1, 0.25, seed);
    ShellPatch patch = points.patch(0.3);
    for (auto& neighbour : patch.neighbours) neighbour->plate.poisson_ratio = 0.31;  // between unlike plates an angle is only shared
    const Curvature curvature{1, -0.7, 0.3};
    worst = std::max(worst, std::abs(points.density(patch, curvature) / (curvature.density(0.3) * Curvature::scale()) - 1));
  }
  EXPECT_GT(worst, 0.3);
}

constexpr double kRadius = 0.8;
Vec3 on_cylinder(const Vec3& x) { return {kRadius * std::sin(x.x() / kRadius), x.y(), kRadius * std::cos(x.x() / kRadius)}; }

// The error is of second order on equilateral triangles, in any orientation.
TEST(ShellCurvature, StoresTheEnergyOfCylinders) {
  const double expected = 0.5 * kStiffness / (kRadius * kRadius);
  for (const double turn : {0.0, 0.2, 0.45, std::numbers::pi / 6, 1.3})
    for (const double h : {0.08, 0.04, 0.02}) {
      const Points points(h, 0, 1, turn);
      EXPECT_NEAR(points.density(points.patch(0.3), on_cylinder), expected, 1.5 * h * h * expected) << turn;
    }
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Points points(0.02, 0.25, seed);
    EXPECT_NEAR(points.density(points.patch(0.3), on_cylinder), expected, 0.02 * expected);
  }
}

// A parabola without a moment across the free edge of the triangle, which lies along x: k_yy = -nu k_xx.
TEST(ShellCurvature, FreeEdgesBearNoMoment) {
  const double nu = 0.4;
  const Curvature curvature{1, -nu, 0.25};
  const Points points(1, 0, 1);
  ShellPatch patch = points.patch(nu);
  patch.neighbours[0].reset();
  EXPECT_NEAR(points.density(patch, curvature), curvature.density(nu) * Curvature::scale(), 0.02 * curvature.density(nu) * Curvature::scale());
  // Bent across that edge only, the triangle stores no more energy than the corners of its other two edges cause.
  ShellPatch alone = patch;
  alone.neighbours[1].reset(), alone.neighbours[2].reset();
  EXPECT_EQ(points.density(alone, curvature), 0);
}

// A triangle with the angle 0 at its first edge, and beyond the two others triangles that are clamped, at angles that do not change: all of its curvature is
// across the first edge.
ShellPatch held_at_two_edges(const std::array<Vec3, 3>& corners, const Vec3& apex, const Plate& plate, const Plate& other) {
  ShellPatch patch{corners, plate, {}};
  patch.neighbours[0] = ShellPatch::Neighbour{{apex, 0, 1}, other, {}};
  for (int i : {1, 2}) patch.neighbours[i] = ShellPatch::Neighbour{{corners[i] + corners[(i + 1) % 3] - corners[(i + 2) % 3], i, 1}, {kStiffness, 0, true}, {}};
  return patch;
}

// Turned about their edge by t, two triangles have the same moment m: t = m (A1/B1 + A2/B2)/l^2.
TEST(ShellCurvature, UnlikePlatesShareAnAngleByTheirCompliance) {
  const auto x = Points(1, 0.2, 3).rest;
  const double own = 0.7, other = 2.1, turn = 1e-3, length = (x[1] - x[0]).norm();
  const double own_area = (x[1] - x[0]).cross(x[2] - x[0]).norm() / 2, other_area = (x[1] - x[0]).cross(x[3] - x[0]).norm() / 2;
  double energy = 0;
  for (const ShellPatch& patch :
       {held_at_two_edges({x[0], x[1], x[2]}, x[3], {own, 0}, {other, 0}), held_at_two_edges({x[1], x[0], x[3]}, x[2], {other, 0}, {own, 0})})
    energy += 0.5 * (bending_strains(patch).col(0) * turn).squaredNorm();
  const double expected = 0.5 * length * length / (own_area / own + other_area / other) * turn * turn;
  EXPECT_NEAR(energy, expected, 1e-12 * expected);
}

// Beside a clamp the free triangle has the whole angle, and the clamped one none.
TEST(ShellCurvature, ClampedTrianglesLeaveAnglesToTheirNeighbours) {
  const Points points(1, 0.2, 4);
  const auto& x = points.rest;
  const double turn = 1e-3, length = (x[1] - x[0]).norm(), expected = 0.5 * kStiffness * length * length / points.area() * turn * turn;
  const ShellPatch free = held_at_two_edges({x[0], x[1], x[2]}, x[3], {kStiffness, 0}, {kStiffness, 0, true});
  EXPECT_NEAR(0.5 * (bending_strains(free).col(0) * turn).squaredNorm(), expected, 1e-12 * expected);
  const ShellPatch clamped = held_at_two_edges({x[0], x[1], x[2]}, x[3], {kStiffness, 0, true}, {kStiffness, 0});
  EXPECT_LT(bending_strains(clamped).col(0).norm(), 1e-12);
}

}  // namespace
}  // namespace traction
