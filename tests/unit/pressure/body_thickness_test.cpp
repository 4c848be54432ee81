// Thicknesses of bodies whose plates, rods and edges are known.

#include "pressure/body_thickness.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/pressure_bodies.h"

namespace traction {
namespace {

double thickness(const PressureField& field) {
  std::vector<std::array<int, 3>> outside;
  for (const auto& triangle : boundary_of(field.tetrahedra))
    if (field.extent[triangle[0]] == 0 && field.extent[triangle[1]] == 0 && field.extent[triangle[2]] == 0) outside.push_back(triangle);
  return thickness_under(field.vertices, outside);
}

TEST(BodyThickness, OfShapes) {
  const Mat3 turned = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const Vec3 center(0.3, -0.2, 0.1);
  EXPECT_NEAR(thickness(box_field(center, turned, Vec3(0.2, 0.3, 0.05))), 0.05, 1e-12);
  EXPECT_NEAR(thickness(sphere_field(center, 0.4, 3)), 0.8, 0.01);
  EXPECT_NEAR(thickness(cylinder_field(center, turned, 0.05, 0.6, 24)), 0.1, 0.002);
  EXPECT_NEAR(thickness(cylinder_field(center, turned, 0.4, 0.05, 24)), 0.05, 1e-12);
  EXPECT_TRUE(std::isinf(thickness_under({}, {})));
}

// An angle of two flanges, 1 thick and 8 wide: its box is 8 x 8 x 8, and its surface is met again after 1.
TEST(BodyThickness, OfAnAngleIsThatOfItsFlanges) {
  auto [vertices, tetrahedra] = test::Cubes({8, 8, 8}, 1, [](int x, int y, int) { return x == 0 || y == 0; });
  const Mat3 turned = Eigen::AngleAxisd(1.1, Vec3(3, 1, 2).normalized()).toRotationMatrix();
  for (Vec3& x : vertices) x = turned * x;
  EXPECT_NEAR(thickness_under(vertices, boundary_of(tetrahedra)), 1, 1e-9);
}

// A wedge with two edges of 45 degrees, 1 long, 1 high at its back and 0.4 wide: its area is 1 + 0.4 (2 + sqrt(2)) = 2.366, of which 1.6 t lies beside these
// edges on a thickness less than t. A twentieth of the area has t = 0.074, known to a third of a cell.
TEST(BodyThickness, CountsSharpEdgesLittle) {
  auto [vertices, tetrahedra] = test::Cubes({20, 8, 20}, 0.05, [](int, int, int) { return true; });
  for (Vec3& x : vertices) x.z() *= x.x() + 1e-6;
  EXPECT_NEAR(thickness_under(vertices, boundary_of(tetrahedra)), 0.074, 0.017);
}

}  // namespace
}  // namespace traction
