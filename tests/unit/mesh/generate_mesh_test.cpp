#include <cmath>
#include <optional>

#include "unit/mesh/mesh_files.h"

namespace traction::test {
namespace {

const char* const kBox = R"(SetFactory("OpenCASCADE");
// comment_only = 3;
DefineConstant[ size = {0.5, Name "in_a_string"}, height = 1 ];
shift = 1;
If (!Exists(guarded))
  guarded = 1;
EndIf
Box(1) = {shift * 0, 0, 0, guarded, 1, height};
Physical Volume("box") = {1};
Mesh.MeshSizeMin = size;
Mesh.MeshSizeMax = size;
)";

TEST(GenerateMesh, ParametersReachGmsh) {
  const TemporaryFolder folder;
  const std::string geo = folder.write("a box; \"odd\".geo", kBox), msh = folder.path("box.msh");
  generate_mesh(geo, {}, msh);
  const Mesh coarse = read_mesh(msh);
  EXPECT_NEAR(volume(coarse), 1, 1e-12);
  generate_mesh(geo, {{"size", 0.2}, {"height", 2.125}, {"guarded", 3}}, msh);
  const Mesh fine = read_mesh(msh);
  check_elements(fine);
  EXPECT_NEAR(volume(fine), 6.375, 1e-11);
  EXPECT_NEAR(measure(fine, "box"), 6.375, 1e-11);
  EXPECT_GT(fine.tetrahedra.size(), 8 * coarse.tetrahedra.size());
  generate_mesh(geo, {{"height", -2}}, msh);
  double lowest = 0;
  for (const Vec3& x : read_mesh(msh).vertices) lowest = std::min(lowest, x.z());
  EXPECT_NEAR(lowest, -2, 1e-12);
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"a box; \"odd\".geo", "box.msh"}));
}

TEST(GenerateMesh, ParametersWithoutEffectAreRefused) {
  const TemporaryFolder folder;
  const std::string geo = folder.write("box.geo", kBox), msh = folder.path("box.msh");
  const auto message = [&](const std::string& name, double value) { return input_error([&] { generate_mesh(geo, {{name, value}}, msh); }); };
  EXPECT_EQ(message("hight", 2.5), geo + ": there is no parameter 'hight'. Add DefineConstant[ hight = 2.5 ]; or take it out of mesh_parameters");
  EXPECT_NE(message("siz", 1).find("there is no parameter 'siz'"), std::string::npos);
  EXPECT_NE(message("comment_only", 1).find("there is no parameter"), std::string::npos);
  EXPECT_NE(message("in_a_string", 1).find("there is no parameter"), std::string::npos);
  EXPECT_EQ(message("shift", 1), geo + ": 'shift = ...' overwrites the parameter 'shift'. Write DefineConstant[ shift = ... ]; instead");
  EXPECT_NE(message("-bin", 1).find("'-bin' can't be a parameter"), std::string::npos);
  EXPECT_NE(message("Mesh.ElementOrder", 2).find("can't be a parameter"), std::string::npos);
  EXPECT_NE(message("size", std::nan("")).find("Give a finite number"), std::string::npos);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"box.geo"});
}

TEST(GenerateMesh, StatementsThatGmshWouldOverlookAreRefused) {
  const TemporaryFolder folder;
  const std::string msh = folder.path("box.msh"), two = std::string(kBox) + "Physical Surface(\"a; b\") = {1}; Physical Surface(\"c\") = {2};";
  std::string geo = folder.write("box.geo", two);
  EXPECT_EQ(input_error([&] { generate_mesh(geo, {}, msh); }),
            geo + ":12: the last line does not end with a line break, and Gmsh would read its first statement alone. Add a line break at its end");
  generate_mesh(folder.write("box.geo", two + "\n"), {}, msh);
  EXPECT_NEAR(measure(read_mesh(msh), "c"), 1, 1e-12);
  const std::string surface = "Physical Surface(\"a; b\") = {1};";
  for (const std::string& end :
       {surface + "  // the end; really", surface + " /* one;\n two; three; */", surface + "\nTranslate {0, 0, 0} { Surface{1}; Point{1}; }"})
    generate_mesh(folder.write("box.geo", kBox + end), {}, msh);
  EXPECT_NEAR(measure(read_mesh(msh), "a; b"), 1, 1e-12);
}

