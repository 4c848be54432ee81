// Tetrahedra that share space, flat ones, and parts that hang together by a vertex or a line.

#include "mesh/mesh_faults.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <map>
#include <numbers>
#include <numeric>
#include <random>

#include "mesh/shells.h"
#include "support/two_boxes.h"
#include "unit/mesh/mesh_files.h"

namespace traction::test {
namespace {

Mesh box(const Vec3& lower, const Vec3& upper, const std::array<int, 3>& cells) { return box_mesh("box", lower, upper, cells); }

// One mesh of both, in which vertices at the same place are one.
Mesh welded(const Mesh& first, const Mesh& second) {
  Mesh mesh = join(first, second);
  std::map<std::array<double, 3>, int> places;
  std::vector<int> numbers;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const Vec3& x = mesh.vertices[v];
    numbers.push_back(places.try_emplace({x.x(), x.y(), x.z()}, static_cast<int>(v)).first->second);
  }
  for (auto& element : mesh.tetrahedra)
    for (int& vertex : element) vertex = numbers[vertex];
  return mesh;
}

// Turned about a random axis by a random angle, and moved.
Mesh turned(Mesh mesh, unsigned seed, double distance) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  const Vec3 axis = Vec3(number(random), number(random), number(random)).normalized();
  const Mat3 rotation = Eigen::AngleAxisd(std::numbers::pi * number(random), axis).toRotationMatrix();
  const Vec3 shift = distance * Vec3(number(random), number(random), number(random));
  for (Vec3& x : mesh.vertices) x = rotation * x + shift;
  return mesh;
}

MeshDoubts doubts(const Mesh& mesh) { return doubts_about(mesh.vertices, mesh.tetrahedra, std::vector<char>(mesh.vertices.size(), 0)); }

void expect_sound(const Mesh& mesh) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const Mesh placed = turned(mesh, seed, seed % 2 == 0 ? 0 : 1e3);
    EXPECT_NO_THROW(refuse_overlaps(placed)) << seed;
    EXPECT_FALSE(doubts(placed).crossing) << seed;
  }
}

TEST(Overlaps, NeighboursShareNoSpace) {
  expect_sound(box({0, 0, 0}, {1, 2, 3}, {2, 3, 4}));
  // Beside each other with the same and with other faces, whether or not the vertices are joined; by an edge; by a vertex.
  const Mesh first = box({0, 0, 0}, {1, 1, 1}, {2, 2, 2});
  for (const Mesh& second : {box({1, 0, 0}, {2, 1, 1}, {2, 2, 2}), box({1, 0, 0}, {2, 1, 1}, {3, 5, 3}), box({1, 1, 0}, {2, 2, 1}, {2, 2, 2}),
                             box({1, 1, 1}, {2, 2, 2}, {2, 2, 2})}) {
    expect_sound(join(first, second));
    expect_sound(welded(first, second));
  }
}

TEST(Overlaps, WhatIsMeshedTwiceIsRefused) {
  const Mesh first = box({0, 0, 0}, {1, 1, 1}, {2, 2, 2});
  // A copy; another mesh of the same block; a block that reaches half way into it; one in its middle; one around it.
  for (const Mesh& second : {first, box({0, 0, 0}, {1, 1, 1}, {3, 3, 3}), box({0.5, 0, 0}, {1.5, 1, 1}, {2, 2, 2}),
                             box({0.4, 0.4, 0.4}, {0.6, 0.6, 0.6}, {1, 1, 1}), box({-1, -1, -1}, {2, 2, 2}, {1, 1, 1})})
    for (unsigned seed = 0; seed < 5; ++seed)
      EXPECT_NE(input_error([&] { refuse_overlaps(turned(join(first, second), seed, 10)); }).find(" overlap at ("), std::string::npos) << seed;
}

