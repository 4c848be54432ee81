// Distances between vertices, edges and triangles: against a search over points, their derivatives, and how far features can go.

#include "contact/features.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "contact/contact_law.h"

namespace traction {
namespace {

using Points = std::array<Vec3, 4>;

Vec3 random_point(std::mt19937& generator) {
  std::uniform_real_distribution<double> coordinate(-1, 1);
  const double x = coordinate(generator), y = coordinate(generator), z = coordinate(generator);
  return {x, y, z};
}

Points random_points(std::mt19937& generator) {
  Points x;
  for (Vec3& point : x) point = random_point(generator);
  return x;
}

// The least value on a grid over the unit square.
template <typename Function>
double least_on_square(Function value) {
  constexpr int kCells = 200;
  double least = HUGE_VAL;
  for (int i = 0; i <= kCells; ++i)
    for (int j = 0; j <= kCells; ++j) least = std::min(least, value(double(i) / kCells, double(j) / kCells));
  return least;
}

// A value at the grid's points is no less than the least of all, and that is attained: a point with these coordinates has it.
TEST(Features, DistancesAreTheLeast) {
  std::mt19937 generator(1);
  for (int i = 0; i < 50; ++i) {
    const Points x = random_points(generator);
    const double edges = least_on_square([&](double t, double u) { return (x[0] + t * (x[1] - x[0]) - x[2] - u * (x[3] - x[2])).norm(); });
    EXPECT_LE(edge_distance(x), edges + 1e-12);
    EXPECT_NEAR(edge_distance(x), edges, 0.02);
    const double triangle = least_on_square([&](double s, double t) { return (x[0] - x[1] - s * (x[2] - x[1]) - t * (1 - s) * (x[3] - x[1])).norm(); });
    const ClosestPoint closest = closest_on_triangle(x[0], x[1], x[2], x[3]);
    EXPECT_LE(closest.distance, triangle + 1e-12);
    EXPECT_NEAR(closest.distance, triangle, 0.02);
    Vec3 point = Vec3::Zero();
    for (int corner = 0; corner < 3; ++corner) {
      point += closest.shares[corner] * x[1 + corner];
      if (!closest.corners[corner]) {
        EXPECT_EQ(closest.shares[corner], 0);
      }
    }
    EXPECT_NEAR((x[0] - point).norm(), closest.distance, 1e-12);
  }
}

// Points over a corner of six triangles, moved by less than distances can resolve: the closest features must be the same as for a larger step in the same
// direction.
TEST(Features, TrianglesAroundACornerAgree) {
  constexpr double kHeight = 1e-3, kSide = 0.025;
  std::mt19937 generator(4);
  std::uniform_real_distribution<double> angle(0, 2 * EIGEN_PI), exponent(-13, -6);
  const auto spoke = [&](int i) { return Vec3(kSide * std::cos(i * EIGEN_PI / 3 + 0.1), kSide * std::sin(i * EIGEN_PI / 3 + 0.1), 0); };
  for (int i = 0; i < 500; ++i) {
    const double turned = angle(generator), small = std::pow(10, exponent(generator));
    int over = 0;  // triangles
    for (int t = 0; t < 6; ++t) {
      const auto corners_at = [&](double step, double height) {
        return closest_on_triangle(Vec3(step * std::cos(turned), step * std::sin(turned), height), Vec3::Zero(), spoke(t), spoke(t + 1)).corners;
      };
      EXPECT_EQ(corners_at(small, kHeight), corners_at(1e-3, 0.0)) << small << " m from the corner, triangle " << t;
      over += corners_at(small, kHeight) == std::array<bool, 3>{true, true, true};
    }
    EXPECT_EQ(over, 1);
  }
}

/// Reaches all random points, but of two edges only some of the ends.
ContactLaw wide_law(FeaturePair pair) {
  ContactLaw law;
  law.thickness = pair == FeaturePair::edge_edge ? 0.7 : 3;
  law.stiffness = 2;
  law.guard_thickness = 0.4;
  law.guard_stiffness = 5;
  return law;
}

std::vector<PairedFeatures> all_pairs() {
  std::vector<PairedFeatures> pairs{{FeaturePair::edge_edge, {}, {2, 3}}};
  for (FeaturePair pair : {FeaturePair::place_vertex, FeaturePair::place_edge, FeaturePair::place_triangle})
    for (const Place& place : {Place{1, {1, 0, 0}}, Place{2, {0.3, 0.7, 0}}, Place{3, {0.2, 0.5, 0.3}}})
      pairs.push_back({pair, place, {place.corners, place.corners + 1, place.corners + 2}});
  return pairs;
}

double energy_of(const PairedFeatures& features, std::span<const Vec3> x) {
  const std::vector<Vec3> v(6, Vec3::Zero());
  std::vector<Vec3> forces = v;
  struct Still {};
  const PairWeight weight{0.7, 0.3, 1, 1, 0, 0};
  return contact_force<double>(wide_law(features.kind), weight, FeatureSample<double>(features, x), Still(), v, forces).energy;
}

// Forces are minus the energy's derivatives, the fading of edges included.
TEST(Features, ForcesAreTheEnergysDerivatives) {
  std::mt19937 generator(2);
  struct Still {};
  int faded = 0, whole = 0;
  for (const PairedFeatures& features : all_pairs())
    for (int i = 0; i < 40; ++i) {
      const bool edges = features.kind == FeaturePair::edge_edge;
      const int first_side = features.first_side(), points = first_side + second_side_of(features.kind);
      std::vector<Vec3> x;
      for (int half = 0; half < 2; ++half)
        for (const Vec3& point : random_points(generator)) x.push_back(point);
      x.resize(6);
      if (edges) {
        const LinePair<double> lines(std::span<const Vec3>(x).first(4));
        if (!(lines.t > 0 && lines.t < 1 && lines.u > 0 && lines.u < 1)) continue;
        const double reach = wide_law(features.kind).thickness;
        if (lines.gap() >= reach) continue;
        ++(edge_factor(lines, {1, 1}, reach) < 1 ? faded : whole);
      }
      const std::vector<Vec3> v(6, Vec3::Zero());
      std::vector<Vec3> forces = v;
      const PairWeight weight{0.7, 0.3, 1, 1, 0, 0};
      contact_force<double>(wide_law(features.kind), weight, FeatureSample<double>(features, x), Still(), v, forces);
      Vec3 sum = Vec3::Zero(), moment = Vec3::Zero();
      double size = 0;
      for (int point = 0; point < points; ++point) {
        sum += forces[point];
        moment += x[point].cross(forces[point]);
        size += forces[point].norm();
        for (int axis = 0; axis < 3; ++axis) {
          constexpr double kStep = 1e-6;
          std::vector<Vec3> before = x, after = x;
          before[point][axis] -= kStep;
          after[point][axis] += kStep;
          const double slope = (energy_of(features, after) - energy_of(features, before)) / (2 * kStep);
          EXPECT_NEAR(forces[point][axis], -slope, 1e-6 * (1 + size));
        }
      }
      EXPECT_LT(sum.norm(), 1e-12 * size);
      EXPECT_LT(moment.norm(), 1e-11 * size);
    }
  EXPECT_GT(faded, 3);
  EXPECT_GT(whole, 3);
}

// A chain of two edges crosses another edge: what the edges lose beside the vertex between them is what the vertex has, so the height that a load keeps does
// not depend on the place where they cross.
TEST(Features, EdgesAndTheVertexBetweenThemAreLevel) {
  constexpr double kThickness = 0.01, kGap = 0.004;
  ContactLaw law;
  law.thickness = kThickness;
  law.stiffness = 7;
  struct Still {};
  const std::vector<Vec3> still(4, Vec3::Zero());
  const auto energy_and_force = [&](const PairedFeatures& features, const std::vector<Vec3>& x) {
    std::vector<Vec3> forces = still;
    const ContactForce<double> contact = contact_force<double>(law, {}, FeatureSample<double>(features, x), Still(), still, forces);
    return std::pair(contact.energy, contact.normal.z());
  };
  for (double tilt : {1.0, 0.4}) {  // sine of the angle between the chain and the other edge
    const Vec3 along(tilt, std::sqrt(1 - tilt * tilt), 0), end(0, 1, 0);
    for (int i = -30; i <= 30; ++i) {
      const Vec3 vertex = Vec3(0, 0, kGap) + along * (i + 0.5) * 1e-3;
      const Vec3 other = i < 0 ? Vec3(vertex + along) : Vec3(vertex - along);  // the far end of the edge that crosses
      const auto [edges, edges_push] = energy_and_force({FeaturePair::edge_edge, {}, {2, 3}}, {vertex, other, -end, end});
      const auto [own, own_push] = energy_and_force({FeaturePair::place_edge, {}, {1, 2}}, {vertex, -end, end});
      EXPECT_NEAR(edges + own, law.energy(kGap), 1e-12 * law.energy(kGap)) << i;
      EXPECT_NEAR(edges_push + own_push, law.normal_force(kGap), 1e-12 * law.normal_force(kGap)) << i;
    }
  }
}

TEST(Features, AnAdvanceEndsJustBeforeTheLeastDistance) {
  std::mt19937 generator(3);
  int stopped = 0;
  for (int i = 0; i < 200; ++i)
    for (int first_side : {1, 2}) {
      const Points x = random_points(generator), displacement = random_points(generator);
      const auto distance = [&](double part) {
        Points moved = x;
        for (int point = 0; point < 4; ++point) moved[point] += 2 * part * displacement[point];
        return first_side == 1 ? closest_on_triangle(moved[0], moved[1], moved[2], moved[3]).distance : edge_distance(moved);
      };
      Points far = displacement;
      for (Vec3& d : far) d *= 2;
      const double start = distance(0), least = 0.1 * start, part = admissible_advance(x, far, first_side, least);
      double first = 1;  // where the distance is too small, by walking
      for (int k = 0; k <= 20000; ++k)
        if (distance(k / 20000.0) < least) {
          first = k / 20000.0;
          break;
        }
      EXPECT_LE(part, first + 1e-4);
      if (part < 1) {
        ++stopped;
        EXPECT_LE(distance(part), least + 0.1 * start);  // no sooner than necessary
      }
    }
  EXPECT_GT(stopped, 40);
}

}  // namespace
}  // namespace traction
