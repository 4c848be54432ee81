// Surfaces of obstacles from STL and OBJ files, good and damaged.

#include <iomanip>
#include <sstream>

#include "unit/mesh/mesh_files.h"

namespace traction::test {
namespace {

// A tetrahedron with its normals outward.
const std::string kObj = R"(# tetrahedron
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
)";

const std::vector<std::array<Vec3, 3>> kFacets = {{Vec3(0, 0, 0), Vec3(0, 1, 0), Vec3(1, 0, 0)},
                                                  {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, 1)},
                                                  {Vec3(0, 0, 0), Vec3(0, 0, 1), Vec3(0, 1, 0)},
                                                  {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}};

std::string stl_text() {
  std::string text = "solid tetrahedron\n";
  for (const auto& facet : kFacets) {
    text += " facet normal 0 0 0\n  outer loop\n";
    for (const Vec3& x : facet) text += "   vertex " + std::to_string(x[0]) + " " + std::to_string(x[1]) + " " + std::to_string(x[2]) + "\n";
    text += "  endloop\n endfacet\n";
  }
  return text + "endsolid tetrahedron\n";
}

std::string stl_binary(const std::string& comment = "binary") {
  std::string bytes = comment + std::string(80 - comment.size(), ' ');
  const auto add = [&](auto value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
  add(static_cast<std::uint32_t>(kFacets.size()));
  for (const auto& facet : kFacets) {
    for (int i = 0; i < 3; ++i) add(0.0f);
    for (const Vec3& x : facet)
      for (double coordinate : x) add(static_cast<float>(coordinate));
    add(std::uint16_t{0});
  }
  return bytes;
}

double enclosed_volume(const SurfaceMesh& mesh) {
  double sum = 0;
  for (const auto& t : mesh.triangles) sum += mesh.vertices[t[0]].cross(mesh.vertices[t[1]]).dot(mesh.vertices[t[2]]) / 6;
  return sum;
}

class ReadSurface : public testing::Test {
 protected:
  SurfaceMesh read(const std::string& name, const std::string& bytes) { return read_surface(folder_.write(name, bytes)); }

  void expect_tetrahedron(const SurfaceMesh& mesh) {
    EXPECT_EQ(mesh.vertices.size(), 4u);
    EXPECT_EQ(mesh.triangles.size(), 4u);
    EXPECT_TRUE(mesh.closed);
    EXPECT_DOUBLE_EQ(enclosed_volume(mesh), 1.0 / 6);
  }

  void expect_refused(const std::string& name, const std::string& bytes, const std::string& words) {
    try {
      read(name, bytes);
      FAIL() << "read: " << bytes.substr(0, 200);
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  }

  TemporaryFolder folder_;
};

TEST_F(ReadSurface, AllFormatsHoldTheSameTetrahedron) {
  expect_tetrahedron(read("a.obj", kObj));
  expect_tetrahedron(read("a.stl", stl_text()));
  expect_tetrahedron(read("b.stl", stl_binary()));
  expect_tetrahedron(read("c.stl", stl_binary("solid, and yet binary")));
  expect_tetrahedron(read("d.stl", stl_binary() + "what some exporters add"));
  expect_tetrahedron(read("f.STL", stl_text()));
  expect_tetrahedron(read("f.Obj", kObj));
}

TEST_F(ReadSurface, ObjCornersMayHaveTexturesAndNormalsAndCountBackwards) {
  expect_tetrahedron(read("a.obj", replaced(kObj, "f 1 3 2", "vt 0 0\nvn 0 0 1\nf 1/1/1 3//1 2/1")));
  expect_tetrahedron(read("a.obj", replaced(kObj, "f 2 3 4", "f -3 -2 -1")));
  expect_tetrahedron(read("a.obj", replaced(kObj, "v 0 0 1", "v 0 +0 1.0 0.5 0.5 0.5")));  // with a colour
}

TEST_F(ReadSurface, PolygonsAreCutIntoTriangles) {
  // An L of six corners, not convex, whose area is 3.
  const SurfaceMesh sheet = read("l.obj", "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nf 1 2 3 4 5 6\n");
  EXPECT_EQ(sheet.triangles.size(), 4u);
  EXPECT_FALSE(sheet.closed);
  Vec3 area = Vec3::Zero();
  for (const auto& t : sheet.triangles) area += (sheet.vertices[t[1]] - sheet.vertices[t[0]]).cross(sheet.vertices[t[2]] - sheet.vertices[t[0]]) / 2;
  EXPECT_NEAR((area - Vec3(0, 0, 3)).norm(), 0, 1e-14);
  expect_refused("line.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nf 1 2 3 4\n", "line.obj:5: the polygon cannot be cut into triangles");
}

TEST_F(ReadSurface, CollapsedTrianglesAreLeftOut) { expect_tetrahedron(read("a.obj", kObj + "v 1 0 -0\nf 2 5 1\nf 1 1 1\n")); }

// Two squares side by side, the second with a vertex inside the edge that they share, and with corners that differ by `gap`.
SurfaceMesh expect_strip(const SurfaceMesh& mesh, std::size_t triangles, std::size_t open) {
  EXPECT_EQ(mesh.triangles.size(), triangles);
  std::map<std::pair<int, int>, int> edges;
  double area = 0;
  for (const auto& t : mesh.triangles) {
    for (int i = 0; i < 3; ++i) ++edges[std::minmax(t[i], t[(i + 1) % 3])];
    area += (mesh.vertices[t[1]] - mesh.vertices[t[0]]).cross(mesh.vertices[t[2]] - mesh.vertices[t[0]]).z() / 2;
  }
  EXPECT_EQ(std::count_if(edges.begin(), edges.end(), [](const auto& edge) { return edge.second == 1; }), static_cast<long>(open));
  EXPECT_NEAR(area, 2, 1e-3);
  return mesh;
}

std::string strip(double gap) {
  std::ostringstream text;
  text << std::setprecision(17) << "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n"
       << "v " << 1 + gap << " 0 0\nv 2 0 0\nv 2 1 0\nv " << 1 + gap << " 1 0\nv " << 1 + gap << " 0.3 0\nv " << 1 + gap << " 0.31 0\n"
       << "f 5 6 9\nf 9 6 10\nf 10 6 7\nf 10 7 8\nl 3 8\n";
  return text.str();
}

TEST_F(ReadSurface, SeamsOfPartsThatNearlyMatchAreClosed) {
  for (const double gap : {0.0, 1e-9, -5e-7}) {
    SCOPED_TRACE(gap);
    const SurfaceMesh mesh = expect_strip(read("a.obj", strip(gap)), 8, 6);
    EXPECT_EQ(mesh.vertices.size(), 8u);
    EXPECT_TRUE(mesh.segments.empty());
  }
  EXPECT_EQ(expect_strip(read("a.obj", strip(1e-4)), 6, 10).vertices.size(), 10u);
  std::string bytes = stl_text();  // the corner at (1, 0, 0) differs between facets
  for (const std::string corner : {"vertex 1.0000001 0 0", "vertex 1 0 1e-7"}) bytes = replaced(bytes, "vertex 1.000000 0.000000 0.000000", corner);
  const SurfaceMesh mesh = read("a.stl", bytes);
  EXPECT_TRUE(mesh.closed);
  EXPECT_EQ(mesh.vertices.size(), 4u);
}

// A triangle, a wire of two segments that starts at its corner, a nail, and what is part of them already: an edge, a corner, a segment of no length.
void expect_triangle_wire_and_nail(const SurfaceMesh& mesh) {
  ASSERT_EQ(mesh.triangles.size(), 1u);
  ASSERT_EQ(mesh.segments.size(), 2u);
  ASSERT_EQ(mesh.points.size(), 1u);
  EXPECT_FALSE(mesh.closed);
  EXPECT_EQ(mesh.vertices[mesh.points[0]], Vec3(9, 9, 9));
  double length = 0;
  for (const auto& [a, b] : mesh.segments) length += (mesh.vertices[a] - mesh.vertices[b]).norm();
  EXPECT_DOUBLE_EQ(length, 3);
}

TEST_F(ReadSurface, SegmentsAndPointsOfEveryFormat) {
  expect_triangle_wire_and_nail(read("a.obj",
                                     "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 3 0 0\nv 3 0 1\nv 9 9 9\nv 1 0 0\n"
                                     "f 1 2 3\nl 7 4/1 5\nl 5 4\nl 2 1\nl 2 7\np 6 2\np -2 4\n"));
  const std::string nodes = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n7\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 3 0 0\n5 3 0 1\n6 9 9 9\n7 5 5 5\n$EndNodes\n";
  // The last three are in no physical group; only triangles need none.
  expect_triangle_wire_and_nail(read("a.msh", nodes +
                                                  "$Elements\n7\n1 1 2 7 1 2 4\n2 1 2 7 1 4 5\n3 1 2 7 1 1 2\n4 15 2 8 1 6\n5 2 2 0 1 1 2 3\n6 1 2 0 1 3 6\n"
                                                  "7 15 2 0 1 7\n$EndElements\n"));
  expect_triangle_wire_and_nail(read("a.vtk",
                                     "# vtk DataFile Version 3.0\nwires\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 6 double\n"
                                     "0 0 0 1 0 0 0 1 0 3 0 0 3 0 1 9 9 9\nCELLS 5 16\n3 0 1 2\n3 1 3 4\n2 0 1\n1 5\n2 4 3\nCELL_TYPES 5\n5\n4\n3\n1\n3\n"));
}

TEST_F(ReadSurface, OtherElementsAreRefused) {
  expect_refused("a.obj", "v 0 0 0\nl 1\n", "a.obj:2: a line of 1 vertices");
  expect_refused("a.obj", "v 0 0 0\nv 0 0 0\nl 1 2\n", "holds no triangles, nor segments or points");
  const std::string msh = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n1\n";
  expect_refused("a.msh", msh + "1 4 2 7 1 1 2 3 4\n$EndElements\n", "holds tetrahedra, but an obstacle is a surface");
  expect_refused("a.msh", msh + "1 1 2 0 1 1 2\n$EndElements\n", "holds no triangles, nor segments or points");
  expect_refused("a.vtk",
                 "# vtk DataFile Version 3.0\nwires\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n0 0 0 1 0 0 1 1 0 0 1 0\nCELLS 1 5\n4 0 1 2 3\n"
                 "CELL_TYPES 1\n9\n",
                 "an obstacle has triangles, lines, poly-lines and vertices");
  expect_refused("a.ply", "ply", "give .stl, .obj, .msh, .vtu or .vtk");
}

TEST_F(ReadSurface, ObjThatIsDamagedIsRefusedWithItsLine) {
  for (const char* corner : {"5", "0", "-5", "-2147483648", "2147483648", "99999999999999999999", "x", "/1"})
    expect_refused("a.obj", replaced(kObj, "f 1 3 2", std::string("f 1 3 ") + corner), "a.obj:6: there is no vertex '");
  expect_refused("a.obj", "f 1 2 3\n" + kObj, "a.obj:1: there is no vertex '1' among the 0");
  expect_refused("a.obj", replaced(kObj, "f 1 3 2", "f 1 3"), "a.obj:6: a face of 2 corners");
  for (const char* coordinate : {"", "x", "1e", "1e999"})
    expect_refused("a.obj", replaced(kObj, "v 0 0 1", std::string("v 0 0 ") + coordinate), "a.obj:5: a vertex needs three numbers");
  for (const char* coordinate : {"nan", "inf", "-inf"})
    expect_refused("a.obj", replaced(kObj, "v 0 0 1", std::string("v 0 0 ") + coordinate), "a.obj:5: a vertex is not finite");
  expect_refused("a.obj", "\n", "holds no triangles");
  expect_refused("a.obj", "", "a.obj: the file is empty");
}

TEST_F(ReadSurface, StlThatIsDamagedIsRefused) {
  const std::string text = stl_text(), binary = stl_binary();
  expect_refused("a.stl", replaced(text, "   vertex 0.000000 1.000000 0.000000\n", ""), "a.stl:7: a facet of 2 vertices");
  expect_refused("a.stl", replaced(text, " endfacet\n", ""), "a facet of 6 vertices");
  expect_refused("a.stl", replaced(text, "1.000000", "1.0.0"), "a.stl:5: a vertex needs three numbers");
  expect_refused("a.stl", text.substr(0, text.size() / 2), "the file ends before its surface does");
  expect_refused("a.stl", binary.substr(0, binary.size() - 1), "nor a binary one of 4 triangles");
  expect_refused("a.stl", binary.substr(0, 50), "nor a binary one");
  std::string many = binary;
  many.replace(80, 4, "\xff\xff\xff\xff");
  expect_refused("a.stl", many, "nor a binary one of 4294967295 triangles");
  std::string wild = binary;
  wild.replace(84 + 50 + 12, 4, std::string("\0\0\xc0\x7f", 4));
  expect_refused("a.stl", wild, "a.stl:2: the triangle of this number has a vertex that is not finite");
}

}  // namespace
}  // namespace traction::test
