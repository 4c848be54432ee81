// Distances against many samples of both sides, and times against motions whose end is known.
#include "asynchronous/closest_pair.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace traction {
namespace {

class ClosestPairs : public testing::TestWithParam<PairKind> {
 protected:
  Vec3 anywhere() { return {number_(random_), number_(random_), number_(random_)}; }
  PairVectors points() { return {anywhere(), anywhere(), anywhere(), anywhere()}; }
  // The least distance of samples.
  static double sampled(PairKind kind, const PairVectors& x) {
    constexpr int kParts = 200;
    double least = 1e300;
    for (int i = 0; i <= kParts; ++i)
      for (int j = 0; j <= kParts; ++j) {
        const double s = static_cast<double>(i) / kParts, t = static_cast<double>(j) / kParts;
        if (kind == PairKind::edge_edge) least = std::min(least, (x[0] + s * (x[1] - x[0]) - x[2] - t * (x[3] - x[2])).norm());
        else if (s + t <= 1) least = std::min(least, (x[0] - x[1] - s * (x[2] - x[1]) - t * (x[3] - x[1])).norm());
      }
    return least;
  }

  std::mt19937 random_{7};
  std::uniform_real_distribution<double> number_{-1, 1};
};

TEST_P(ClosestPairs, AreThoseOfSamples) {
  for (int trial = 0; trial < 100; ++trial) {
    const PairVectors x = points();
    const ClosestPair closest = closest_pair(GetParam(), x);
    const double least = sampled(GetParam(), x);
    EXPECT_LE(closest.distance, least + 1e-12);
    EXPECT_GE(closest.distance, least - 0.02);
    EXPECT_NEAR(closest.normal.norm(), 1, 1e-12);
    Vec3 between = Vec3::Zero();
    double sum = 0;
    for (int a = 0; a < 4; ++a) {
      between += closest.weights[a] * x[a];
      sum += closest.weights[a];
    }
    EXPECT_NEAR(sum, 0, 1e-12);
    EXPECT_NEAR((between - closest.distance * closest.normal).norm(), 0, 1e-9);
  }
}

TEST_P(ClosestPairs, StayApartWithinTheirSlab) {
  for (int trial = 0; trial < 200; ++trial) {
    PairVectors x = points(), v = points();
    const ClosestPair closest = closest_pair(GetParam(), x);
    const double thickness = 0.3 * closest.distance, time = time_within_slab(GetParam(), x, v, closest.normal, thickness);
    ASSERT_GT(time, 0);
    const double until = std::min(time, 10.0);
    for (int step = 0; step <= 20; ++step) {
      PairVectors moved;
      for (int a = 0; a < 4; ++a) moved[a] = x[a] + until * step / 20 * v[a];
      EXPECT_GE(closest_pair(GetParam(), moved).distance, thickness * (1 - 1e-9));
    }
    EXPECT_EQ(time_within_slab(GetParam(), x, v, closest.normal, 1.01 * closest.distance), 0);
  }
}

// Velocities change at random within their ranges.
TEST_P(ClosestPairs, StayApartWhileVelocitiesStayInTheirRanges) {
  for (int trial = 0; trial < 200; ++trial) {
    PairVectors x = points();
    const PairVectors v = points();
    const std::array<double, 4> spread{0.1, 0.2, 0.05, 0.3};
    const ClosestPair closest = closest_pair(GetParam(), x);
    const double thickness = 0.3 * closest.distance, time = time_within_slab(GetParam(), x, v, closest.normal, thickness, spread);
    EXPECT_LE(time, time_within_slab(GetParam(), x, v, closest.normal, thickness));
    const double until = std::min(time, 10.0);
    for (int step = 0; step < 20; ++step) {
      const PairVectors change = points();
      for (int a = 0; a < 4; ++a) x[a] += until / 20 * (v[a] + spread[a] * change[a].normalized());
      EXPECT_GE(closest_pair(GetParam(), x).distance, thickness * (1 - 1e-9));
    }
  }
}

// Edges that cross at an angle of 1e-9 one millionth apart: neither ends nor a rounded normal show it.
TEST(ClosestPair, SeesNearlyParallelEdgesCross) {
  const double angle = 1e-9;
  const ClosestPair closest = closest_pair(PairKind::edge_edge, {Vec3(-1, 0, 1e-6), Vec3(1, 0, 1e-6), Vec3(-1, -angle, 0), Vec3(1, angle, 0)});
  EXPECT_NEAR(closest.distance, 1e-6, 1e-12);
  EXPECT_NEAR(closest.normal.z(), 1, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Kinds, ClosestPairs, testing::Values(PairKind::vertex_triangle, PairKind::edge_edge));

// Where the point is at that time, its gap is the one asked for, and it was greater before.
TEST(TimeAboveGap, EndsAtTheGap) {
  const std::vector<GapFunction> walls = {PlaneGap{Vec3(0, 0, -3), Vec3(0.6, 0, 0.8)}, SphereGap{Vec3(3, 0, 0), 1, 1}, SphereGap{Vec3(0.2, 0, 0), 2, -1},
                                          CylinderGap{Vec3(3, 0, 0), Vec3::UnitY(), 1, 1}, CylinderGap{Vec3::Zero(), Vec3(0, 0.6, 0.8), 1.5, -1}};
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1, 1);
  int reached = 0;
  for (const GapFunction& wall : walls)
    for (int trial = 0; trial < 200; ++trial) {
      const Vec3 x = 0.5 * Vec3(number(random), number(random), number(random)), v(number(random), number(random), number(random));
      const double time = time_above_gap(wall, x, v, 0.1);
      for (int step = 0; step < 50; ++step) EXPECT_GE(gap_at(wall, x + std::min(time, 100.0) * step / 50 * v).gap, 0.1 - 1e-12);
      if (!std::isfinite(time)) continue;
      ++reached;
      EXPECT_NEAR(gap_at(wall, x + time * v).gap, 0.1, 1e-9);
    }
  EXPECT_GT(reached, 400);
  EXPECT_EQ(time_above_gap(walls[0], Vec3(0, 0, -3), Vec3::UnitZ(), 0.1), 0);
}

TEST(TimeAboveGap, IsABoundWhileTheVelocityStaysInItsRange) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1, 1);
  const GapFunction wall = SphereGap{Vec3::Zero(), 1, -1.0};
  for (int trial = 0; trial < 200; ++trial) {
    Vec3 x = 0.5 * Vec3(number(random), number(random), number(random));
    const Vec3 v(number(random), number(random), number(random));
    const double spread = 0.2 * std::abs(number(random)), time = time_above_gap(wall, x, v, 0.1, spread);
    EXPECT_LE(time, time_above_gap(wall, x, v, 0.1));
    const bool is_above = gap_at(wall, x).gap > 0.1;
    EXPECT_EQ(time > 0, is_above);
    for (int step = 0; step < 20; ++step) x += std::min(time, 100.0) / 20 * (v + spread * Vec3(number(random), number(random), number(random)).normalized());
    if (is_above) {
      EXPECT_GE(gap_at(wall, x).gap, 0.1 - 1e-12);
    }
  }
}

// A point that flies out of a round container from where its gap is the level, but for rounding, is at the level at once.
TEST(TimeAboveGap, StartsAtTheLevel) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int i = 0; i < 10000; ++i) {
    const double radius = 0.2 + 0.1 * std::abs(number(random)), gap = 1e-3 * (1 + std::abs(number(random)));
    const Vec3 direction = Vec3(number(random), number(random), number(random)).normalized();
    const GapFunction sphere = SphereGap{Vec3::Zero(), radius, -1.0};
    EXPECT_LT(time_above_gap(sphere, (radius - gap) * direction, 10 * direction, gap), 1e-9);
    EXPECT_LT(time_above_gap(sphere, (radius - gap) * direction, 10 * direction, gap * (1 - 1e-15)), 1e-9);
  }
}

}  // namespace
}  // namespace traction
