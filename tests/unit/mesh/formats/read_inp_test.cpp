#include <cmath>
#include <cstdlib>
#include <numbers>

#include "unit/mesh/mesh_files.h"

namespace traction::test {
namespace {

// Two tetrahedra that share the face 2 3 4, of volumes 1/6 and 1/3, as one would write them by hand.
const std::string kFlat = R"(** two tetrahedra
*Heading
 A title, with a comma
*node , nset = ALL
1, 0., 0., 0.
2, 1.D0, 0, 0
 3, , +1., 0
4, 0, 0, 10.E-1
** a comment between data

9, 1, 1, 1.
17, 9, 9, 9
*ELEMENT, TYPE=C3D4,
 ELSET=Rubber
1, 1, 2,
3, 4
7, 2, 3, 4, 9
*Element, type=S3R, elset=Skin
20, 1, 3, 2
*ELEMENT, TYPE=T3D2, ELSET=wire
30, 1, 9
*ELSET, ELSET=Both
RUBBER, 20, 30
*ELSET, ELSET=first
1,
*Nset, nset=Bottom, generate
1, 3
*NSET, NSET=rubber
1, 2
*NSET, NSET=odd, GENERATE
1, 9, 8
*NSET, NSET=of first, ELSET=first
*Surface, name=base, type=ELEMENT
first, S1
*SURFACE, NAME=outside
Rubber
*SURFACE, NAME=slanted
7, S3
*SURFACE, NAME=inward
Skin, SNEG
*SURFACE, NAME=contact nodes, TYPE=NODE
Bottom
9, 1.
*MATERIAL, NAME=nothing
*HYPERELASTIC, NEO HOOKE
1., 0.
*STEP
*STATIC
*NODE PRINT, NSET=ALL
U
*END STEP
)";

// As Abaqus/CAE writes an assembly: a part with a mesh that is placed twice, and one whose instance has the mesh.
const std::string kAssembly = R"(*Heading
** Job name: Job-1 Model name: Model-1
*Preprint, echo=NO, model=NO
*Part, name=Block
*Node
      1,           0.,           0.,           0.
      2,           1.,           0.,           0.
      3,           0.,           1.,           0.
      4,           0.,           0.,           1.
*Element, type=C3D4
1, 1, 2, 3, 4
*Nset, nset=Set-1, generate
 1,  4,  1
*Elset, elset=Set-1
 1,
*Elset, elset=_Top_S3, internal
 1,
*Surface, type=ELEMENT, name=Top
_Top_S3, S3
** Section: Section-1
*Solid Section, elset=Set-1, material=Rubber
,
*End Part
*Part, name=Plate
*End Part
*Assembly, name=Assembly
*Instance, name=Block-1, part=Block
*End Instance
*Instance, name=Block-2, part=Block
          10.,           0.,           0.
          10.,           0.,           0.,          10.,           0.,           1.,   90.
*End Instance
*Instance, name=Plate-1, part=Plate
 0., 0., -5.
*Node
 1, 0., 0., 0.
 2, 1., 0., 0.
 3, 0., 1., 0.
*Element, type=S3
 1, 1, 2, 3
*End Instance
*Node
 1, 3., 3., 3.
*Nset, nset=RP
 1,
*Nset, nset=held, instance=Block-2
 1, 2
*Nset, nset=held
 Plate-1.3,
*Elset, elset=both
 Block-1.Set-1, Block-2.1
*Surface, type=ELEMENT, name=s
 Block-1.Set-1, S1
 Block-2.Set-1, S1
*End Assembly
)";

class ReadInp : public testing::Test {
 protected:
  Mesh read(const std::string& text, const std::set<std::string>& rods = {}) { return read_mesh(folder.write("mesh.inp", text), rods); }
  std::string error(const std::string& text) {
    const std::string path = folder.write("mesh.inp", text), message = input_error([&] { read_mesh(path); });
    EXPECT_TRUE(message.starts_with(path + ":")) << message;
    return message.substr(std::min(message.size(), path.size() + 1));
  }
  // The error after `before`, once, is replaced by `after`; it must begin with the line of the replaced text, or one so many lines below.
  void expect(const std::string& text, const std::string& before, const std::string& after, const std::string& what, int below = 0) {
    const std::string message = error(replaced(text, before, after));
    const auto line = 1 + below + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find(before)), '\n');
    EXPECT_TRUE(message.starts_with(std::to_string(line) + ": ")) << line << " expected: " << message;
    EXPECT_NE(message.find(what), std::string::npos) << message;
  }
  TemporaryFolder folder;
};

