#include "mesh/shells.h"

#include <cmath>
#include <numbers>
#include <set>

#include "elements/dihedral_angle.h"
#include "support/sheets.h"
#include "unit/mesh/mesh_files.h"

namespace traction::test {
namespace {

// All of its triangles are shells, in the region "skin".
Mesh mesh_of(const Sheet& sheet) {
  Mesh mesh;
  mesh.source = "sheet.msh";
  mesh.vertices = sheet.vertices;
  mesh.triangles = sheet.triangles;
  Region skin{"skin", 2, {}};
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) skin.members.push_back(static_cast<int>(t));
  mesh.shells = skin.members;
  mesh.regions = {skin};
  return mesh;
}

// `count` triangles around the edge from vertex 0 to vertex 1.
Mesh fan(int count) {
  Sheet sheet{{{0, 0, 0}, {0, 0, 2}}, {}};
  for (int t = 0; t < count; ++t) {
    sheet.vertices.emplace_back(std::cos(t), std::sin(t), 1);
    sheet.triangles.push_back({0, 1, t + 2});
  }
  return mesh_of(sheet);
}

// A band of 2 `count` triangles whose ends are joined after half a turn.
Mesh moebius_strip(int count) {
  Sheet sheet;
  for (int i = 0; i < count; ++i)
    for (const double side : {-0.3, 0.3}) {
      const double angle = 2 * std::numbers::pi * i / count, width = side * std::cos(angle / 2);
      sheet.vertices.emplace_back((1 + width) * std::cos(angle), (1 + width) * std::sin(angle), side * std::sin(angle / 2));
    }
  for (int i = 0; i < count; ++i) {
    const int a = 2 * i, b = a + 1, c = i + 1 < count ? a + 2 : 1, d = i + 1 < count ? a + 3 : 0;
    sheet.triangles.insert(sheet.triangles.end(), {{a, c, b}, {b, c, d}});
  }
  return mesh_of(sheet);
}

void flip_some(Mesh& mesh, unsigned seed) {
  std::mt19937 random(seed);
  for (auto& triangle : mesh.triangles)
    if (random() % 2) std::swap(triangle[0], triangle[1]);
}

// How often each directed edge is passed.
std::map<std::pair<int, int>, int> passes(const Mesh& mesh) {
  std::map<std::pair<int, int>, int> result;
  for (const auto& t : mesh.triangles)
    for (int i = 0; i < 3; ++i) ++result[{t[i], t[(i + 1) % 3]}];
  return result;
}

// The hinges' vertices as the two triangles have them, and every pair of triangles once.
void expect_good_hinges(const Mesh& mesh, const std::vector<Hinge>& hinges) {
  std::set<std::pair<int, int>> edges;
  for (const Hinge& hinge : hinges) {
    const auto [a, b, c, d] = hinge.vertices;
    EXPECT_TRUE(edges.insert(std::minmax(a, b)).second);
    ASSERT_NE(hinge.triangles[0], hinge.triangles[1]);
    const auto& first = mesh.triangles[hinge.triangles[0]];
    bool in_order = false;
    for (int i = 0; i < 3; ++i) in_order = in_order || (first[i] == a && first[(i + 1) % 3] == b && first[(i + 2) % 3] == c);
    EXPECT_TRUE(in_order);
    std::array<int, 3> second = mesh.triangles[hinge.triangles[1]], expected{a, b, d};
    std::sort(second.begin(), second.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(second, expected);
  }
}

TEST(FindHinges, OfAClosedSurfaceAreItsEdges) {
  for (const int splits : {0, 2}) {
    const Mesh mesh = mesh_of(sphere(splits));
    const std::vector<Hinge> hinges = find_hinges(mesh);
    EXPECT_EQ(hinges.size(), 3 * mesh.triangles.size() / 2);
    expect_good_hinges(mesh, hinges);
    // Outward triangles of a convex surface: all angles are positive.
    for (const Hinge& hinge : hinges) EXPECT_GT(DihedralAngle<double>(corners(mesh.vertices, hinge.vertices)).angle, 0.05);
  }
}

TEST(FindHinges, OfAnOpenSurfaceAreItsEdgesWithoutTheRim) {
  const int around = 7, along = 4;
  Mesh mesh = mesh_of(cylinder(around, along, 1, 2));
  EXPECT_EQ(find_hinges(mesh).size(), std::size_t(3 * around * along - around));
  flip_some(mesh, 5);  // neighbours may disagree
  const std::vector<Hinge> hinges = find_hinges(mesh);
  EXPECT_EQ(hinges.size(), std::size_t(3 * around * along - around));
  expect_good_hinges(mesh, hinges);
}

TEST(FindHinges, AreBetweenShellsOnly) {
  Mesh mesh = fan(5);
  mesh.shells = {1, 4};
  const std::vector<Hinge> hinges = find_hinges(mesh);
  ASSERT_EQ(hinges.size(), 1u);
  EXPECT_EQ(hinges[0].triangles, (std::array{1, 4}));
  EXPECT_EQ(hinges[0].vertices, (std::array{0, 1, 3, 6}));
  mesh.shells = {};
  EXPECT_TRUE(find_hinges(mesh).empty());
}

TEST(FindHinges, MoreThanTwoTrianglesAtAnEdgeAreRefused) {
  Mesh mesh = fan(5);
  mesh.shells = {0, 2, 4};
  EXPECT_EQ(input_error([&] { find_hinges(mesh); }),
            "sheet.msh: 3 shell triangles, among them 1, 3 and 5, meet in the edge from (0, 0, 0) to (0, 0, 2); a shell bends between "
            "two. Remesh, or leave some of them out");
}

// The prism over a regular polygon, whatever the order in which the rims' vertices come.
TEST(RimCaps, CloseAPrism) {
  for (const int around : {3, 4, 7, 12, 31}) {
    Mesh mesh = mesh_of(cylinder(around, 3, 0.5, 2));
    flip_some(mesh, 11);
    std::vector<int> number(mesh.vertices.size());
    for (std::size_t v = 0; v < number.size(); ++v) number[v] = static_cast<int>((5 * v) % number.size());
    if (number.size() % 5 != 0) {  // a permutation
      const std::vector<Vec3> places = mesh.vertices;
      for (std::size_t v = 0; v < number.size(); ++v) mesh.vertices[number[v]] = places[v];
      for (auto& triangle : mesh.triangles)
        for (int& vertex : triangle) vertex = number[vertex];
    }
    const std::vector<std::array<int, 3>> caps = rim_caps(mesh, mesh.regions[0]);
    EXPECT_EQ(caps.size(), std::size_t(2 * (around - 2)));
    std::map<int, int> caps_at;
    Region closed = mesh.regions[0];
    for (const auto& cap : caps) {
      for (int vertex : cap) ++caps_at[vertex];
      closed.members.push_back(static_cast<int>(mesh.triangles.size()));
      mesh.triangles.push_back(cap);
    }
    for (const auto& [vertex, count] : caps_at) EXPECT_LE(count, 4) << "around a rim of " << around;
    const double expected = 0.5 * around * std::sin(2 * std::numbers::pi / around) * 0.25 * 2;
    EXPECT_NEAR(orient_closed_surface(mesh, closed), expected, 1e-14 * expected);
  }
}

TEST(RimCaps, RimsThatTouchAreRefused) {
  const Mesh mesh = mesh_of({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}}, {{0, 1, 2}, {0, 3, 4}}});
  const std::string message = input_error([&] { rim_caps(mesh, mesh.regions[0]); });
  EXPECT_NE(message.find("sheet.msh: a rim of the region 'skin' does not close: 4 of its edges meet at (0, 0, 0), a corner of triangle "), std::string::npos)
      << message;
}

