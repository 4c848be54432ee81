// Meshes made by Gmsh itself, in the four variants of the format.

#include "unit/mesh/mesh_files.h"

namespace traction::test {
namespace {

const char* const kTwoBoxes = R"(
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 2, 1};
Box(2) = {0, 0, 1, 1, 2, 2};
BooleanFragments{ Volume{1}; Delete; }{ Volume{2}; Delete; }
e = 1e-3;
below() = Volume In BoundingBox{-e, -e, -e, 1 + e, 2 + e, 1 + e};
above() = Volume In BoundingBox{-e, -e, 1 - e, 1 + e, 2 + e, 3 + e};
left() = Surface In BoundingBox{-e, -e, -e, e, 2 + e, 3 + e};
top() = Surface In BoundingBox{-e, -e, 3 - e, 1 + e, 2 + e, 3 + e};
shared() = Surface In BoundingBox{-e, -e, 1 - e, 1 + e, 2 + e, 1 + e};
edge() = Curve In BoundingBox{-e, -e, 3 - e, 1 + e, e, 3 + e};
corner() = Point In BoundingBox{-e, -e, -e, e, e, e};
Physical Volume("below") = {below()};
Physical Volume("above") = {above()};
Physical Volume("whole") = {below(), above()};
Physical Surface("left side") = {left()};
Physical Surface(77) = {top()};
Physical Surface("shared") = {shared()};
Physical Curve("edge") = {edge()};
Physical Point("corner") = {corner()};
Mesh.MeshSizeMin = 0.5;
Mesh.MeshSizeMax = 0.5;
)";

const std::vector<std::string> kVariants = {"-format msh41", "-format msh41 -bin", "-format msh22", "-format msh22 -bin"};

// Rounded, because Gmsh writes 16 digits as text.
std::vector<std::array<double, 3>> sorted_positions(const Mesh& mesh) {
  const auto rounded = [](double value) { return std::round(value * 1e12) / 1e12; };
  std::vector<std::array<double, 3>> result;
  for (const Vec3& x : mesh.vertices) result.push_back({rounded(x.x()), rounded(x.y()), rounded(x.z())});
  std::sort(result.begin(), result.end());
  return result;
}

TEST(ReadGmsh, AllVariantsGiveTheSameMesh) {
  const TemporaryFolder folder;
  std::vector<Mesh> meshes;
  for (const std::string& variant : kVariants) meshes.push_back(read_mesh(gmsh(folder, kTwoBoxes, "box", variant)));
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    SCOPED_TRACE(kVariants[i]);
    const Mesh& mesh = meshes[i];
    check_elements(mesh);
    EXPECT_EQ(region_names(mesh), (std::vector<std::string>{"below", "above", "whole", "left side", "physical_77", "shared", "edge", "corner"}));
    EXPECT_NEAR(volume(mesh), 6, 1e-12);
    EXPECT_NEAR(measure(mesh, "below"), 2, 1e-12);
    EXPECT_NEAR(measure(mesh, "above"), 4, 1e-12);
    EXPECT_NEAR(measure(mesh, "whole"), 6, 1e-12);
    EXPECT_NEAR(measure(mesh, "left side"), 6, 1e-12);
    EXPECT_NEAR(measure(mesh, "physical_77"), 2, 1e-12);
    EXPECT_NEAR(measure(mesh, "shared"), 2, 1e-12);
    EXPECT_EQ(mesh.triangles.size(),
              mesh.find_region("left side")->members.size() + mesh.find_region("shared")->members.size() + mesh.find_region("physical_77")->members.size());
    double area = 0;
    for (const auto& face : boundary_faces(mesh)) area += area_vector(mesh, face).norm();
    EXPECT_NEAR(area, 22, 1e-12);
    for (int vertex : mesh.find_region("edge")->members) EXPECT_NEAR((mesh.vertices[vertex] - Vec3(0, 0, 3)).cross(Vec3::UnitX()).norm(), 0, 1e-12);
    EXPECT_GE(measure(mesh, "edge"), 3);
    ASSERT_EQ(measure(mesh, "corner"), 1);
    EXPECT_EQ(mesh.vertices[mesh.find_region("corner")->members[0]], Vec3(0, 0, 0));

    EXPECT_EQ(mesh.tetrahedra.size(), meshes[0].tetrahedra.size());
    EXPECT_EQ(mesh.triangles.size(), meshes[0].triangles.size());
    EXPECT_EQ(sorted_positions(mesh), sorted_positions(meshes[0]));
  }
  for (std::size_t text : {0, 2}) {
    for (std::size_t v = 0; v < meshes[text].vertices.size(); ++v) EXPECT_NEAR((meshes[text].vertices[v] - meshes[text + 1].vertices[v]).norm(), 0, 1e-14);
    EXPECT_EQ(meshes[text].tetrahedra, meshes[text + 1].tetrahedra);
    EXPECT_EQ(meshes[text].triangles, meshes[text + 1].triangles);
    for (std::size_t r = 0; r < meshes[text].regions.size(); ++r) EXPECT_EQ(meshes[text].regions[r].members, meshes[text + 1].regions[r].members);
  }
}

