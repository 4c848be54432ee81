// Surfaces that cross are found on whatever ranks they live, with the place and the depth that geometry gives, and nothing else is.

#include "contact/surface_crossings.h"

#include <gtest/gtest.h>

#include "mesh_partition/distribute.h"
#include "parallel/petsc_calls.h"
#include "support/two_boxes.h"

namespace traction {
namespace {

using Found = SurfaceCrossings::Crossing;

constexpr int kLower = 0, kUpper = 1, kFirstObstacle = 2;

class SurfaceCrossingsTest : public testing::Test {
 protected:
  SurfaceCrossingsTest() {
    const Mesh whole = test::two_boxes(1.0);
    int ranks = 1;
    MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
    mesh_ = distribute(PETSC_COMM_WORLD, whole, partition_elements(whole, ranks));
    for (const char* name : {"lower", "upper"}) {
      const LocalRegion& surface = mesh_.region(std::string(name) + ".surface");
      for (const int t : surface.members) {
        if (!mesh_.owns(mesh_.triangles[t])) continue;
        bodies_.triangles.push_back(mesh_.triangles[t]);
        bodies_.body_of_triangle.push_back(bodies_.count);
      }
      ++bodies_.count;
    }
  }

  // The unit cube, and a smaller box whose bottom is `gap` above its top.
  State with_gap(double gap) const {
    State state(mesh_.halo->local());
    for (int i = 0; i < mesh_.halo->local(); ++i) {
      state.q[i] = mesh_.vertices[i];
      if (state.q[i].z() > 1.5) state.q[i].z() += gap - 1;
    }
    return state;
  }
  std::vector<Found> find(const State& state, std::vector<SurfaceCrossings::Obstacle> obstacles = {}) const {
    return SurfaceCrossings(mesh_.halo, bodies_, std::move(obstacles)).find(state);
  }

  DistributedMesh mesh_;
  SurfaceCrossings::Bodies bodies_;
};

TEST_F(SurfaceCrossingsTest, FindsNothingBetweenBodiesThatTouch) {
  EXPECT_TRUE(find(with_gap(1e-9)).empty());
  EXPECT_TRUE(find(with_gap(0)).empty());
}

TEST_F(SurfaceCrossingsTest, FindsHowDeepOneBodyIsInAnother) {
  for (const double depth : {1e-6, 0.05}) {
    const std::vector<Found> found = find(with_gap(-depth));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].first, kLower);
    EXPECT_EQ(found[0].second, kUpper);
    EXPECT_NEAR(found[0].depth, depth, 1e-12);
    EXPECT_NEAR(found[0].place.z(), 1, 1e-12);
  }
}

TEST_F(SurfaceCrossingsTest, FindsABodyThatCrossesItself) {
  State state = with_gap(1);
  // The middle of the lower box's top is pushed through its bottom.
  for (int i = 0; i < mesh_.halo->local(); ++i)
    if ((mesh_.vertices[i] - Vec3(1.0 / 3, 1.0 / 3, 1)).norm() < 1e-9) state.q[i] = Vec3(0.5, 0.4, -0.1);
  const std::vector<Found> found = find(state);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].first, kLower);
  EXPECT_EQ(found[0].second, kLower);
  EXPECT_LE(found[0].depth, 0.1 + 1e-12);
  EXPECT_GT(found[0].depth, 0.03);  // the edges pierce the bottom near the side of a triangle
}

TEST_F(SurfaceCrossingsTest, FindsObstaclesThatMove) {
  SurfaceCrossings::Obstacle sheet;
  sheet.points = {Vec3(-9, -9, 0), Vec3(9, -9, 0), Vec3(0, 18, 0)};
  sheet.triangles = {{0, 1, 2}};
  MotionSettings motion;
  motion.velocity = Vec3(0, 0, 1);
  sheet.motion = {motion};
  State state = with_gap(1);
  EXPECT_TRUE(find(state, {sheet}).empty());
  state.time = 0.25;
  const std::vector<Found> found = find(state, {sheet});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(std::pair(found[0].first, found[0].second), std::pair(kLower, kFirstObstacle));
  EXPECT_NEAR(found[0].place.z(), 0.25, 1e-12);

  SurfaceCrossings::Obstacle plane;
  plane.shape = {PlaneGap{Vec3(0, 0, 0.1), Vec3::UnitZ()}};
  const std::vector<Found> behind = find(state, {plane});
  ASSERT_EQ(behind.size(), 1U);
  EXPECT_EQ(behind[0].second, kFirstObstacle);
  EXPECT_NEAR(behind[0].depth, 0.1, 1e-15);

  SurfaceCrossings::Obstacle wire;
  wire.points = {Vec3(0.31, 0.42, -1), Vec3(0.31, 0.42, 1.5)};
  wire.segments = {{0, 1}};
  const std::vector<Found> pierced = find(state, {wire});
  ASSERT_EQ(pierced.size(), 1U);
  EXPECT_EQ(pierced[0].second, kFirstObstacle);
  EXPECT_NEAR(pierced[0].place.x(), 0.31, 1e-12);
}

}  // namespace
}  // namespace traction