TEST(RimCaps, AClosedSurfaceIsRefused) {
  const Mesh mesh = mesh_of(sphere(0));
  EXPECT_EQ(input_error([&] { rim_caps(mesh, mesh.regions[0]); }), "sheet.msh: the region 'skin' has no rim; it is closed already");
}

TEST(OrientSurface, NeighboursOfAnOpenSurfaceAgree) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    Mesh mesh = mesh_of(cylinder(6, 5, 1, 1));
    flip_some(mesh, seed);
    orient_surface(mesh, mesh.regions[0]);
    for (const auto& [edge, count] : passes(mesh)) EXPECT_EQ(count, 1) << edge.first << " " << edge.second;
  }
}

// The first triangle is turned over, and half of the others' number, which have little area.
TEST(OrientSurface, TakesTheSideOfMostOfTheArea) {
  Mesh mesh = mesh_of({{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {2, 0, 0}, {2, 1, 0}, {2.01, 0, 0}, {2.01, 1, 0}},
                       {{1, 0, 2}, {0, 2, 3}, {1, 4, 5}, {1, 5, 2}, {6, 4, 7}, {7, 4, 5}}});
  orient_surface(mesh, mesh.regions[0]);
  for (const auto& t : mesh.triangles)
    EXPECT_GT((mesh.vertices[t[1]] - mesh.vertices[t[0]]).cross(mesh.vertices[t[2]] - mesh.vertices[t[0]]).z(), 0) << t[0] << " " << t[1] << " " << t[2];
}

TEST(OrientSurface, ChangesOnlyTheRegion) {
  Mesh mesh = mesh_of(cylinder(6, 5, 1, 1));
  flip_some(mesh, 4);
  const auto before = mesh.triangles;
  orient_surface(mesh, {"part", 2, {0, 1, 2, 3}});
  for (std::size_t t = 4; t < before.size(); ++t) EXPECT_EQ(mesh.triangles[t], before[t]);
}

TEST(OrientSurface, ASurfaceWithOneSideIsRefused) {
  Mesh mesh = moebius_strip(12);
  EXPECT_EQ(find_hinges(mesh).size(), 24u);  // but it bends
  const std::string message = input_error([&] { orient_surface(mesh, mesh.regions[0]); });
  EXPECT_NE(message.find("sheet.msh: the region 'skin' can't be oriented: near ("), std::string::npos) << message;
  EXPECT_NE(message.find("it has one side only"), std::string::npos) << message;
}

TEST(OrientSurface, ThreeTrianglesAtAnEdgeAreRefused) {
  Mesh mesh = fan(3);
  EXPECT_EQ(input_error([&] { orient_surface(mesh, mesh.regions[0]); }),
            "sheet.msh: the region 'skin' is non-manifold: the edge from (0, 0, 0) to (0, 0, 2) belongs to 3 triangles. Leave some of them out");
}

}  // namespace
}  // namespace traction::test
