// Points in front of and behind closed surfaces.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "mesh/read_mesh.h"

namespace traction {
namespace {

const std::vector<std::array<int, 3>> kOutwardCorner = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}},
                                      kInwardCorner = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
const std::vector<Vec3> kUnitCorner = {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};

TEST(Overlap, IsTheDistanceBehindTheNearestFace) {
  const Vec3 inside(0.1, 0.2, 0.3), deeper(0.15, 0.2, 0.3), outside(0.5, 0.5, 0.5);
  const Overlap overlap = deepest_overlap(kUnitCorner, kOutwardCorner, {inside, deeper, outside});
  EXPECT_NEAR(overlap.depth, 0.15, 1e-12);
  EXPECT_EQ(overlap.at, deeper);
  EXPECT_NEAR(deepest_overlap(kUnitCorner, kInwardCorner, {inside, outside}).depth, 0.5 / std::sqrt(3), 1e-12);
  EXPECT_EQ(deepest_overlap(kUnitCorner, kInwardCorner, {inside, deeper}).depth, 0);
}

// Two regular tetrahedra of a heap: a corner of one is near a corner of the other, and a plane with 12 mm to spare lies between them.
TEST(Overlap, NothingLiesBehindASharpCorner) {
  const std::vector<Vec3> corners = {
      {1.87702683, 1.66974587, 0.34804474}, {1.84724014, 1.63940038, 0.27770042}, {1.81290439, 1.70597397, 0.31154466}, {1.80378865, 1.63243978, 0.34712618}};
  const Vec3 point(1.84216919, 1.67130491, 0.28311686);
  const double volume = (corners[1] - corners[0]).cross(corners[2] - corners[0]).dot(corners[3] - corners[0]);
  EXPECT_EQ(deepest_overlap(corners, volume > 0 ? kOutwardCorner : kInwardCorner, {point}).depth, 0);
}

}  // namespace
}  // namespace traction
