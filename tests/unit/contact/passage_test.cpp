// Paths through obstacles whose chords, middles and faces are known.

#include "contact/passage.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "support/sheets.h"

namespace traction {
namespace {

const GapFunction kBall = SphereGap{Vec3::Zero(), 1, 1};
const GapFunction kWall = BoxGap{Vec3::Zero(), Vec3(5, 5, 0.1)};

bool passes(const GapFunction& obstacle, const Vec3& from, const Vec3& to, double offset = 0) { return leads_through(obstacle, std::array{from, to}, offset); }

TEST(Passage, ChordsOfABallLeadThrough) {
  for (const double height : {0.0, 0.3, 0.9}) EXPECT_TRUE(passes(kBall, Vec3(-3, height, 0), Vec3(3, height, 0))) << height;
  EXPECT_FALSE(passes(kBall, Vec3(-3, 1.001, 0), Vec3(3, 1.001, 0)));
  EXPECT_FALSE(passes(kBall, Vec3(-3, 0, 0), Vec3(-1.001, 0, 0)));
  // A shell is half its thickness larger than its vertices show.
  EXPECT_TRUE(passes(kBall, Vec3(-3, 1.05, 0), Vec3(3, 1.05, 0), 0.1));
}

TEST(Passage, TheMiddleDecidesWhereAPathEnds) {
  EXPECT_FALSE(passes(kBall, Vec3(-3, 0, 0), Vec3(-0.01, 0, 0)));
  EXPECT_TRUE(passes(kBall, Vec3(-3, 0, 0), Vec3(0.01, 0, 0)));
  EXPECT_FALSE(passes(kWall, Vec3(1, 1, 0.5), Vec3(1, 1, 0.01)));
  EXPECT_TRUE(passes(kWall, Vec3(1, 1, 0.5), Vec3(1, 1, -0.01)));
  EXPECT_TRUE(passes(kWall, Vec3(1, 1, 0.5), Vec3(1, 1, -3)));
}

// A path that starts inside may leave where it entered.
TEST(Passage, TheWayBackIsFree) {
  EXPECT_FALSE(passes(kWall, Vec3(1, 1, 0.05), Vec3(2, 1, 1)));
  EXPECT_TRUE(passes(kWall, Vec3(1, 1, 0.05), Vec3(2, 1, -1)));
  EXPECT_FALSE(passes(kBall, Vec3(-0.5, 0, 0), Vec3(-4, 1, 0)));
}

// The sagitta of the longest chord that may be overlooked is below a ten-thousandth of the radius.
TEST(Passage, SlidingAlongACylinderIsClear) {
  const GapFunction pole = CylinderGap{Vec3::Zero(), Vec3::UnitZ(), 0.1, 1};
  EXPECT_FALSE(passes(pole, Vec3(0.1 + 1e-6, 0, -5), Vec3(0.1 + 1e-6, 0, 5)));
  const double sagitta = 1e-4 * 0.1;
  EXPECT_TRUE(passes(pole, Vec3(0.1 - sagitta, -1, 0), Vec3(0.1 - sagitta, 1, 0)));
}

// In the inside of a room everything beyond its walls is pushed back.
TEST(Passage, RoomsHaveNoOtherSide) {
  for (const GapFunction& room : {GapFunction(SphereGap{Vec3::Zero(), 1, -1}), GapFunction(CylinderGap{Vec3::Zero(), Vec3::UnitZ(), 1, -1}),
                                  GapFunction(PlaneGap{Vec3(-1, 0, 0), Vec3::UnitX()})})
    EXPECT_FALSE(passes(room, Vec3(0.5, 0, 0), Vec3(-40, 0, 0)));
}

// Two sheets of unit squares at z = 0 and z = -thickness, the upper one looking up and the lower one down.
GapFunction plate(double thickness) {
  const test::Sheet upper = test::irregular_sheet(10, 0.2);
  std::vector<Vec3> points = upper.vertices;
  std::vector<std::array<int, 3>> triangles = upper.triangles;
  const int count = static_cast<int>(points.size());
  for (const Vec3& x : upper.vertices) points.push_back(x - thickness * Vec3::UnitZ());
  for (const auto& [a, b, c] : upper.triangles) triangles.push_back({a + count, c + count, b + count});
  return MeshGap{std::make_shared<StaticSurface>(points, triangles, ImplicitSurface{0.15, 1e-3, 0.11, 0.01})};
}

TEST(Passage, APlateOfTrianglesIsAsThickAsItIs) {
  const GapFunction thin = plate(0.02);
  const Vec3 above(0.53, 0.48, 0.05);
  const auto at = [](double z) { return Vec3(0.51, 0.5, z); };
  EXPECT_FALSE(passes(thin, above, at(0.001)));
  EXPECT_FALSE(passes(thin, above, at(-0.009)));
  EXPECT_TRUE(passes(thin, above, at(-0.011)));
  EXPECT_TRUE(passes(thin, above, at(-0.021)));
  EXPECT_TRUE(passes(thin, above, at(-9)));
  EXPECT_FALSE(passes(thin, at(-0.005), above));
  EXPECT_FALSE(passes(thin, above, Vec3(50, 0.5, -1)));  // beside it
}

// A path that turns with a triangle, and one that a triangle sweeps over.
TEST(Passage, TrianglesThatMoveAreCrossedInTheirFrame) {
  const Corners<double> still{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  Corners<double> risen = still;
  for (Vec3& x : risen) x.z() += 2;
  const Vec3 x(0.25, 0.25, 0.5);
  EXPECT_FALSE(find_crossing(x, x + Vec3(0, 0, 2), still, risen));
  const auto crossing = find_crossing(x, x, still, risen);
  ASSERT_TRUE(crossing);
  EXPECT_TRUE(crossing->inwards);
  EXPECT_NEAR(crossing->part, 0.25, 1e-15);
  EXPECT_LT((crossing->normal - Vec3::UnitZ()).norm(), 1e-15);
  EXPECT_FALSE(find_crossing(Vec3(0.6, 0.6, 0.5), Vec3(0.6, 0.6, 0.5), still, risen));
  EXPECT_FALSE(find_crossing(x, -x, risen, still)->inwards);
}

}  // namespace
}  // namespace traction
