// The implicit surface of a mesh against closed forms, central differences and rigid motion.

#include "contact/implicit_surface.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "support/bumpy_patch.h"

namespace traction {
namespace {

using test::bumpy_patch;
using test::zero_corners;

constexpr ImplicitSurface kSurface{0.9, 1e-3, 0.6, 0.4};

double gap_at(const Vec3& x, const std::vector<Corners<double>>& triangles, bool has_rim = false) {
  return ImplicitSurfaceSample<double>(kSurface, x, triangles, has_rim).gap();
}

template <typename Change>
double central(Change gap_after, double h) {
  const double coarse = (gap_after(h) - gap_after(-h)) / (2 * h), fine = (gap_after(h / 2) - gap_after(-h / 2)) / h;
  return (4 * fine - coarse) / 3;
}

TEST(ImplicitSurface, WeightIsOneAtTheCentroidAndNothingAtItsReach) {
  for (const double interpolation : {1e-5, 1e-3, 0.1}) {
    const ImplicitSurface surface{2, interpolation, 1, 0.1};
    EXPECT_NEAR(surface.weight(0.0), 1, 1e-12);
    EXPECT_NEAR(surface.weight(1.0), 0, 1e-15);
    EXPECT_NEAR(surface.weight_slope(0.25), central([&](double h) { return surface.weight(0.25 + h); }, 1e-3), 1e-6 * std::abs(surface.weight_slope(0.25)));
    EXPECT_NEAR(surface.fade_slope(0.6), central([&](double h) { return surface.fade(0.6 + h); }, 1e-3), 1e-9);
    EXPECT_EQ(surface.fade(0.25), 1);
    // The published weight 1 / (t + epsilon)^2, less its Taylor polynomial of second order at t = 1.
    const auto published = [&](double t) {
      const double a = 1 + interpolation, u = 1 - t;
      return std::pow(t + interpolation, -2) - std::pow(a, -2) - 2 * u * std::pow(a, -3) - 3 * u * u * std::pow(a, -4);
    };
    EXPECT_NEAR(surface.weight(0.3), published(0.3) / published(0), 1e-12 * surface.weight(0.3));
    for (const double u : {1e-3, 1e-5}) EXPECT_NEAR(surface.weight(1 - u) / (4 * u * u * u * std::pow(1 + interpolation, -5) / published(0)), 1, 1.5 * u);
  }
}

// Across the rim, and where triangles come within reach of a point above the middle: no jumps in gap and gradient.
void expect_continuous(bool has_rim) {
  const auto triangles = bumpy_patch();
  const Vec3 start(0.1, 0.05, 0.12), way(1.9, 1.1, 0.1);
  constexpr int kPoints = 40000;
  double last_gap = gap_at(start, triangles, has_rim), largest_gap_step = 0, largest_normal_step = 0;
  Vec3 last_gradient = ImplicitSurfaceSample<double>(kSurface, start, triangles, has_rim).gradient();
  for (int i = 1; i <= kPoints; ++i) {
    const ImplicitSurfaceSample<double> sample(kSurface, start + double(i) / kPoints * way, triangles, has_rim);
    const double gap = sample.within_reach() ? sample.gap() : kSurface.rim_gap;
    const Vec3 gradient = sample.within_reach() ? sample.gradient() : Vec3::Zero();
    largest_gap_step = std::max(largest_gap_step, std::abs(gap - last_gap));
    largest_normal_step = std::max(largest_normal_step, (gradient - last_gradient).norm());
    last_gap = gap;
    last_gradient = gradient;
  }
  EXPECT_EQ(last_gap, kSurface.rim_gap);  // it has left the surface
  EXPECT_LT(largest_gap_step, 10.0 / kPoints);
  EXPECT_LT(largest_normal_step, 200.0 / kPoints);
}

TEST(ImplicitSurface, GapAndGradientAreContinuous) {
  expect_continuous(false);
  expect_continuous(true);
}

TEST(SurfaceRim, IsTheEdgesOfOneTriangle) {
  // Two triangles on each side of an inner vertex, and a fin on an edge between them, whose edge then belongs to three.
  const std::vector<std::array<int, 3>> triangles{{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}, {0, 4, 5}};
  EXPECT_EQ(rim_vertices(triangles, 7), (std::vector<char>{1, 1, 1, 1, 1, 1, 0}));
  EXPECT_EQ(rim_vertices({triangles.begin(), triangles.begin() + 4}, 5), (std::vector<char>{1, 1, 1, 1, 0}));
  EXPECT_EQ(rim_vertices({{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}, 4), (std::vector<char>{0, 0, 0, 0}));  // closed
}

// A flat open surface acts over its triangles as its plane, also at a corner that points inwards; past its rim it fades over rim_gap, and ends.
TEST(SurfaceRim, EndsAtTheTriangles) {
  constexpr ImplicitSurface surface{0.9, 1e-3, 0.7, 0.05};
  std::vector<Corners<double>> triangles;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      if (i > 1 && j > 1) continue;  // an L
      const Vec3 a(i, j, 0), b(i + 1, j, 0), c(i + 1, j + 1, 0), d(i, j + 1, 0);
      for (const Corners<double>& triangle : {Corners<double>{a, b, c}, Corners<double>{a, c, d}})
        triangles.push_back({triangle[0] * 0.5, triangle[1] * 0.5, triangle[2] * 0.5});
    }
  const auto past = [](double x, double y) {  // distance from the L in its plane
    const auto beyond = [&](double width, double height) { return std::hypot(std::max({0.0, -x, x - width}), std::max({0.0, -y, y - height})); };
    return std::min(beyond(2, 1), beyond(1, 2));
  };
  for (const double height : {-0.1, 0.0, 0.03})
    for (int i = 0; i < 176; ++i)
      for (int j = 0; j < 141; ++j) {
        const double x = -0.2 + 0.0137 * i, y = -0.2 + 0.0171 * j;
        const ImplicitSurfaceSample<double> sample(surface, Vec3(x, y, height), triangles, true);
        if (!sample.within_reach()) continue;
        const double outside = past(x, y);
        if (outside == 0) {
          EXPECT_NEAR(sample.gap(), height, 1e-14);
          EXPECT_LT((sample.gradient() - Vec3::UnitZ()).norm(), 1e-12);
        } else if (outside >= surface.rim_gap) {
          EXPECT_EQ(sample.gap(), surface.rim_gap);
          EXPECT_EQ(sample.gradient().norm(), 0);
        } else {
          // At least the part of the nearest triangle: more near the edges between triangles, which share what is missing.
          const double part = (surface.rim_gap - sample.gap()) / (surface.rim_gap - height);
          EXPECT_GE(part, std::pow(1 - outside * outside / (surface.rim_gap * surface.rim_gap), 3) - 1e-12);
          EXPECT_LE(part, 1);
        }
      }
  // Without it, contact would extend nearly as far as the surface reaches.
  EXPECT_LT(ImplicitSurfaceSample<double>(surface, Vec3(0.3, -0.4, 0), triangles).gap(), 0.04);
}

TEST(ImplicitSurface, OfAFlatMeshIsItsPlane) {
  const Vec3 normal = Vec3(0.3, -0.4, 0.9).normalized(), u = normal.unitOrthogonal(), v = normal.cross(u);
  std::vector<Corners<double>> triangles = bumpy_patch();
  for (auto& triangle : triangles)
    for (Vec3& x : triangle) x = Vec3(1, 2, 3) + x.x() * u + x.y() * v;
  for (const double height : {-0.3, 0.0, 0.02, 0.4}) {
    const ImplicitSurfaceSample<double> sample(kSurface, Vec3(1, 2, 3) + 0.13 * u - 0.24 * v + height * normal, triangles);
    EXPECT_NEAR(sample.gap(), height, 1e-14);
    EXPECT_LT((sample.gradient() - normal).norm(), 1e-13);
  }
}

TEST(ImplicitSurface, NearlyInterpolatesCentroids) {
  const auto triangles = bumpy_patch();
  for (const auto& triangle : triangles) {
    const Vec3 centroid = (triangle[0] + triangle[1] + triangle[2]) / 3;
    EXPECT_NEAR(gap_at(centroid, triangles), 0, 1e-4);
  }
}

TEST(ImplicitSurface, IsOutOfReachFarAway) {
  const auto triangles = bumpy_patch();
  EXPECT_FALSE(ImplicitSurfaceSample<double>(kSurface, Vec3(0, 0, 1.2), triangles).within_reach());
  EXPECT_TRUE(ImplicitSurfaceSample<double>(kSurface, Vec3(0, 0, 0.5), triangles).within_reach());
}

void expect_gradients(const Vec3& x, bool has_rim) {
  const auto triangles = bumpy_patch();
  {
    const ImplicitSurfaceSample<double> sample(kSurface, x, triangles, has_rim);
    std::vector<Corners<double>> gradient(triangles.size(), zero_corners());
    sample.add_gap_gradient(1.0, gradient);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(sample.gradient()[k], central([&](double h) { return gap_at(x + h * Vec3::Unit(k), triangles, has_rim); }, 1e-4), 1e-8);
      for (std::size_t i = 0; i < triangles.size(); ++i)
        for (int a = 0; a < 3; ++a) {
          auto moved = [&](double h) {
            auto changed = triangles;
            changed[i][a][k] += h;
            return gap_at(x, changed, has_rim);
          };
          EXPECT_NEAR(gradient[i][a][k], central(moved, 1e-4), 1e-8);
        }
    }
  }
}

TEST(ImplicitSurface, GradientsAreThoseOfTheGap) {
  for (const Vec3& x : {Vec3(0.1, -0.2, 0.05), Vec3(-0.4, 0.3, -0.2), Vec3(0.33, 0.11, 0.3), Vec3(1.35, 0.2, 0.1), Vec3(0.9, 1.1, 0.3)})
    expect_gradients(x, false);
  // Past edges and corners of the rim.
  for (const Vec3& x : {Vec3(0.1, -0.2, 0.05), Vec3(1.15, 0.2, 0.1), Vec3(0.33, 0.93, -0.2), Vec3(1.13, 0.95, 0.2), Vec3(-1.2, -1.1, 0.1)})
    expect_gradients(x, true);
}

// Derivatives by dual numbers of the gradients, which products take, past edges and corners of the rim.
TEST(SurfaceRim, GradientsHaveDerivatives) {
  const auto triangles = bumpy_patch();
  const Vec3 way(0.3, -0.5, 0.8);
  const auto direction = [](std::size_t i, int a) { return Vec3(std::sin(3.0 * double(i) + a), std::cos(5.0 * double(i) - a), std::sin(double(i) * a + 1.0)); };
  for (const Vec3& x : {Vec3(1.15, 0.2, 0.1), Vec3(0.33, 0.93, -0.2), Vec3(1.13, 0.95, 0.2), Vec3(-1.2, -1.1, 0.1)}) {
    const auto gradients = [&](double h) {
      auto moved = triangles;
      for (std::size_t i = 0; i < moved.size(); ++i)
        for (int a = 0; a < 3; ++a) moved[i][a] += h * direction(i, a);
      const ImplicitSurfaceSample<double> sample(kSurface, x + h * way, moved, true);
      std::vector<Corners<double>> result(triangles.size() + 1, zero_corners());
      sample.add_gap_gradient(1.0, std::span(result).first(triangles.size()));
      result.back()[0] = sample.gradient();
      return result;
    };
    using T = Dual<double>;
    const auto dual = [](const Vec3& value, const Vec3& change) {
      return Vector3<T>(make_dual(value[0], change[0]), make_dual(value[1], change[1]), make_dual(value[2], change[2]));
    };
    const Vector3<T> zero = Vector3<T>::Constant(T(0.0));
    std::vector<Corners<T>> moving(triangles.size()), reactions(triangles.size(), {zero, zero, zero});
    for (std::size_t i = 0; i < triangles.size(); ++i)
      for (int a = 0; a < 3; ++a) moving[i][a] = dual(triangles[i][a], direction(i, a));
    const ImplicitSurfaceSample<T> sample(kSurface, dual(x, way), moving, true);
    sample.add_gap_gradient(T(1.0), reactions);
    constexpr double kStep = 1e-4;
    const auto before = gradients(-kStep), after = gradients(kStep), half_before = gradients(-kStep / 2), half_after = gradients(kStep / 2);
    const auto expect = [&](std::size_t i, int a, const Vector3<T>& got) {
      for (int k = 0; k < 3; ++k) {
        const double coarse = (after[i][a][k] - before[i][a][k]) / (2 * kStep), fine = (half_after[i][a][k] - half_before[i][a][k]) / kStep;
        EXPECT_NEAR(got[k].derivative[0], (4 * fine - coarse) / 3, 1e-6);
      }
    };
    for (std::size_t i = 0; i < triangles.size(); ++i)
      for (int a = 0; a < 3; ++a) expect(i, a, reactions[i][a]);
    expect(triangles.size(), 0, sample.gradient());
  }
}

// The gap does not change when everything moves together, so forces that follow its gradient have neither sum nor moment.
void expect_balance(const Vec3& x, bool has_rim) {
  const auto triangles = bumpy_patch();
  const ImplicitSurfaceSample<double> sample(kSurface, x, triangles, has_rim);
  std::vector<Corners<double>> gradient(triangles.size(), zero_corners());
  sample.add_gap_gradient(1.0, gradient);
  Vec3 sum = sample.gradient(), moment = x.cross(sample.gradient());
  for (std::size_t i = 0; i < triangles.size(); ++i)
    for (int a = 0; a < 3; ++a) sum += gradient[i][a], moment += triangles[i][a].cross(gradient[i][a]);
  EXPECT_LT(sum.norm(), 1e-14);
  EXPECT_LT(moment.norm(), 1e-14);
}

TEST(ImplicitSurface, GradientsBalance) {
  expect_balance({0.15, -0.1, 0.08}, false);
  expect_balance({1.15, 0.2, 0.1}, true);
}

TEST(ImplicitSurface, RigidMotionCarriesThePointAlong) {
  const auto triangles = bumpy_patch();
  const Vec3 x(0.15, -0.1, 0.28), velocity(0.3, -1, 2), spin(1.1, 0.4, -0.7);
  std::vector<Corners<double>> velocities = triangles;
  for (auto& triangle : velocities)
    for (Vec3& v : triangle) v = velocity + spin.cross(v);
  const ImplicitSurfaceSample<double> sample(kSurface, x, triangles);
  EXPECT_LT((sample.velocity<double>(velocities) - velocity - spin.cross(x)).norm(), 1e-13);
}

TEST(ImplicitSurface, TransposeKeepsPowerForceAndMoment) {
  const auto triangles = bumpy_patch();
  const Vec3 x(-0.2, 0.17, 0.13), force(0.7, -0.2, 0.4);
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> noise(-1, 1);
  std::vector<Corners<double>> velocities(triangles.size(), zero_corners()), reactions(triangles.size(), zero_corners());
  for (auto& triangle : velocities)
    for (Vec3& v : triangle) v = Vec3(noise(generator), noise(generator), noise(generator));
  const ImplicitSurfaceSample<double> sample(kSurface, x, triangles);
  sample.add_velocity_transpose<double>(force, reactions);
  double power = 0;
  Vec3 sum = Vec3::Zero(), moment = Vec3::Zero();
  for (std::size_t i = 0; i < triangles.size(); ++i)
    for (int a = 0; a < 3; ++a) {
      power += reactions[i][a].dot(velocities[i][a]);
      sum += reactions[i][a];
      moment += triangles[i][a].cross(reactions[i][a]);
    }
  EXPECT_NEAR(power, sample.velocity<double>(velocities).dot(force), 1e-13);
  EXPECT_LT((sum - force).norm(), 1e-13);
  EXPECT_LT((moment - x.cross(force)).norm(), 1e-13);
}

}  // namespace
}  // namespace traction
