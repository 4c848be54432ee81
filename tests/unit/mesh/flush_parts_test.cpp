// Parts of one mesh that lie against each other, and those that only meet along an edge or are apart.

#include "mesh/flush_parts.h"

#include <gtest/gtest.h>

#include "mesh/tetrahedron_faces.h"
#include "support/two_boxes.h"

namespace traction {
namespace {

// Finds where a unit cube of two cells along each edge and another box lie against each other.
std::optional<Vec3> flush_with_cube(const Vec3& lower, const Vec3& upper, const std::array<int, 3>& cells, const Mat3& turn = Mat3::Identity()) {
  const Mesh cube = test::box_mesh("a", Vec3::Zero(), Vec3::Ones(), {2, 2, 2});
  Mesh both = test::join(cube, test::box_mesh("b", lower, upper, cells));
  for (Vec3& vertex : both.vertices) vertex = turn * vertex;
  const int first = static_cast<int>(cube.vertices.size());
  return find_flush_parts(both.vertices, outer_faces(both.tetrahedra), [&](int vertex) { return vertex < first ? 0 : 1; });
}

TEST(FlushParts, AreFoundHoweverTheirFacesAreCut) {
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (const Mat3& by : {Mat3(Mat3::Identity()), turn}) {
    const auto place = flush_with_cube({0, 0, 1}, {1, 1, 2}, {3, 3, 3}, by);
    ASSERT_TRUE(place);
    EXPECT_NEAR((by.transpose() * *place).z(), 1, 1e-12);
    EXPECT_TRUE(flush_with_cube({0.3, 0.3, -1}, {0.4, 0.4, 0}, {1, 1, 1}, by)) << "a small face on a large one";
    EXPECT_TRUE(flush_with_cube({-1, 0.45, 1}, {2, 0.55, 2}, {1, 1, 1}, by)) << "faces that cross, with no vertex of one on the other";
  }
}

TEST(FlushParts, AreApartOrMeetAlongEdges) {
  EXPECT_FALSE(flush_with_cube({0, 0, 1.001}, {1, 1, 2}, {3, 3, 3}));
  EXPECT_FALSE(flush_with_cube({1, 0, 1}, {2, 1, 2}, {3, 3, 3})) << "along an edge";
  EXPECT_FALSE(flush_with_cube({1, 1, 0}, {2, 2, 1}, {1, 1, 1})) << "along an edge, side by side";
}

}  // namespace
}  // namespace traction
