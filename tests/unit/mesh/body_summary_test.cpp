// The distance of a center of mass from the convex hull of its body, worked out by hand.

#include "mesh/body_summary.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numeric>
#include <optional>

#include "mesh/read_mesh.h"
#include "mesh/rigid_frame.h"
#include "support/box_mesh.h"

namespace traction::test {
namespace {

constexpr double kSideOfCube = 0.1;  // [m]
const Mat3 kTurnOfCube = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
const Vec3 kPlaceOfCube(5, -3, 2);

Vec3 placed_in_cube(const Vec3& x) { return kPlaceOfCube + kTurnOfCube * x; }

// A rigid cube with a corner at the origin before it is placed, whose center of mass was at `center`. `attached`: a place that its particles carry for another
// body.
BodySummary rigid_cube(const Vec3& center, const std::optional<Vec3>& attached = {}) {
  Mesh mesh = box_mesh("box", Vec3::Zero(), Vec3::Constant(kSideOfCube), {3, 3, 3});
  for (Vec3& x : mesh.vertices) x = placed_in_cube(x);
  mesh.regions.clear();
  mesh.triangles = boundary_faces(mesh);
  add_particles(mesh, MassMoments::from_inertia(1, placed_in_cube(center), 1e-3 * Mat3::Identity()));
  make_rigid(mesh);
  std::vector<int> all(mesh.vertices.size());
  std::iota(all.begin(), all.end(), 0);
  mesh.regions.push_back({"cube", 0, all});
  if (attached) {
    mesh.dependents.push_back({static_cast<int>(mesh.vertices.size()), mesh.frames.front().particles, {}});
    mesh.vertices.push_back(placed_in_cube(*attached));
  }
  return summarize_bodies(mesh, {"cube"}).front();
}

TEST(BodySummary, CentersInsideAreNotOutside) {
  EXPECT_EQ(rigid_cube({0.05, 0.05, 0.05}).center_outside, 0);
  EXPECT_EQ(rigid_cube({0.001, 0.03, 0.099}).center_outside, 0);
}

TEST(BodySummary, DistanceOfACenterFromTheHull) {
  constexpr double kAccuracy = 1e-3;  // relative error of the search
  const auto expect = [](const Vec3& center, double distance) { EXPECT_NEAR(rigid_cube(center).center_outside, distance, kAccuracy * distance); };
  expect({0.05, 0.05, 5.1}, 5);                  // from a face
  expect({0.04, -0.02, 0.05}, 0.02);             // from a face nearby
  expect({0.13, 0.14, 0.02}, 0.05);              // from an edge: the root of 0.03^2 + 0.04^2
  expect({-50, -50, -50}, 50 * std::sqrt(3.0));  // from a corner
}

TEST(BodySummary, AttachedVerticesBelongToTheHull) {
  EXPECT_NEAR(rigid_cube({0.05, 0.05, 0.2}).center_outside, 0.1, 1e-4);
  EXPECT_EQ(rigid_cube({0.05, 0.05, 0.2}, Vec3(0.05, 0.05, 0.3)).center_outside, 0);
}

TEST(BodySummary, PlacesThatCoincide) {
  EXPECT_TRUE(coinciding_places({}).empty());
  EXPECT_TRUE(coinciding_places({{1, 2, 3}}).empty());
  const auto pairs = coinciding_places({{0, 0, 0}, {1, 0, 0}, {0, 0, 1e-12}, {1, 0, 1e-6}, {0, 1e-12, 0}});
  EXPECT_EQ(pairs, (std::vector<std::array<std::size_t, 2>>{{0, 2}, {0, 4}}));
}

}  // namespace
}  // namespace traction::test