TEST_F(ReadInp, ReadsFlatFiles) {
  const Mesh mesh = read(kFlat, {"wire"});
  ASSERT_EQ(mesh.vertices.size(), 5u);  // node 17 is not used
  EXPECT_EQ(mesh.vertices[2], Vec3(0, 1, 0));
  EXPECT_EQ(mesh.vertices[3], Vec3(0, 0, 1));
  ASSERT_EQ(mesh.tetrahedra.size(), 2u);
  EXPECT_EQ(mesh.tetrahedra[0], (std::array{0, 1, 2, 3}));
  EXPECT_EQ(mesh.tetrahedra[1], (std::array{1, 2, 3, 4}));
  EXPECT_EQ(mesh.segments.size(), 1u);
  EXPECT_NEAR(measure(mesh, "Rubber"), 1. / 6 + 1. / 3, 1e-15);
  EXPECT_NEAR(measure(mesh, "Both"), 0.5, 1e-15);
  EXPECT_NEAR(measure(mesh, "Both_surface"), 0.5, 1e-15);
  EXPECT_EQ(measure(mesh, "Both_curve"), 2);
  EXPECT_NEAR(measure(mesh, "first"), 1. / 6, 1e-15);
  EXPECT_EQ(measure(mesh, "Bottom"), 3);
  EXPECT_EQ(measure(mesh, "rubber"), -1);
  EXPECT_EQ(measure(mesh, "Rubber_point"), 2);
  EXPECT_EQ(measure(mesh, "odd"), 2);
  EXPECT_EQ(measure(mesh, "of first"), 4);
  EXPECT_EQ(measure(mesh, "contact nodes"), 4);
  EXPECT_EQ(measure(mesh, "ALL"), 5);
  EXPECT_EQ(mesh.find_region("solid"), nullptr);
}

TEST_F(ReadInp, OrientsFacesOutward) {
  const Mesh mesh = read(kFlat);
  const auto sum = [&](const char* name) {
    Vec3 total = Vec3::Zero();
    for (int t : mesh.find_region(name)->members) total += area_vector(mesh, mesh.triangles[t]);
    return total;
  };
  EXPECT_EQ(sum("base"), Vec3(0, 0, -0.5));
  EXPECT_EQ(sum("Skin"), Vec3(0, 0, -0.5));
  EXPECT_EQ(sum("inward"), Vec3(0, 0, 0.5));
  EXPECT_EQ(sum("slanted"), area_vector(mesh, {2, 3, 4}));
  // All free faces of both: a closed surface of six triangles around the whole.
  const Region outside = *mesh.find_region("outside");
  EXPECT_EQ(outside.members.size(), 6u);
  EXPECT_LT(sum("outside").norm(), 1e-15);
  Mesh copy = mesh;
  EXPECT_NEAR(orient_closed_surface(copy, outside), 0.5, 1e-15);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) EXPECT_EQ(copy.triangles[t], mesh.triangles[t]);
  EXPECT_EQ(outward_faces(mesh, outside).size(), 6u);
}

TEST_F(ReadInp, ReadsEachFaceOfATetrahedronOutward) {
  for (int face = 1; face <= 4; ++face) {
    const Mesh mesh = read("*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n*ELEMENT,TYPE=C3D4\n1,1,2,3,4\n*SURFACE,NAME=s\n1,S" + std::to_string(face) + "\n");
    const auto outward = outward_faces(mesh, *mesh.find_region("s"));
    ASSERT_EQ(outward.size(), 1u);
    EXPECT_LT((area_vector(mesh, outward[0]) - area_vector(mesh, mesh.triangles[0])).norm(), 1e-15) << face;
    const Vec3 normals[] = {{0, 0, -0.5}, {0, -0.5, 0}, {0.5, 0.5, 0.5}, {-0.5, 0, 0}};
    EXPECT_EQ(area_vector(mesh, mesh.triangles[0]), normals[face - 1]) << face;
    EXPECT_NE(mesh.find_region("solid"), nullptr);  // an element in no set
  }
}