TEST(ReadGmsh, ElementsInNoGroup) {
  const TemporaryFolder folder;
  const std::string geo = std::string("SetFactory(\"OpenCASCADE\"); Box(1) = {0, 0, 0, 1, 1, 1}; Box(2) = {2, 0, 0, 1, 1, 1}; ") +
                          "Physical Volume(\"first\") = {1}; Physical Surface(5) = {1}; Mesh.SaveAll = 1; Mesh.MeshSizeMax = 0.5;";
  // As version 2.2 Gmsh writes no groups at all when it saves all elements.
  for (const std::string variant : {"-format msh41", "-format msh41 -bin"}) {
    SCOPED_TRACE(variant);
    const Mesh mesh = read_mesh(gmsh(folder, geo, "two", variant));
    EXPECT_EQ(region_names(mesh), (std::vector<std::string>{"first", "physical_5"}));
    EXPECT_NEAR(volume(mesh), 2, 1e-12);
    EXPECT_NEAR(measure(mesh, "first"), 1, 1e-12);
    EXPECT_EQ(mesh.triangles.size(), mesh.find_region("physical_5")->members.size());
  }
}

TEST(ReadGmsh, GroupsWithoutNamesThatShareANumber) {
  const TemporaryFolder folder;
  const std::string geo =
      "SetFactory(\"OpenCASCADE\"); Box(1) = {0, 0, 0, 1, 1, 1}; Physical Volume(1) = {1}; Physical Surface(1) = {1}; Physical Point(1) = "
      "{2};";
  for (const std::string& variant : kVariants) {
    SCOPED_TRACE(variant);
    const Mesh mesh = read_mesh(gmsh(folder, geo, "numbers", variant));
    EXPECT_EQ(region_names(mesh), (std::vector<std::string>{"physical_1", "physical_1_surface", "physical_1_point"}));
    EXPECT_NEAR(measure(mesh, "physical_1"), 1, 1e-12);
    EXPECT_NEAR(measure(mesh, "physical_1_surface"), 1, 1e-12);
  }
}

TEST(ReadGmsh, GroupsThatShareANameAreRefused) {
  const TemporaryFolder folder;
  const std::string path = gmsh(folder,
                                "SetFactory(\"OpenCASCADE\"); Box(1) = {0, 0, 0, 1, 1, 1}; Physical Volume(\"ball\") = {1}; "
                                "Physical Surface(\"ball\") = {1};",
                                "names", "-format msh41");
  EXPECT_EQ(input_error([&] { read_mesh(path); }), path + ": a volume and a surface are both called 'ball'. Give each region its own name");
}

