#include "mesh/own_regions.h"

#include "mesh/mesh_builder.h"
#include "mesh/mesh_plan.h"
#include "support/box_mesh.h"
#include "unit/mesh/mesh_files.h"

namespace traction::test {
namespace {

const std::set<std::string> kBoth = {"all", "boundary"};

Mesh box_without_regions() {
  Mesh mesh = box_mesh("box", {0, 0, 0}, {1, 2, 3}, {2, 2, 2});
  mesh.regions.clear();
  return mesh;
}

// A mesh of the corners of a square, and a point that nothing uses, with these lines of $Elements.
std::string square_msh(const std::string& elements, int count) {
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 2 2 2\n$EndNodes\n$Elements\n" + std::to_string(count) + "\n" +
         elements + "$EndElements\n";
}

TEST(OwnRegions, HoldTheElementsOfASolidAndItsOuterFaces) {
  Mesh listed = box_without_regions(), bare = listed;
  for (std::size_t t = 0; t < listed.triangles.size(); t += 2) std::swap(listed.triangles[t][0], listed.triangles[t][1]);
  bare.triangles.clear();
  const std::size_t triangles = listed.triangles.size();
  for (Mesh* mesh : {&listed, &bare}) {
    add_own_regions(*mesh, kBoth);
    EXPECT_EQ(region_names(*mesh), (std::vector<std::string>{"all", "boundary"}));
    EXPECT_NEAR(measure(*mesh, "all"), 6, 1e-13);
    EXPECT_NEAR(measure(*mesh, "boundary"), 22, 1e-13);
    EXPECT_EQ(mesh->triangles.size(), triangles);  // none is added that the file lists
    check_elements(*mesh);
  }
  double outward = 0;
  for (const int t : bare.find_region("boundary")->members) outward += area_vector(bare, bare.triangles[t]).dot(bare.vertices[bare.triangles[t][0]]) / 3;
  EXPECT_NEAR(outward, 6, 1e-13);
}

TEST(OwnRegions, AreAddedOnlyIfWanted) {
  Mesh mesh = box_without_regions();
  mesh.triangles.clear();
  add_own_regions(mesh, {"core", "skin"});
  EXPECT_TRUE(mesh.regions.empty());
  EXPECT_TRUE(mesh.triangles.empty());
  add_own_regions(mesh, {"all", "skin"});
  EXPECT_EQ(region_names(mesh), std::vector<std::string>{"all"});
  EXPECT_EQ(own_regions(mesh), (std::vector<std::string>{"all", "boundary"}));
}

TEST(OwnRegions, NamesOfTheFileWin) {
  Mesh mesh = box_without_regions();
  mesh.regions = {{"Boundary", 2, {0, 1}}, {"all", 3, {3}}, {"core", 3, {0}}};
  add_own_regions(mesh, kBoth);
  EXPECT_EQ(region_names(mesh), (std::vector<std::string>{"Boundary", "all", "core"}));
  EXPECT_EQ(mesh.find_region("all")->members, std::vector<int>{3});
  EXPECT_EQ(own_regions(mesh), std::vector<std::string>{"all"});
  EXPECT_EQ(input_error([&] { require_region(mesh, "boundary", "scene.yaml:9", 2); }),
            "scene.yaml:9: box has no region 'boundary'; the nearest is 'Boundary' (it has: Boundary)");
  mesh.regions = {{empty_region("all"), 3, {}}};
  add_own_regions(mesh, kBoth);
  EXPECT_EQ(mesh.find_region("all"), nullptr);
  EXPECT_NE(mesh.find_region("boundary"), nullptr);
  EXPECT_NE(input_error([&] { require_region(mesh, "all", "scene.yaml:9", 3); }).find("is empty: the file names it"), std::string::npos);
}

TEST(OwnRegions, ShellsAndWires) {
  Mesh mesh = box_without_regions();
  mesh.tetrahedra.clear();
  const auto [a, b, c] = mesh.triangles[0];
  mesh.triangles.push_back({a, c, b});  // the same from its other side
  add_own_regions(mesh, kBoth);
  for (const char* name : {"all", "boundary"}) {
    EXPECT_EQ(mesh.find_region(name)->dimension, 2);
    EXPECT_NEAR(measure(mesh, name), 22, 1e-13);
  }
  Mesh wire;
  wire.source = "wire";
  wire.vertices = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  wire.segments = {{2, 1}, {0, 1}};
  add_own_regions(wire, kBoth);
  ASSERT_EQ(region_names(wire), std::vector<std::string>{"all"});
  EXPECT_EQ(wire.regions[0].dimension, 1);
  EXPECT_EQ(wire.regions[0].members, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(wire.regions[0].segments, (std::vector<int>{0, 1}));
  EXPECT_EQ(own_regions(wire), std::vector<std::string>{"all"});
}

TEST(OwnRegions, MessagesListThem) {
  Mesh mesh = box_without_regions();
  EXPECT_EQ(
      input_error([&] { require_region(mesh, "core", "scene.yaml:9"); }),
      "scene.yaml:9: box has no region 'core'; give its volumes and surfaces names, in Gmsh by Physical Volume and Physical Surface, in .vtu and .vtk files "
      "by a cell array 'region', or write 'all' for its elements, 'boundary' for its outer surface");
  EXPECT_EQ(input_error([&] { require_region(mesh, "box.all", "scene.yaml:9"); }),
            "scene.yaml:9: box has no region 'box.all'; give 'all', without the body's name");
  mesh.regions = {{"core", 3, {0}}};
  add_own_regions(mesh, {"all"});
  EXPECT_EQ(input_error([&] { require_region(mesh, "all", "scene.yaml:9", 2, "is not a surface"); }),
            "scene.yaml:9: region 'all' of box is not a surface; the outer surface of all elements is 'boundary'");
  EXPECT_EQ(input_error([&] { require_region(mesh, "boundry", "scene.yaml:9"); }),
            "scene.yaml:9: box has no region 'boundry'; the nearest is 'boundary' (it has: core, all, boundary)");
}

// Gmsh writes the lines around a surface, too.
TEST(OwnRegions, TrianglesInNoGroupAreElementsOfAShellThatNamesThem) {
  const TemporaryFolder folder;
  const std::string file = folder.write("square.msh", square_msh("1 1 2 0 1 1 2\n2 2 2 0 1 1 2 3\n3 2 2 7 1 1 3 4\n", 3));
  for (const std::string own : {"all", "boundary"}) {
    Mesh mesh = read_mesh(file, {}, {own});
    add_own_regions(mesh, {own});
    EXPECT_EQ(mesh.vertices.size(), 4u);
    EXPECT_EQ(region_names(mesh), (std::vector<std::string>{"physical_7", own}));
    EXPECT_EQ(measure(mesh, own), 1);
    EXPECT_EQ(measure(mesh, "physical_7"), 0.5);
  }
  EXPECT_EQ(read_mesh(file, {}, {"physical_7"}).triangles.size(), 1u);
  EXPECT_NE(input_error([&] { read_mesh(file, {"all"}, {"all"}); }).find("has no curve 'all' for a rod"), std::string::npos);
  const std::string named = replaced(contents(file), "$Nodes", "$PhysicalNames\n1\n2 7 \"All\"\n$EndPhysicalNames\n$Nodes");
  EXPECT_EQ(read_mesh(folder.write("named.msh", named), {}, {"all"}).triangles.size(), 1u);
}

TEST(OwnRegions, LinesInNoGroupAreElementsOfARodThatNamesThem) {
  const TemporaryFolder folder;
  const std::string file = folder.write("lines.msh", square_msh("1 1 2 0 1 2 1\n2 1 2 7 1 2 3\n3 1 2 0 1 3 2\n4 15 2 0 1 4\n", 4));
  const Mesh mesh = read_mesh(file, {"all"});
  EXPECT_EQ(mesh.vertices.size(), 3u);
  ASSERT_NE(mesh.find_region("all"), nullptr);
  EXPECT_EQ(mesh.find_region("all")->segments.size(), 2u);
  EXPECT_EQ(mesh.find_region("all")->copies, 0);
  EXPECT_EQ(mesh.find_region("physical_7")->segments.size(), 1u);
  EXPECT_EQ(read_mesh(file, {"physical_7"}).segments.size(), 1u);
}

}  // namespace
}  // namespace traction::test