TEST_F(ReadInp, PlacesInstances) {
  const Mesh mesh = read(kAssembly);
  EXPECT_EQ(mesh.tetrahedra.size(), 2u);
  EXPECT_EQ(mesh.vertices.size(), 11u);
  // Node 2 of Block-2: moved to (11, 0, 0), then turned by 90 degrees about the vertical axis through (10, 0, 0).
  EXPECT_LT((mesh.vertices[5] - Vec3(10, 1, 0)).norm(), 1e-14);
  EXPECT_LT((mesh.vertices[4] - Vec3(10, 0, 0)).norm(), 1e-14);
  EXPECT_EQ(mesh.vertices[9], Vec3(1, 0, -5));
  EXPECT_NEAR(measure(mesh, "Block-1"), 1. / 6, 1e-15);
  EXPECT_NEAR(measure(mesh, "Block-2.Set-1"), 1. / 6, 1e-15);
  EXPECT_EQ(measure(mesh, "Block-1.Set-1_point"), 4);
  EXPECT_NEAR(measure(mesh, "Block-1.Top"), std::sqrt(3) / 2, 1e-15);
  EXPECT_NEAR(measure(mesh, "Plate-1"), 0.5, 1e-15);
  EXPECT_NEAR(measure(mesh, "both"), 1. / 3, 1e-15);
  EXPECT_NEAR(measure(mesh, "s"), 1, 1e-14);
  EXPECT_EQ(measure(mesh, "held"), 3);
  EXPECT_EQ(measure(mesh, "RP"), -1);  // a reference point, which no element uses
}

TEST_F(ReadInp, FollowsIncludes) {
  const std::size_t at = kFlat.find("*ELEMENT");
  folder.write("nodes.inc", kFlat.substr(kFlat.find("4, 0"), at - kFlat.find("4, 0")));
  EXPECT_NEAR(volume(read(kFlat.substr(0, kFlat.find("4, 0")) + "*Include, input=nodes.inc\n" + kFlat.substr(at))), 0.5, 1e-15);
  const std::string mesh = kFlat.substr(0, kFlat.find("4, 0")) + "*INCLUDE, INPUT=nodes.inc\n" + kFlat.substr(at);
  folder.write("nodes.inc", "4, 0, 0, 1\n5, a\n");
  EXPECT_NE(input_error([&] { read(mesh); }).find("nodes.inc:2: 'a' where a coordinate"), std::string::npos);
  folder.write("nodes.inc", "*INCLUDE, INPUT=mesh.inp\n");
  EXPECT_NE(input_error([&] { read(mesh); }).find("nodes.inc:1: *INCLUDE of mesh.inp inside itself"), std::string::npos);
  expect(kFlat, "*Heading", "*INCLUDE, INPUT=missing.inc", "no such file");
  expect(kFlat, "*Heading", "*INCLUDE", "without INPUT=FILE");
}

TEST_F(ReadInp, ReadsWhatGmshWrites) {
  const std::string geo = R"(SetFactory("OpenCASCADE"); Box(1) = {0, 0, 0, 2, 1, 1}; Physical Volume("core") = {1}; Physical Surface("bottom") = {5};
    Physical Surface("whole") = {1:6}; Physical Curve("edge") = {1}; Mesh.CharacteristicLengthMax = 0.5;)";
  const std::string msh = gmsh(folder, geo, "box", "-format msh41"), inp = folder.path("box.inp");
  ASSERT_EQ(std::system(("gmsh '" + msh + "' -save -format inp -o '" + inp + "' > /dev/null 2>&1 < /dev/null").c_str()), 0);
  const Mesh expected = read_mesh(msh), mesh = read_mesh(inp);
  EXPECT_EQ(mesh.tetrahedra.size(), expected.tetrahedra.size());
  EXPECT_EQ(mesh.vertices.size(), expected.vertices.size());
  check_elements(mesh);
  for (const char* name : {"core", "bottom", "whole", "edge"}) EXPECT_NEAR(measure(mesh, name), measure(expected, name), 1e-9) << name;
  EXPECT_NEAR(measure(mesh, "Volume1"), 2, 1e-9);
  EXPECT_NEAR(measure(mesh, "whole"), 10, 1e-9);
}