TEST(ReadGmsh, NegativeTagsReverseASurface) {
  const TemporaryFolder folder;
  const std::string geo = std::string("SetFactory(\"OpenCASCADE\"); Box(1) = {0, 0, 0, 1, 2, 3}; Physical Volume(\"box\") = {1}; ") +
                          "Physical Surface(\"as is\") = {2}; Physical Surface(\"reversed\") = {-2};";
  for (const std::string& variant : kVariants) {
    SCOPED_TRACE(variant);
    const Mesh mesh = read_mesh(gmsh(folder, geo, "sign", variant));
    Vec3 sums[2] = {Vec3::Zero(), Vec3::Zero()};
    for (int triangle : mesh.find_region("as is")->members) sums[0] += area_vector(mesh, mesh.triangles[triangle]);
    for (int triangle : mesh.find_region("reversed")->members) sums[1] += area_vector(mesh, mesh.triangles[triangle]);
    EXPECT_NEAR((sums[0] - Vec3(6, 0, 0)).norm(), 0, 1e-12);
    EXPECT_NEAR((sums[0] + sums[1]).norm(), 0, 1e-12);
  }
}

TEST(ReadGmsh, VerticesThatNothingUsesAreDropped) {
  const TemporaryFolder folder;
  const std::string geo = std::string("SetFactory(\"OpenCASCADE\"); Box(1) = {0, 0, 0, 1, 1, 1}; Point(100) = {5, 5, 5}; ") +
                          "Physical Volume(\"box\") = {1}; Physical Point(\"far\") = {100}; Physical Point(\"both\") = {1, 100};";
  for (const std::string& variant : kVariants) {
    SCOPED_TRACE(variant);
    const Mesh mesh = read_mesh(gmsh(folder, geo, "far", variant));
    EXPECT_EQ(region_names(mesh), (std::vector<std::string>{"box", "both", "<empty>far"}));
    EXPECT_EQ(measure(mesh, "both"), 1);
    for (const Vec3& x : mesh.vertices) EXPECT_LT(x.norm(), 2);
  }
}

TEST(ReadGmsh, ParametricNodes) {
  const TemporaryFolder folder;
  for (const std::string variant : {"-format msh41", "-format msh41 -bin"}) {
    SCOPED_TRACE(variant);
    EXPECT_NEAR(measure(read_mesh(gmsh(folder, kTwoBoxes, "parametric", variant + " -save_parametric")), "whole"), 6, 1e-12);
  }
  const std::string path = gmsh(folder, kTwoBoxes, "parametric", "-format msh22 -save_parametric");
  EXPECT_NE(input_error([&] { read_mesh(path); }).find("without -save_parametric"), std::string::npos);
}

TEST(ReadGmsh, OtherElementsAreRefused) {
  const TemporaryFolder folder;
  const std::string box = "SetFactory(\"OpenCASCADE\"); Box(1) = {0, 0, 0, 1, 1, 1}; Mesh.MeshSizeMin = 0.5; Physical Volume(\"box\") = {1};";
  const std::string hexahedra = box + "Transfinite Curve{:} = 3; Transfinite Surface{:}; Recombine Surface{:}; Transfinite Volume{1};";
  for (const std::string& variant : kVariants) {
    SCOPED_TRACE(variant);
    std::string path = gmsh(folder, box, "third", variant + " -order 3");
    std::string message = input_error([&] { read_mesh(path); });
    EXPECT_NE(message.find("(type 29)"), std::string::npos) << message;
    EXPECT_NE(message.find("of first and second order"), std::string::npos) << message;
    path = gmsh(folder, hexahedra, "hexahedra", variant);
    message = input_error([&] { read_mesh(path); });
    EXPECT_NE(message.find("a hexahedron (type 5): only tetrahedra"), std::string::npos) << message;
  }
}

