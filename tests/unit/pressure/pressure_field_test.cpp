// Fields of shapes and meshes: their volumes, their values, and what is refused.

#include "pressure/pressure_field.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "errors.h"
#include "support/pressure_bodies.h"

namespace traction {
namespace {

double volume(const PressureField& field) {
  double sum = 0;
  for (const auto& [a, b, c, d] : field.tetrahedra) {
    const Vec3& o = field.vertices[a];
    const double part = (field.vertices[b] - o).cross(field.vertices[c] - o).dot(field.vertices[d] - o) / 6;
    EXPECT_GT(part, 0);
    sum += part;
  }
  return sum;
}

// The boundary's normals point outward; pressure is zero there and nowhere else. Flat faces inside a shape may be divided in two ways, and then count as
// boundary.
void expect_valid(const PressureField& field, bool conforming = true) {
  std::vector<char> outside(field.vertices.size(), 0);
  double enclosed = 0;
  for (const auto& [a, b, c] : boundary_of(field.tetrahedra)) {
    outside[a] = outside[b] = outside[c] = 1;
    enclosed += field.vertices[a].cross(field.vertices[b]).dot(field.vertices[c]) / 6;
  }
  EXPECT_NEAR(enclosed, volume(field), 1e-12 * enclosed);
  for (std::size_t v = 0; v < field.vertices.size(); ++v) {
    if (!outside[v]) {
      EXPECT_GT(field.extent[v], 0);
    } else if (conforming) {
      EXPECT_EQ(field.extent[v], 0);
    }
    EXPECT_LE(field.extent[v], 1 + 1e-12);
  }
}

TEST(PressureField, ShapesFillTheirVolume) {
  const Mat3 turned = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const Vec3 center(0.3, -0.2, 0.1);
  const PressureField sphere = sphere_field(center, 0.4, 2);
  expect_valid(sphere);
  EXPECT_EQ(sphere.tetrahedra.size(), 320u);
  EXPECT_NEAR(volume(sphere), 4 * EIGEN_PI / 3 * std::pow(0.4, 3), 1e-12);
  const PressureField cube = box_field(center, turned, Vec3::Constant(0.1));
  expect_valid(cube);
  EXPECT_EQ(cube.tetrahedra.size(), 12u);
  EXPECT_NEAR(volume(cube), 1e-3, 1e-15);
  for (const Vec3& size : {Vec3(0.2, 0.3, 0.4), Vec3(0.4, 0.2, 0.2), Vec3(0.1, 0.4, 0.4)}) {
    const PressureField box = box_field(center, turned, size);
    expect_valid(box);
    EXPECT_NEAR(volume(box), size.prod(), 1e-14);
  }
  for (const double length : {0.3, 0.8, 1.5}) {
    const PressureField cylinder = cylinder_field(center, turned, 0.4, length, 24);
    expect_valid(cylinder, false);
    EXPECT_NEAR(volume(cylinder), EIGEN_PI * 0.16 * length, 1e-12);
  }
  const PressureField capsule = capsule_field(center, turned, 0.4, 0.5, 24);
  expect_valid(capsule);
  EXPECT_NEAR(volume(capsule), EIGEN_PI * 0.16 * (0.5 + 4 * 0.4 / 3), 1e-11);
}

// In every tetrahedron of a box the extent is the distance from the nearest face over half the shortest edge.
TEST(PressureField, OfABoxIsTheDistanceFromItsFaces) {
  const Vec3 size(0.2, 0.3, 0.4);
  const PressureField box = box_field(Vec3::Zero(), Mat3::Identity(), size);
  for (const auto& t : box.tetrahedra) {
    Vec3 center = Vec3::Zero();
    double extent = 0;
    for (const int v : t) {
      center += box.vertices[v] / 4;
      extent += box.extent[v] / 4;
    }
    EXPECT_NEAR(extent, (size / 2 - center.cwiseAbs()).minCoeff() / 0.1, 1e-12);
  }
}

// At vertices that are neither given nor on the boundary the fluxes of the gradients cancel.
TEST(PressureField, OfAMeshSolvesLaplacesEquation) {
  const PressureField body = test::bent_body(1, 3, 4);
  expect_valid(body);
  std::map<int, double> flux;
  for (const auto& t : body.tetrahedra) {
    const CarryingFrame<double> frame({body.vertices[t[0]], body.vertices[t[1]], body.vertices[t[2]], body.vertices[t[3]]});
    const std::array<Vec3, 4> gradients{-frame.gradients[0] - frame.gradients[1] - frame.gradients[2], frame.gradients[0], frame.gradients[1],
                                        frame.gradients[2]};
    Vec3 slope = Vec3::Zero();
    for (int i = 0; i < 4; ++i) slope += body.extent[t[i]] * gradients[i];
    for (int i = 0; i < 4; ++i) flux[t[i]] += frame.determinant / 6 * slope.dot(gradients[i]);
  }
  int solved = 0;
  for (const auto& [vertex, sum] : flux)
    if (body.extent[vertex] > 0 && body.extent[vertex] < 1 && std::abs(sum) < 1e-12) ++solved;
  EXPECT_GT(solved, 5);
}

// A hammer: a head of 6 x 6 x 6 cubes of edge 1, whose middle is 3 deep, and a handle of 2 x 2 x 18, whose middle is 1 deep. The field is 1 at a depth of
// 0.9 x 3, so in the middle of the handle it is 1 / 2.7. Laplace's equation alone would make it fall by e every 0.45 along the handle.
TEST(PressureField, OfAMeshDoesNotVanishInThinParts) {
  const auto [vertices, tetrahedra] = test::Cubes({6, 6, 24}, 1, [](int x, int y, int z) { return z < 6 || (x >= 2 && x < 4 && y >= 2 && y < 4); });
  const PressureField hammer = laplace_field(vertices, tetrahedra, 0.9);
  expect_valid(hammer);
  int along = 0;
  for (std::size_t v = 0; v < hammer.vertices.size(); ++v)
    if (const Vec3& x = hammer.vertices[v]; x.x() == 3 && x.y() == 3 && x.z() > 7 && x.z() < 24) {
      ++along;
      EXPECT_DOUBLE_EQ(hammer.extent[v], 1 / 2.7) << x.z();
    } else if (x == Vec3(3, 3, 3)) {
      EXPECT_EQ(hammer.extent[v], 1);
    }
  EXPECT_EQ(along, 16);
}

TEST(PressureField, RefusesFieldsThatAreNotPositive) {
  EXPECT_THROW(laplace_field({}, {}, 0.5), InputError);
  // A tetrahedron without inner vertices gets one.
  const PressureField one = laplace_field({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}, {{0, 1, 2, 3}}, 0.5);
  EXPECT_EQ(one.tetrahedra.size(), 4u);
  EXPECT_EQ(one.extent.back(), 1);
}

}  // namespace
}  // namespace traction