TEST(Overlaps, BothTetrahedraAndThePlaceAreNamed) {
  Mesh mesh;
  mesh.source = "fold.msh";
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.3, 0.3, -1}, {0.1, 0.1, 0.4}};
  mesh.tetrahedra = {{0, 1, 2, 3}, {0, 2, 1, 4}};
  EXPECT_NO_THROW(refuse_overlaps(mesh));
  mesh.tetrahedra = {{0, 1, 2, 3}, {0, 1, 2, 5}};  // two above one face
  EXPECT_EQ(
      input_error([&] { refuse_overlaps(mesh); }),
      "fold.msh: the tetrahedra 1 and 2 overlap at (0.333333, 0.333333, 0): the body would have its mass and stiffness twice there. Remove what is meshed "
      "twice (Gmsh: Coherence, or BooleanFragments), or remesh without folds");
  mesh.tetrahedra = {{0, 1, 2, 3}, {0, 1, 2, 3}};  // no outer face is left
  EXPECT_NE(input_error([&] { refuse_overlaps(mesh); }).find("the tetrahedra 1 and 2 overlap"), std::string::npos);
}

// Tetrahedra about one vertex, whose cones overlap: they share no face, and their edges pass through each other's faces.
TEST(Overlaps, AboutAVertexAreFound) {
  Mesh mesh;
  mesh.source = "cone.msh";
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.6, 0.2, 0.2}, {0.2, 0.6, 0.2}, {0.2, 0.2, 0.6}};
  mesh.tetrahedra = {{0, 1, 2, 3}, {0, 4, 5, 6}};
  EXPECT_NE(input_error([&] { refuse_overlaps(mesh); }).find(" overlap at "), std::string::npos);
}

// Blocks that reach into each other by less than the middle of a tetrahedron.
TEST(MeshDoubts, SurfacesThatCrossAreFound) {
  const Mesh mesh = join(box({0, 0, 0}, {1, 1, 1}, {2, 2, 2}), box({0.95, 0.1, 0.1}, {2, 1.1, 1.1}, {2, 2, 2}));
  for (unsigned seed = 0; seed < 5; ++seed) {
    const Mesh placed = turned(mesh, seed, 10);
    EXPECT_NO_THROW(refuse_overlaps(placed));
    EXPECT_TRUE(doubts(placed).crossing);
  }
  const Vec3 at = doubts(mesh).crossing.value();
  EXPECT_TRUE((at.array() >= Vec3(0.95, 0.1, 0.1).array() - 1e-12).all() && (at.array() <= 1 + 1e-12).all()) << at.transpose();
}

TEST(MeshDoubts, HingesAreFound) {
  const Mesh first = box({0, 0, 0}, {1, 1, 1}, {2, 2, 2});
  const MeshDoubts by_edge = doubts(welded(first, box({1, 1, 0}, {2, 2, 1}, {2, 2, 2})));
  ASSERT_TRUE(by_edge.hinge);
  EXPECT_TRUE(by_edge.hinge_is_edge);
  EXPECT_EQ(*by_edge.hinge, Vec3(1, 1, 0));
  const Mesh corner = welded(first, box({1, 1, 1}, {2, 2, 2}, {2, 2, 2}));
  const MeshDoubts by_vertex = doubts(corner);
  ASSERT_TRUE(by_vertex.hinge);
  EXPECT_FALSE(by_vertex.hinge_is_edge);
  EXPECT_EQ(*by_vertex.hinge, Vec3(1, 1, 1));
  EXPECT_FALSE(doubts(welded(first, box({1, 0, 0}, {2, 1, 1}, {2, 2, 2}))).hinge);
  EXPECT_FALSE(doubts(join(first, box({1, 1, 1}, {2, 2, 2}, {2, 2, 2}))).hinge);  // not joined at all
  // Other elements hold the parts.
  std::vector<char> stiffened(corner.vertices.size(), 0);
  for (std::size_t v = 0; v < stiffened.size(); ++v) stiffened[v] = corner.vertices[v] == Vec3(1, 1, 1);
  EXPECT_FALSE(doubts_about(corner.vertices, corner.tetrahedra, stiffened).hinge);
}