TEST(ReadGmsh, OtherVersionsAreRefused) {
  const TemporaryFolder folder;
  for (const std::string version : {"msh1", "msh40"}) {
    const std::string path = gmsh(folder, kTwoBoxes, "old", "-format " + version);
    EXPECT_TRUE(refuses(path)) << version;
  }
  const std::string path = gmsh(folder, kTwoBoxes, "old", "-format msh40");
  EXPECT_EQ(input_error([&] { read_mesh(path); }),
            path + ":2: version 4 isn't supported, only 2.2 and 4.1 are. Convert it: gmsh -save -format msh41 -o NEW.msh OLD.msh");
  const std::string converted = folder.path("new.msh");
  ASSERT_EQ(std::system(("gmsh -save -format msh41 -o " + converted + " " + path + " > /dev/null 2>&1 < /dev/null").c_str()), 0);
  EXPECT_NEAR(volume(read_mesh(converted)), 6, 1e-12);
}

TEST(ReadGmsh, PartitionedMeshesAreRefused) {
  const TemporaryFolder folder;
  const std::string path = gmsh(folder, kTwoBoxes, "parts", "-part 2 -format msh41");
  EXPECT_NE(input_error([&] { read_mesh(path); }).find("the mesh is partitioned"), std::string::npos);
}

TEST(ReadGmsh, TruncatedFilesAreRefused) {
  const TemporaryFolder folder;
  for (const std::string& variant : kVariants) {
    SCOPED_TRACE(variant);
    const std::string bytes = contents(gmsh(folder, kTwoBoxes, "whole", variant));
    const std::size_t end = bytes.rfind("$EndElements") + std::string("$EndElements").size();
    std::mt19937 random(7);
    for (int i = 0; i < 200; ++i) EXPECT_TRUE(refuses(folder.write("cut.msh", bytes.substr(0, random() % end))));
  }
}

TEST(ReadGmsh, DamagedFilesNeverCrash) {
  const TemporaryFolder folder;
  for (const std::string& variant : kVariants) {
    SCOPED_TRACE(variant);
    const std::string bytes = contents(gmsh(folder, kTwoBoxes, "whole", variant));
    std::mt19937 random(11);
    int refused = 0;
    for (int i = 0; i < 300; ++i) refused += refuses(folder.write("damaged.msh", damaged(bytes, random)));
    EXPECT_GT(refused, 30);
  }
}

TEST(ReadGmsh, GarbageIsRefused) {
  const TemporaryFolder folder;
  std::mt19937 random(13);
  for (int i = 0; i < 200; ++i) {
    std::string bytes = i % 2 ? "$MeshFormat\n4.1 1 8\n" : "";
    for (unsigned k = random() % 4000; k > 0; --k) bytes += static_cast<char>(random() % 256);
    EXPECT_TRUE(refuses(folder.write("garbage.msh", bytes)));
  }
}

TEST(ReadGmsh, CavityVolumeConverges) {
  const TemporaryFolder folder;
  const double exact = 4.0 / 3 * EIGEN_PI * 0.5 * 0.5 * 0.5;
  double before = 0;
  for (const double size : {0.2, 0.1}) {
    const std::string geo = std::string("SetFactory(\"OpenCASCADE\"); Sphere(1) = {0, 0, 0, 0.7}; Sphere(2) = {0, 0, 0, 0.5}; ") +
                            "BooleanDifference{ Volume{1}; Delete; }{ Volume{2}; Delete; } e = 0.55; " +
                            "cavity() = Surface In BoundingBox{-e, -e, -e, e, e, e}; Physical Volume(\"shell\") = Volume{:}; " +
                            "Physical Surface(\"cavity\") = {cavity()}; Mesh.MeshSizeMax = " + std::to_string(size) + ";";
    Mesh mesh = read_mesh(gmsh(folder, geo, "sphere", "-format msh41 -bin"));
    check_elements(mesh);
    const double enclosed = orient_closed_surface(mesh, *mesh.find_region("cavity"));
    const double error = 1 - enclosed / exact;
    EXPECT_GT(error, 0);
    EXPECT_LT(error, 1.6 * size * size);
    EXPECT_LT(volume(mesh), 4.0 / 3 * EIGEN_PI * (0.343 - 0.125) * 1.01);
    // Flat triangles inscribed in a sphere: second order in their size.
    if (before > 0) {
      EXPECT_GT(before / error, 3);
    }
    before = error;
  }
}

}  // namespace
}  // namespace traction::test
