// Distances and normals known in closed form, and every normal against the gradient by dual numbers.

#include "contact/gap_functions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace traction {
namespace {

GapSample<double> sample(const GapFunction& surface, const Vec3& x) {
  return std::visit([&](const auto& shape) { return shape(x); }, surface);
}

GapFunction only(const decltype(Obstacle::shape)& shape) {
  Obstacle surface;
  surface.shape = shape;
  const auto functions = gap_functions(surface);
  EXPECT_EQ(functions.size(), 1u);
  return functions.front();
}

void expect_sample(const GapFunction& surface, const Vec3& x, double gap, const Vec3& normal) {
  const GapSample<double> actual = sample(surface, x);
  EXPECT_NEAR(actual.gap, gap, 1e-14) << x.transpose();
  EXPECT_LT((actual.normal - normal).norm(), 1e-14) << x.transpose();
}

// The gap's gradient is the normal, has unit length, and the normal's derivative along itself vanishes, as for any distance function.
void expect_normal_is_gradient(const GapFunction& surface, const Vec3& x) {
  using Dual3 = Dual<double, 3>;
  Vector3<Dual3> seeded;
  for (int i = 0; i < 3; ++i) {
    seeded[i] = Dual3(x[i]);
    seeded[i].derivative[i] = 1;
  }
  const GapSample<Dual3> actual = std::visit([&](const auto& shape) { return shape(seeded); }, surface);
  Vec3 normal, gradient;
  Mat3 hessian;
  for (int i = 0; i < 3; ++i) {
    normal[i] = actual.normal[i].value;
    gradient[i] = actual.gap.derivative[i];
    for (int j = 0; j < 3; ++j) hessian(i, j) = actual.normal[i].derivative[j];
  }
  EXPECT_LT((normal - gradient).norm(), 1e-14) << x.transpose();
  EXPECT_NEAR(normal.norm(), 1, 1e-14) << x.transpose();
  EXPECT_LT((hessian - hessian.transpose()).norm(), 1e-12 * (1 + hessian.norm())) << x.transpose();
  EXPECT_LT((hessian * normal).norm(), 1e-12 * (1 + hessian.norm())) << x.transpose();
  EXPECT_NEAR(actual.gap.value, sample(surface, x).gap, 1e-14) << x.transpose();
}

void expect_normals_are_gradients(const GapFunction& surface) {
  std::mt19937 generator(11);
  std::uniform_real_distribution<double> coordinate(-3, 3);
  for (int i = 0; i < 200; ++i) expect_normal_is_gradient(surface, Vec3(coordinate(generator), coordinate(generator), coordinate(generator)));
}

TEST(PlaneGap, SignedDistance) {
  const Vec3 normal(2.0 / 3, -1.0 / 3, 2.0 / 3), point(1, 0, -1);
  const GapFunction plane = only(PlaneSettings{point, normal});
  expect_sample(plane, point, 0, normal);
  expect_sample(plane, point + 0.75 * normal, 0.75, normal);
  expect_sample(plane, point - 2 * normal + Vec3(1, 2, 0), -2, normal);  // (1, 2, 0) lies in the plane
  expect_normals_are_gradients(plane);
}

TEST(SphereGap, OutsideAndInside) {
  const Vec3 center(0.5, -1, 2);
  const GapFunction outside = only(SphereSettings{center, 1.5, false}), inside = only(SphereSettings{center, 1.5, true});
  const Vec3 direction(2.0 / 7, 3.0 / 7, -6.0 / 7);
  for (const double distance : {0.2, 1.5, 4.0}) {
    expect_sample(outside, center + distance * direction, distance - 1.5, direction);
    expect_sample(inside, center + distance * direction, 1.5 - distance, -direction);
  }
  expect_normals_are_gradients(outside);
  expect_normals_are_gradients(inside);
}

// No direction is outward at the centre; what counts is a finite unit normal.
TEST(SphereGap, CentreIsFinite) {
  const Vec3 center(0.5, -1, 2);
  for (const bool inside : {false, true}) {
    const GapSample<double> at = sample(only(SphereSettings{center, 1.5, inside}), center);
    EXPECT_EQ(at.gap, inside ? 1.5 : -1.5);
    EXPECT_EQ(at.normal.norm(), 1);
  }
}

TEST(CylinderGap, OutsideAndInside) {
  const Vec3 axis(0.6, 0, 0.8), point(1, 1, 1);
  const Vec3 radial = Vec3(0.8, 0, -0.6) * 0.6 + Vec3(0, 0.8, 0);  // unit length, normal to the axis
  const GapFunction outside = only(CylinderSettings{point, axis, 0.4, false}), inside = only(CylinderSettings{point, axis, 0.4, true});
  for (const double along : {-7.0, 0.0, 2.5})
    for (const double distance : {0.1, 0.4, 3.0}) {
      expect_sample(outside, point + along * axis + distance * radial, distance - 0.4, radial);
      expect_sample(inside, point + along * axis + distance * radial, 0.4 - distance, -radial);
    }
  expect_normals_are_gradients(outside);
  expect_normals_are_gradients(inside);
}

class BoxOutside : public testing::Test {
 protected:
  // From (-1, -0.5, 0) to (1, 1.5, 0.6).
  const GapFunction box_ = only(BoxSettings{Vec3(-1, -0.5, 0), Vec3(1, 1.5, 0.6), false});
};

TEST_F(BoxOutside, BeforeAFace) {
  expect_sample(box_, Vec3(1.3, 0.2, 0.1), 0.3, Vec3::UnitX());
  expect_sample(box_, Vec3(-1.7, 0.2, 0.5), 0.7, -Vec3::UnitX());
  expect_sample(box_, Vec3(0.5, 2.5, 0.3), 1, Vec3::UnitY());
  expect_sample(box_, Vec3(0.5, -0.9, 0.3), 0.4, -Vec3::UnitY());
  expect_sample(box_, Vec3(0.2, 1.2, 0.9), 0.3, Vec3::UnitZ());
  expect_sample(box_, Vec3(0.2, 1.2, -2), 2, -Vec3::UnitZ());
}

// 3-4-5 triangles from the nearest edge.
TEST_F(BoxOutside, BeforeAnEdge) {
  expect_sample(box_, Vec3(1.3, 1.9, 0.2), 0.5, Vec3(0.6, 0.8, 0));
  expect_sample(box_, Vec3(-1.3, 0.4, -0.4), 0.5, Vec3(-0.6, 0, -0.8));
  expect_sample(box_, Vec3(0.1, -0.8, 1.0), 0.5, Vec3(0, -0.6, 0.8));
}

// (2, 3, 6)/7 from the nearest corner.
TEST_F(BoxOutside, BeforeACorner) {
  expect_sample(box_, Vec3(1.2, 1.8, 1.2), 0.7, Vec3(2, 3, 6) / 7);
  expect_sample(box_, Vec3(-1.6, -0.8, -0.2), 0.7, Vec3(-6, -3, -2) / 7);
}

// Inside the nearest face counts.
TEST_F(BoxOutside, Inside) {
  expect_sample(box_, Vec3(0.9, 0.3, 0.3), -0.1, Vec3::UnitX());
  expect_sample(box_, Vec3(0, 0.5, 0.05), -0.05, -Vec3::UnitZ());
  expect_sample(box_, Vec3(0, -0.3, 0.3), -0.2, -Vec3::UnitY());
}

TEST_F(BoxOutside, OnAFace) { expect_sample(box_, Vec3(1, 0.3, 0.3), 0, Vec3::UnitX()); }

TEST_F(BoxOutside, NormalsAreGradients) { expect_normals_are_gradients(box_); }

// The distance to a convex body is the largest lower bound by points of it: a dense search over the surface must find nothing nearer.
TEST_F(BoxOutside, NothingOnTheSurfaceIsNearer) {
  const Vec3 lower(-1, -0.5, 0), upper(1, 1.5, 0.6);
  for (const Vec3& x : {Vec3(1.3, 1.9, 0.2), Vec3(1.2, 1.8, 1.2), Vec3(1.3, 0.2, 0.1)}) {
    double nearest = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= 40; ++i)
      for (int j = 0; j <= 40; ++j)
        for (int k = 0; k <= 40; ++k) nearest = std::min(nearest, (lower + (upper - lower).cwiseProduct(Vec3(i, j, k) / 40.0) - x).norm());
    EXPECT_LE(sample(box_, x).gap, nearest + 1e-14);
    EXPECT_GT(sample(box_, x).gap, nearest - 0.05);
  }
}

TEST(BoxInside, IsSixPlanesThatFaceInwards) {
  const Vec3 lower(-1, -0.5, 0), upper(1, 1.5, 0.6), x(0.25, 1, 0.5);
  Obstacle surface;
  surface.shape = BoxSettings{lower, upper, true};
  const auto walls = gap_functions(surface);
  ASSERT_EQ(walls.size(), 6u);
  std::array<double, 6> gaps{};
  Vec3 normals = Vec3::Zero();
  for (int i = 0; i < 6; ++i) {
    const GapSample<double> wall = sample(walls[i], x);
    gaps[i] = wall.gap;
    normals += wall.normal;
    EXPECT_EQ(wall.normal.norm(), 1);
    expect_normal_is_gradient(walls[i], x);
    EXPECT_NEAR(sample(walls[i], x + 0.01 * wall.normal).gap, wall.gap + 0.01, 1e-15);
  }
  std::sort(gaps.begin(), gaps.end());
  const double expected[6] = {0.1, 0.5, 0.5, 0.75, 1.25, 1.5};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(gaps[i], expected[i], 1e-15);
  EXPECT_EQ(normals.norm(), 0);
}

}  // namespace
}  // namespace traction