TEST(GenerateMesh, FailuresTellGmshsMessageAndLeaveNothing) {
  const TemporaryFolder folder;
  const std::string msh = folder.path("box.msh");
  std::string geo = folder.write("box.geo", std::string(kBox) + "Box(2) = {0, 0, 0, 1;\n");
  std::string message = input_error([&] { generate_mesh(geo, {}, msh); });
  EXPECT_TRUE(message.starts_with(geo + ": Gmsh failed: ")) << message;
  EXPECT_NE(message.find("line 12"), std::string::npos) << message;
  EXPECT_NE(message.find("syntax error"), std::string::npos) << message;

  folder.write("box.geo", kBox);
  message = input_error([&] { generate_mesh(geo, {{"size", -1}}, msh); });
  EXPECT_NE(message.find("Wrong mesh element size"), std::string::npos) << message;
  EXPECT_EQ(message.find("----"), std::string::npos) << message;

  folder.write("box.geo", std::string(kBox) + "Error(\"the wall is thicker than the radius\");\n");
  message = input_error([&] { generate_mesh(geo, {}, msh); });
  EXPECT_NE(message.find("the wall is thicker than the radius"), std::string::npos) << message;

  // A surface that crosses itself can't be filled.
  folder.write("box.geo",
               "Point(1) = {0, 0, 0}; Point(2) = {1, 0, 0}; Point(3) = {0, 1, 0}; Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 1};\n"
               "Curve Loop(1) = {1, 2, 3}; Plane Surface(1) = {1}; Surface Loop(1) = {1}; Volume(1) = {1};\n");
  message = input_error([&] { generate_mesh(geo, {}, msh); });
  EXPECT_NE(message.find("No elements in volume 1"), std::string::npos) << message;

  EXPECT_EQ(input_error([&] { generate_mesh(folder.path("none.geo"), {}, msh); }),
            folder.path("none.geo") + ": no such file; check its name, which is relative to the present folder");
  EXPECT_NE(input_error([&] { generate_mesh(folder.path("."), {}, msh); }).find("is not a file"), std::string::npos);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"box.geo"});
}

TEST(GenerateMesh, AFailureKeepsTheMeshOfAnEarlierRun) {
  const TemporaryFolder folder;
  const std::string geo = folder.write("box.geo", kBox), msh = folder.path("box.msh");
  generate_mesh(geo, {}, msh);
  const std::string before = contents(msh);
  EXPECT_THROW(generate_mesh(geo, {{"size", -1}}, msh), InputError);
  EXPECT_EQ(contents(msh), before);
}

TEST(GenerateMesh, AFolderThatIsNotThere) {
  const TemporaryFolder folder;
  const std::string geo = folder.write("box.geo", kBox);
  EXPECT_THROW(generate_mesh(geo, {}, folder.path("none/box.msh")), FileError);
}

TEST(GenerateMesh, WithoutGmsh) {
  const TemporaryFolder folder;
  const std::string geo = folder.write("box.geo", kBox);
  const std::string path_before = std::getenv("PATH");
  setenv("PATH", folder.path(".").c_str(), 1);
  const std::string message = input_error([&] { generate_mesh(geo, {}, folder.path("box.msh")); });
  setenv("PATH", path_before.c_str(), 1);
  EXPECT_EQ(message, geo + ": Gmsh is needed to mesh it, but no program gmsh is on the PATH. Install Gmsh or give a .msh file");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"box.geo"});
}

// Stands in for Gmsh where it can't be made to fail in a certain way.
std::string message_with_fake_gmsh(const TemporaryFolder& folder, const std::string& script) {
  const std::string geo = folder.write("box.geo", kBox), fake = folder.write("gmsh", "#!/bin/sh\n" + script);
  std::filesystem::permissions(fake, std::filesystem::perms::owner_all);
  const std::string path_before = std::getenv("PATH");
  setenv("PATH", (folder.path("") + ":" + path_before).c_str(), 1);
  setenv("OMPI_COMM_WORLD_RANK", "0", 0);
  const std::string message = input_error([&] { generate_mesh(geo, {}, folder.path("box.msh")); });
  setenv("PATH", path_before.c_str(), 1);
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"box.geo", "gmsh"}));
  return message;
}

TEST(GenerateMesh, CrashesAndSilentFailures) {
  const TemporaryFolder folder;
  EXPECT_NE(message_with_fake_gmsh(folder, "kill -SEGV $$\n").find("Gmsh was ended by signal 11"), std::string::npos);
  EXPECT_NE(message_with_fake_gmsh(folder, "echo odd words; exit 3\n").find("Gmsh failed: odd words."), std::string::npos);
  EXPECT_NE(message_with_fake_gmsh(folder, "exit 0\n").find("Gmsh wrote no mesh: no message."), std::string::npos);
  EXPECT_NE(message_with_fake_gmsh(folder, "echo 'Error   : first'; echo 'Error   : last'; exit 0\n").find("Gmsh failed: first; last."), std::string::npos);
  EXPECT_NE(message_with_fake_gmsh(folder, "yes 'Error   : again' | head -100000; exit 1\n").find("Gmsh failed: again."), std::string::npos);
  // Gmsh must not see the variables of the job this test may be a rank of.
  EXPECT_NE(message_with_fake_gmsh(folder, "env | grep -c OMPI_; exit 1\n").find("Gmsh failed: 0."), std::string::npos);
}

}  // namespace
}  // namespace traction::test