// A fin of two squares and a rod on a cube that they meet in an edge and a vertex, then with a row of triangles on its face and a segment along its edge.
TEST(LooseParts, ShellsOnALineAndRodsOnAVertexAreFound) {
  Mesh mesh = box({0, 0, 0}, {1, 1, 1}, {1, 1, 1});
  const auto vertex = [&](const Vec3& at) {
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
      if (mesh.vertices[v] == at) return static_cast<int>(v);
    mesh.vertices.push_back(at);
    return static_cast<int>(mesh.vertices.size()) - 1;
  };
  mesh.triangles.clear();
  const auto square = [&](const Vec3& corner, const Vec3& along) {
    const int a = vertex(corner), b = vertex(corner + along), c = vertex(corner + along + Vec3::UnitY()), d = vertex(corner + Vec3::UnitY());
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  };
  square({1, 0, 1}, {1, 0, 0});
  square({2, 0, 1}, {1, 0, 0});
  const auto segment = [&](const Vec3& from, const Vec3& to) { mesh.rods.push_back({{vertex(from), vertex(to), vertex(Vec3(9, 9, 9))}}); };
  segment({0, 0, 1}, {0, 0, 2});
  segment({0, 0, 2}, {0, 0, 3});
  const auto found = [&] {
    mesh.shells.resize(mesh.triangles.size());
    std::iota(mesh.shells.begin(), mesh.shells.end(), 0);
    mesh.hinges = find_hinges(mesh);
    return find_loose_parts(mesh, std::vector<char>(mesh.vertices.size(), 0));
  };
  const std::vector<LoosePart> loose = found();
  ASSERT_EQ(loose.size(), 2u);
  EXPECT_FALSE(loose[0].is_rod);
  EXPECT_TRUE(loose[0].meets_edge);
  EXPECT_EQ(Vec3(loose[0].place - Vec3(1, loose[0].place.y(), 1)), Vec3::Zero());
  EXPECT_TRUE(loose[1].is_rod);
  EXPECT_FALSE(loose[1].meets_edge);
  EXPECT_EQ(loose[1].place, Vec3(0, 0, 1));

  std::vector<char> attached(mesh.vertices.size(), 0);
  attached[vertex({3, 0, 1})] = attached[vertex({0, 0, 3})] = 1;
  EXPECT_TRUE(find_loose_parts(mesh, attached).empty());

  square({1, 0, 1}, {-1, 0, 0});
  segment({0, 0, 1}, {0, 0, 0});
  EXPECT_TRUE(found().empty());
}

// Three vertices that are not on one line hold two parts, although no face does.
TEST(MeshDoubts, ThreeVerticesAreNoHinge) {
  const Mesh beside = join(box({0, 0, 0}, {1, 1, 1}, {2, 2, 2}), box({1, 0, 0}, {2, 1, 1}, {2, 2, 2}));
  const auto hinge = [&](const std::vector<Vec3>& places) {
    Mesh mesh = beside;
    for (const Vec3& place : places) {
      const auto first = std::find(mesh.vertices.begin(), mesh.vertices.end(), place);
      const auto second = std::find(first + 1, mesh.vertices.end(), place);
      for (auto& element : mesh.tetrahedra)
        std::replace(element.begin(), element.end(), int(second - mesh.vertices.begin()), int(first - mesh.vertices.begin()));
    }
    return doubts(mesh).hinge;
  };
  EXPECT_TRUE(hinge({{1, 0, 0}, {1, 0.5, 0.5}, {1, 1, 1}}));
  EXPECT_FALSE(hinge({{1, 0, 0}, {1, 0, 1}, {1, 1, 1}}));
}

TEST(MeshDoubts, FlatTetrahedraAreCounted) {
  Mesh mesh = box({0, 0, 0}, {1, 1, 1}, {2, 2, 2});
  EXPECT_EQ(doubts(mesh).flat, 0u);
  EXPECT_EQ(doubts(box({0, 0, 0}, {1, 1, 1e-3}, {2, 2, 2})).flat, 0u);
  const int first = static_cast<int>(mesh.vertices.size());
  for (const Vec3& x : {Vec3(2, 0, 0), Vec3(3, 0, 0), Vec3(2, 1, 0), Vec3(2.25, 0.25, 1e-5), Vec3(2.25, 0.25, -1e-6)}) mesh.vertices.push_back(x);
  mesh.tetrahedra.push_back({first, first + 1, first + 2, first + 3});
  mesh.tetrahedra.push_back({first, first + 2, first + 1, first + 4});
  const MeshDoubts flat = doubts(mesh);
  EXPECT_EQ(flat.flat, 2u);
  EXPECT_NEAR(flat.least_height, 1e-6 / std::sqrt(2), 1e-9);
  EXPECT_NEAR((flat.flattest - Vec3(2.3125, 0.3125, -2.5e-7)).norm(), 0, 1e-9);
}

}  // namespace
}  // namespace traction::test