// Nodes are numbered as in Abaqus: corners, then the middles of 1-2, 2-3, 3-1, 1-4, 2-4, 3-4. The bent edge has its middle where the file has it.
TEST_F(ReadInp, ReadsTenNodeTetrahedra) {
  const std::string nodes = "*NODE\n1,0,0,0\n2,2,0,0\n3,0,2,0\n4,0,0,2\n5,1,0,0\n6,1.1,1.1,0\n7,0,1,0\n8,0,0,1\n9,1,0,1\n10,0,1,1\n";
  const Mesh mesh = read(nodes + "*ELEMENT,TYPE=C3D10,ELSET=core\n1,1,2,3,4,5,6,7,\n8,9,10\n*SURFACE,NAME=base\ncore,S1\n*NSET,NSET=all,ELSET=core\n");
  ASSERT_EQ(mesh.quadratics.size(), 1u);
  EXPECT_EQ(mesh.tetrahedra.size(), 8u);
  EXPECT_EQ(mesh.find_region("base")->members.size(), 4u);  // the face in four parts
  EXPECT_EQ(mesh.find_region("all")->members.size(), 10u);
  for (std::size_t e = 0; e < kTetrahedronEdges.size(); ++e) {
    const auto& vertices = mesh.quadratics[0].vertices;
    const auto& [a, b] = kTetrahedronEdges[e];
    const Vec3 middle = (mesh.vertices[vertices[a]] + mesh.vertices[vertices[b]]) / 2, bent(1.1, 1.1, 0);
    const Vec3 found = mesh.vertices[vertices[4 + e]];
    EXPECT_LT((found - (middle == Vec3(1, 1, 0) ? bent : middle)).norm(), 1e-15) << e;
  }
}

TEST_F(ReadInp, ReadsWhatGmshWritesInSecondOrder) {
  const std::string geo = R"(SetFactory("OpenCASCADE"); Sphere(1) = {0, 0, 0, 1}; Physical Volume("core") = {1}; Physical Surface("skin") = {1};
    Mesh.CharacteristicLengthMax = 0.7; Mesh.ElementOrder = 2;)";
  const std::string msh = gmsh(folder, geo, "ball", "-format msh41"), inp = folder.path("ball.inp");
  ASSERT_EQ(std::system(("gmsh '" + msh + "' -save -format inp -o '" + inp + "' > /dev/null 2>&1 < /dev/null").c_str()), 0);
  const Mesh expected = read_mesh(msh), mesh = read_mesh(inp);
  ASSERT_GT(expected.quadratics.size(), 0u);
  EXPECT_EQ(mesh.quadratics.size(), expected.quadratics.size());
  EXPECT_EQ(mesh.vertices.size(), expected.vertices.size());
  for (const char* name : {"core", "skin"}) EXPECT_NEAR(measure(mesh, name), measure(expected, name), 1e-9) << name;
}

TEST_F(ReadInp, RefusesWhatItCannotRead) {
  expect(kFlat, "type=S3R", "type=S4R", "elements of type S4R: only tetrahedra");
  expect(kFlat, "TYPE=C3D4", "TYPE=C3D8", "elements of type C3D8: only tetrahedra (C3D4, C3D10)");
  expect(kFlat, "*Heading", "*NGEN, NSET=A", "*NGEN changes the mesh");
  expect(kFlat, "*node , nset = ALL", "*node, SYSTEM=C", "Cartesian");
  expect(kFlat, "name=base, type=ELEMENT", "name=base, type=CYLINDER", "only surfaces of type ELEMENT and NODE");
  expect(kFlat, "name=base, type=ELEMENT", "name=base, combine=UNION", "COMBINE");
  expect(kFlat, "ELSET=wire", "ELSET=\"a,b\"", "has a comma");
}

