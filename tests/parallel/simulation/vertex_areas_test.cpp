// Areas of vertices: pressed uniformly, each flat side of a coarse body has the right force in its middle, on any number of ranks.

#include "simulation/vertex_areas.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "mesh/tetrahedron_faces.h"
#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"

namespace traction {
namespace {

struct PlaceWithArea {
  Vec3 place;
  double area;
};

// The places and areas of the vertices of a box's surface, from all ranks.
std::vector<PlaceWithArea> shares(const Mesh& mesh) {
  Scene scene;
  scene.time.steps = {{0, 1e-3, std::nullopt}};
  scene.time.end = 1;
  Body& body = scene.bodies.emplace_back();
  body.name = "box";
  body.solid["solid"] = {1e5, 0.4, 1000, {}};
  const Simulation simulation = build_simulation(PETSC_COMM_WORLD, scene, mesh);
  const DistributedMesh& local = *simulation.mesh;
  const LocalRegion& region = local.region("box.surface");
  const std::vector<double> areas = vertex_areas(local, region);
  std::vector<double> own;
  for (const int vertex : region.vertices) {
    if (vertex >= local.halo->owned()) continue;
    const Vec3& at = local.vertices[static_cast<std::size_t>(vertex)];
    own.insert(own.end(), {at.x(), at.y(), at.z(), areas[static_cast<std::size_t>(vertex)]});
  }
  const std::vector<double> all = concatenated_over_ranks(PETSC_COMM_WORLD, own);
  std::vector<PlaceWithArea> result;
  for (std::size_t k = 0; k < all.size(); k += 4) result.push_back({Vec3(all[k], all[k + 1], all[k + 2]), all[k + 3]});
  return result;
}

// Where the side of a box at a place along an axis is pressed by a uniform pressure, and the area that presses.
struct PressedSide {
  double area = 0;
  Vec3 middle = Vec3::Zero();
};
PressedSide pressed_side(const std::vector<PlaceWithArea>& vertices, int axis, double at) {
  PressedSide side;
  for (const PlaceWithArea& vertex : vertices)
    if (vertex.place[axis] == at) side.area += vertex.area, side.middle += vertex.area * vertex.place;
  side.middle /= side.area;
  return side;
}

TEST(VertexAreas, CornersOfACubeHaveAQuarterOfASide) {
  const std::vector<PlaceWithArea> corners = shares(test::box_mesh("box", Vec3::Zero(), Vec3::Ones(), {1, 1, 1}));
  ASSERT_EQ(corners.size(), 8U);
  for (const PlaceWithArea& corner : corners) EXPECT_NEAR(corner.area, 0.25, 1e-9) << corner.place.transpose();
}

TEST(VertexAreas, EachSideOfABrickHasItsAreaAndItsMiddle) {
  const Vec3 size(0.3, 0.4, 1.1);
  for (const std::array<int, 3>& cells : {std::array{1, 2, 3}, std::array{4, 4, 4}}) {
    const std::vector<PlaceWithArea> vertices = shares(test::box_mesh("box", Vec3::Zero(), size, cells));
    for (int axis = 0; axis < 3; ++axis)
      for (const double at : {0.0, size[axis]}) {
        const auto [area, middle] = pressed_side(vertices, axis, at);
        EXPECT_NEAR(area, size.prod() / size[axis], 1e-9) << "axis " << axis << " at " << at;
        Vec3 expected = size / 2;
        expected[axis] = at;
        EXPECT_LT((middle - expected).norm(), 1e-9) << "axis " << axis << " at " << at;
      }
  }
}

TEST(VertexAreas, RoundedCoordinatesChangeLittle) {
  Mesh mesh = test::box_mesh("box", Vec3::Zero(), Vec3::Ones(), {1, 1, 1});
  const Mat3 turn = Eigen::AngleAxisd(0.35, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (Vec3& vertex : mesh.vertices) vertex = (turn * vertex).unaryExpr([](double x) { return std::round(x * 1e6) / 1e6; });
  for (const PlaceWithArea& corner : shares(mesh)) EXPECT_NEAR(corner.area, 0.25, 1e-4) << corner.place.transpose();
}

// The narrow sides are too small to have their own areas at vertices that the wide sides need.
TEST(VertexAreas, TheWideSidesOfAPlateKeepTheirRim) {
  const Vec3 size(1, 1, 0.02);
  const std::vector<PlaceWithArea> vertices = shares(test::box_mesh("box", Vec3::Zero(), size, {4, 4, 1}));
  for (const double at : {0.0, size.z()}) {
    const auto [area, middle] = pressed_side(vertices, 2, at);
    EXPECT_NEAR(area, 1, 0.05);
    EXPECT_LT((middle - Vec3(0.5, 0.5, at)).norm(), 1e-9);
  }
}

// The middle of a trapezoid with sides b below and b/2 above lies at 4/9 of its height, where areas at its corners in the ratio of 5 to 4 have it.
TEST(VertexAreas, CornersOfAFrustumHaveTheAreasThatItsTrapezoidsAskFor) {
  Mesh mesh = test::box_mesh("box", Vec3(-1, -1, 0), Vec3(1, 1, 1), {1, 1, 1});
  for (Vec3& vertex : mesh.vertices)
    if (vertex.z() == 1) vertex.head<2>() /= 2;
  const std::vector<PlaceWithArea> corners = shares(mesh);
  EXPECT_NEAR(pressed_side(corners, 2, 1).area, 0.8 * pressed_side(corners, 2, 0).area, 1e-7);
  for (int axis = 0; axis < 2; ++axis)
    for (const double side : {-1.0, 1.0}) {
      double along = 0, height = 0;  // moments of a trapezoid's corners about its middle
      for (const PlaceWithArea& corner : corners) {
        if (side * corner.place[axis] < 0) continue;
        along += corner.area * corner.place[1 - axis];
        height += corner.area * (corner.place.z() - 4.0 / 9);
      }
      EXPECT_NEAR(along, 0, 1e-7) << axis << side;
      EXPECT_NEAR(height, 0, 1e-7) << axis << side;
    }
}

// Nine facets turn by 40 degrees from one to the next, so that a corner has area of two of them and of the cap. All nine are pressed in their middle.
TEST(VertexAreas, FacetsOfAPrismArePressedInTheirMiddle) {
  constexpr int kSides = 9;
  Mesh mesh;
  mesh.source = "prism";
  for (const double z : {0.0, 1.0})
    for (int i = 0; i < kSides; ++i) mesh.vertices.emplace_back(std::cos(2 * EIGEN_PI * i / kSides), std::sin(2 * EIGEN_PI * i / kSides), z);
  for (int i = 1; i + 1 < kSides; ++i)  // three tetrahedra to each prism of a fan
    for (const std::array<int, 4>& t :
         {std::array{0, i, i + 1, kSides}, std::array{i, i + 1, kSides, kSides + i}, std::array{i + 1, kSides, kSides + i, kSides + i + 1}})
      mesh.tetrahedra.push_back(t);
  for (std::array<int, 4>& t : mesh.tetrahedra) {
    const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]], &d = mesh.vertices[t[3]];
    if ((b - a).cross(c - a).dot(d - a) < 0) std::swap(t[2], t[3]);
  }
  mesh.triangles = outer_faces(mesh.tetrahedra);
  mesh.regions = {{"box", 0, {}}, {"box.solid", 3, {}}, {"box.surface", 2, {}}};
  const std::size_t sizes[] = {mesh.vertices.size(), mesh.tetrahedra.size(), mesh.triangles.size()};
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < sizes[k]; ++i) mesh.regions[k].members.push_back(static_cast<int>(i));
  const std::vector<PlaceWithArea> corners = shares(mesh);
  for (int i = 0; i < kSides; ++i) {
    const double angle = EIGEN_PI * (2 * i + 1) / kSides;
    const Vec3 normal(std::cos(angle), std::sin(angle), 0), middle = std::cos(EIGEN_PI / kSides) * normal + 0.5 * Vec3::UnitZ();
    double area = 0;
    Vec3 moment = Vec3::Zero();
    for (const PlaceWithArea& corner : corners)
      if (std::abs(normal.dot(corner.place - middle)) < 1e-9) area += corner.area, moment += corner.area * (corner.place - middle);
    EXPECT_LT(moment.norm(), 1e-6 * area) << "facet " << i;
  }
}

}  // namespace
}  // namespace traction