TEST_F(ReadInp, NamesTheLineOfAMistake) {
  expect(kFlat, "2, 1.D0", "2, 1.D", "'1.D' where a coordinate of a node, a finite number");
  expect(kFlat, "2, 1.D0", "2, 1e999", "finite number");
  expect(kFlat, "2, 1.D0", "1, 1.D0", "the node 1 is defined again; it is already in line 5");
  expect(kFlat, "7, 2, 3", "1, 2, 3", "the element 1 is defined again; it is already in line 15");
  expect(kFlat, "7, 2, 3", "7, 2, 5", "there is no node 5");
  expect(kFlat, "4, 9\n", "4\n", "element 7 has 3 nodes where its type C3D4 has 4");
  expect(kFlat, "4, 9\n", "4, 9, 1\n", "more than the 4 nodes");
  expect(kFlat, "20, 1, 3, 2", "20, 1, -3, 2", "'-3' where a node of an element");
  expect(kFlat, "RUBBER, 20", "RUBER, 20", "there is no set of elements 'RUBER' above");
  expect(kFlat, "RUBBER, 20", "RUBBER, 21", "there is no element 21");
  expect(kFlat, "1, 3\n*NSET, NSET=rubber", "1, 5\n*NSET, NSET=rubber", "there is no node 5 of those from 1 to 5");
  expect(kFlat, "1, 3\n*NSET, NSET=rubber", "3, 1\n*NSET, NSET=rubber", "FIRST, LAST, STEP");
  expect(kFlat, "first, S1", "first, S5", "a face is S1 to S4");
  expect(kFlat, "first, S1", "first, SPOS", "element 1 has no face SPOS");
  expect(kFlat, "name=base", "name=outside", "the surface 'outside' is defined again; it is already in line 33", 2);
  expect(kFlat, "NAME=inward", "NAME=skin", "'skin' is also the name of another set");
  expect(kFlat, "TYPE=C3D4,\n ELSET", "ELSET", "*ELEMENT needs TYPE=VALUE");
  expect(kAssembly, "part=Plate", "part=Plates", "there is no part 'Plates'");
  expect(kAssembly, "instance=Block-2", "instance=Block-3", "there is no instance 'Block-3'");
  expect(kAssembly, " Plate-1.3", " Plate-1.4", "there is no node 4");
  expect(kAssembly, "*End Part", "", "*PART can't stand inside a part", 1);
  expect(kAssembly, "*End Assembly\n", "", "no *END ASSEMBLY", -1);
  expect("*HEADING\n", "*HEADING", "$MeshFormat", "a keyword, such as *NODE, should come before data");
  expect("*HEADING\n", "*HEADING", "*NODE\n1", "there are no elements", 1);
}

TEST_F(ReadInp, SetsOfSetsDoNotGrow) {
  std::string text = "*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n*ELEMENT,TYPE=C3D4,ELSET=e0\n1,1,2,3,4\n";
  for (int i = 0; i < 40; ++i) text += "*ELSET,ELSET=e" + std::to_string(i + 1) + "\n" + "e" + std::to_string(i) + ", e" + std::to_string(i) + "\n";
  EXPECT_NEAR(measure(read(text), "e40"), 1. / 6, 1e-15);
}

TEST_F(ReadInp, RefusesDamagedFiles) {
  std::mt19937 random(1);
  int refused = 0;
  for (const std::string& original : {kFlat, kAssembly})
    for (int i = 0; i < 400; ++i) refused += refuses(folder.write("damaged.inp", damaged(original, random)));
  for (const std::string& original : {kFlat, kAssembly})
    for (std::size_t size = 0; size < original.size(); size += 5) refuses(folder.write("damaged.inp", original.substr(0, size)));
  EXPECT_GT(refused, 200);
}

}  // namespace
}  // namespace traction::test
