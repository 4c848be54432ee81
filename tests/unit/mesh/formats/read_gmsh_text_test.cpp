// Small files written by hand: the place and the words of each error, and the encodings that Gmsh doesn't write here.

#include <cstring>

#include "unit/mesh/mesh_files.h"

namespace traction::test {
namespace {

const char* const kText2 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
1
3 1 "solid"
$EndPhysicalNames
$Nodes
4
10 0 0 0
20 1 0 0
30 0 1 0
40 0 0 1
$EndNodes
$Elements
1
1 4 2 1 1 10 20 30 40
$EndElements
)";

const char* const kText4 = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
1
3 1 "solid"
$EndPhysicalNames
$Entities
0 0 0 1
1 0 0 0 1 1 1 1 1 0
$EndEntities
$Nodes
1 4 10 40
3 1 0 4
10
20
30
40
0 0 0
1 0 0
0 1 0
0 0 1
$EndNodes
$Elements
1 1 1 1
3 1 4 1
1 10 20 30 40
$EndElements
)";

struct Mistake {
  const char *from, *to, *message;
};

void expect_messages(const std::string& text, const std::vector<Mistake>& mistakes) {
  const TemporaryFolder folder;
  for (const Mistake& mistake : mistakes) {
    SCOPED_TRACE(std::string(mistake.from) + " -> " + mistake.to);
    const std::string path = folder.write("tetrahedron.msh", replaced(text, mistake.from, mistake.to));
    const std::string message = input_error([&] { read_mesh(path); });
    EXPECT_TRUE(message.starts_with(path + mistake.message)) << message;
    EXPECT_NE(message.find(". "), std::string::npos) << "no remedy: " << message;
  }
}

TEST(ReadGmshText, Version2) {
  const TemporaryFolder folder;
  const Mesh mesh = read_mesh(folder.write("tetrahedron.msh", kText2));
  EXPECT_EQ(mesh.source, folder.path("tetrahedron.msh"));
  EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
  EXPECT_EQ(mesh.tetrahedra, (std::vector<std::array<int, 4>>{{0, 1, 2, 3}}));
  EXPECT_EQ(region_names(mesh), std::vector<std::string>{"solid"});
}

TEST(ReadGmshText, ElementsInNoGroupOrInSeveral) {
  const TemporaryFolder folder;
  std::string text = replaced(kText2, "\n1\n1 4 2 1 1 10", "\n7\n1 4 2 0 1 10");
  // A tetrahedron in two groups, a triangle in one group, another in none, and one without any tag.
  text = replaced(text, "30 40\n$End",
                  "30 40\n2 4 2 1 1 20 30 10 40\n3 4 3 2 1 7 30 10 20 40\n4 2 2 3 1 10 20 30\n5 2 2 3 1 20 30 10\n6 2 2 0 1 10 20 40\n7 2 "
                  "0 20 30 40\n$End");
  const Mesh mesh = read_mesh(folder.write("groups.msh", text));
  EXPECT_EQ(mesh.tetrahedra, (std::vector<std::array<int, 4>>{{0, 1, 2, 3}}));
  EXPECT_EQ(mesh.triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}}));
  EXPECT_EQ(region_names(mesh), (std::vector<std::string>{"solid", "physical_2", "physical_3"}));
  for (const Region& region : mesh.regions) EXPECT_EQ(region.members, std::vector<int>{0});
  const Mesh none = read_mesh(folder.write("none.msh", replaced(kText2, "1 4 2 1 1 ", "1 4 0 ")));
  EXPECT_EQ(none.tetrahedra.size(), 1u);
  EXPECT_EQ(region_names(none), std::vector<std::string>{"<empty>solid"});
}

TEST(ReadGmshText, LineEndsBlanksAndUnknownSections) {
  const TemporaryFolder folder;
  std::string text = replaced(kText4, "$Entities", "$Periodic\n$End\nanything\n$EndPeriodic\n\n$Entities");
  text = replaced(text, "0 1 0\n", "  +0\t1.0e+0   -0 \n\n");
  std::string windows;
  for (char c : text) windows += c == '\n' ? "\r\n" : std::string(1, c);
  for (const std::string& variant : {text, windows, text.substr(0, text.size() - 1), "$Comments\nhello\n$EndComments\n" + text, "\xEF\xBB\xBF" + text}) {
    const Mesh mesh = read_mesh(folder.write("tetrahedron.MSH", variant));
    EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
    EXPECT_EQ(measure(mesh, "solid"), 1.0 / 6);
  }
}

TEST(ReadGmshText, MistakesInVersion2) {
  expect_messages(kText2, {
                              {"$MeshFormat\n", "hello\n", ":1: a Gmsh mesh starts with $MeshFormat"},
                              {"2.2 0 8", "2.2 7 8", ":2: the format line"},
                              {"2.2 0 8", "3.0 0 8", ":2: version 3.0 isn't supported"},
                              {"3 1 \"solid\"", "3 1 solid", ":6: a name in quotes"},
                              {"3 1 \"solid\"", "4 1 \"solid\"", ":6: the dimension of a physical group"},
                              {"\n4\n10", "\n400000000\n10", ":9: 400000000 nodes are announced"},
                              {"\n4\n10", "\n-4\n10", ":9: -4 nodes are announced, but a count is never negative"},
                              {"\n4\n10", "\n3\n10", ":13: $EndNodes is expected"},
                              {"\n4\n10", "\n5\n10", ":14: '$EndNodes' where the number of a node"},
                              {"20 1 0 0", "20 1 0", ":11: the line ends where a coordinate"},
                              {"20 1 0 0", "20 1 0 0 0", ":11: '0' follows where the line should end"},
                              {"20 1 0 0", "20 1 0 0x", ":11: '0x' where a coordinate of a node, a number,"},
                              {"20 1 0 0", "20.5 1 0 0", ":11: '20.5' where the number of a node, a whole number,"},
                              {"20 1 0 0", "99999999999 1 0 0", ":11: the number of a node is 99999999999"},
                              {"20 1 0 0", "30 1 0 0", ":14: the node 30 is in $Nodes twice"},
                              {"30 40\n", "30 50\n", ":17: there is no node 50"},
                              {"30 40\n", "30\n", ":17: the line ends where a node of an element"},
                              {"1 4 2 1 1", "1 4 900 1 1", ":17: 900 tags are announced"},
                              {"1 4 2 1 1", "1 11 2 1 1", ":17: the line ends where a node of an element"},
                              {"1 4 2 1 1", "1 3 2 1 1", ":17: a quadrangle (type 3): only tetrahedra and triangles"},
                              {"1 4 2 1 1", "1 99 2 1 1", ":17: a higher-order or unknown element (type 99)"},
                              {"$Elements\n", "$Elephants\n", ":15: the section has no end"},
                              {"$EndElements", "hello", ":18: $EndElements is expected"},
                              {"$EndElements\n", "$EndElements\nhello\n", ":19: a section, such as $Nodes, should start here"},
                              {"$EndElements\n", "$EndElements\n$Nodes\n0\n$EndNodes\n", ":19: $Nodes comes twice"},
                              {"$Nodes\n", "$Elements\n", ":8: $Elements comes once and after $Nodes"},
                          });
}

TEST(ReadGmshText, MistakesInVersion4) {
  expect_messages(kText4, {
                              {"0 0 0 1\n", "0 0 0 9999\n", ":9: 9999 entities are announced"},
                              {"0 0 0 1\n", "0 0 0 -1\n", ":9: the number of entities is negative"},
                              {"1 0 0 0 1 1 1 1 1 0", "1 0 0 0 1 1 1 1000 1 0", ":10: 1000 physical groups are announced"},
                              {"1 0 0 0 1 1 1 1 1 0", "2 0 0 0 1 1 1 1 1 0", ":26: the entity 1 of dimension 3 isn't in $Entities"},
                              {"1 4 10 40", "1 5 10 40", ":22: 5 nodes are announced, 4 are listed"},
                              {"1 4 10 40", "1 3 10 40", ":14: the blocks hold more than the 3 nodes"},
                              {"1 4 10 40", "1 4000000000000 10 40", ":13: 4000000000000 nodes are announced"},
                              {"3 1 0 4", "7 1 0 4", ":14: the dimension of an entity"},
                              {"3 1 0 4", "3 1 0 99999999", ":14: the blocks hold more"},
                              {"3 1 4 1\n", "2 1 4 1\n", ":26: a tetrahedron in an entity of dimension 2"},
                              {"3 1 4 1\n", "3 1 4 2\n", ":26: the blocks hold more than the 1 elements"},
                              {"3 1 4 1\n", "3 1 4 0\n", ":26: 1 elements are announced, 0 are listed"},
                              {"$EndEntities", "$EndEnt", ":11: $EndEntities is expected"},
                              {"$Entities", "$PartitionedEntities", ":8: the mesh is partitioned"},
                          });
}

TEST(ReadGmshText, EmptyFile) {
  const TemporaryFolder folder;
  for (const std::string text : {"", "\n\n", "$MeshFormat", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"}) EXPECT_TRUE(refuses(folder.write("empty.msh", text)));
}

TEST(ReadGmshText, FilesThatAreNotThere) {
  const TemporaryFolder folder;
  EXPECT_EQ(input_error([&] { read_mesh(folder.path("none.msh")); }),
            folder.path("none.msh") + ": no such file; check its name, which is relative to the present folder");
  std::filesystem::create_directory(folder.path("folder.msh"));
  EXPECT_NE(input_error([&] { read_mesh(folder.path("folder.msh")); }).find("is not a file"), std::string::npos);
  EXPECT_NE(input_error([&] { read_mesh(folder.write("mesh.stl", "")); }).find("ends in .msh, .vtu, .vtk or .inp"), std::string::npos);
  // A file that opens but whose first byte can't be read, for any user.
  std::filesystem::create_symlink("/proc/self/mem", folder.path("unreadable.msh"));
  EXPECT_THROW(read_mesh(folder.path("unreadable.msh")), FileError);
}

TEST(ReadGmshText, FilesThatMayNotBeReadAreTheUsersMistake) {
  const TemporaryFolder folder;
  const std::string path = folder.path("loop.msh");  // no user may read it, not even root
  std::filesystem::create_symlink(path, path);
  EXPECT_EQ(input_error([&] { read_mesh(path); }), path + ": can't be read: Too many levels of symbolic links. Check its name and permissions");
}

// Writes numbers as bytes, in this machine's order or the other one.
class Bytes {
 public:
  explicit Bytes(bool swapped) : swapped_(swapped) {}
  template <typename T>
  void add(std::initializer_list<T> values) {
    for (T value : values) {
      char raw[sizeof(T)];
      std::memcpy(raw, &value, sizeof(T));
      if (swapped_) std::reverse(raw, raw + sizeof(T));
      bytes_.append(raw, sizeof(T));
    }
  }
  void add(const std::string& text) { bytes_ += text; }
  const std::string& get() const { return bytes_; }

 private:
  bool swapped_;
  std::string bytes_;
};

template <typename Size>
std::string binary4(bool swapped) {
  Bytes file(swapped);
  file.add("$MeshFormat\n4.1 1 " + std::to_string(sizeof(Size)) + "\n");
  file.add<int>({1});
  file.add("\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"solid\"\n$EndPhysicalNames\n$Entities\n");
  file.add<Size>({0, 0, 0, 1});
  file.add<int>({1});
  file.add<double>({0, 0, 0, 1, 1, 1});
  file.add<Size>({1});
  file.add<int>({1});
  file.add<Size>({0});
  file.add("\n$EndEntities\n$Nodes\n");
  file.add<Size>({1, 4, 10, 40});
  file.add<int>({3, 1, 0});
  file.add<Size>({4, 10, 20, 30, 40});
  file.add<double>({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1});
  file.add("\n$EndNodes\n$Elements\n");
  file.add<Size>({1, 1, 1, 1});
  file.add<int>({3, 1, 4});
  file.add<Size>({1, 1, 10, 20, 30, 40});
  file.add("\n$EndElements\n");
  return file.get();
}

std::string binary2(bool swapped) {
  Bytes file(swapped);
  file.add("$MeshFormat\n2.2 1 8\n");
  file.add<int>({1});
  file.add("\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"solid\"\n$EndPhysicalNames\n$Nodes\n4\n");
  const Vec3 nodes[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < 4; ++i) {
    file.add<int>({10 * (i + 1)});
    file.add<double>({nodes[i].x(), nodes[i].y(), nodes[i].z()});
  }
  file.add("\n$EndNodes\n$Elements\n1\n");
  file.add<int>({4, 1, 2, 1, 1, 1, 10, 20, 30, 40});
  file.add("\n$EndElements\n");
  return file.get();
}

TEST(ReadGmshBinary, BothByteOrdersAndSizes) {
  const TemporaryFolder folder;
  const Mesh expected = read_mesh(folder.write("text.msh", kText4));
  for (const bool swapped : {false, true})
    for (const std::string& bytes : {binary4<std::uint64_t>(swapped), binary4<std::uint32_t>(swapped), binary2(swapped)}) {
      const Mesh mesh = read_mesh(folder.write("binary.msh", bytes));
      EXPECT_EQ(mesh.vertices, expected.vertices);
      EXPECT_EQ(mesh.tetrahedra, expected.tetrahedra);
      EXPECT_EQ(measure(mesh, "solid"), 1.0 / 6);
    }
}

TEST(ReadGmshBinary, MistakesNameTheByte) {
  const TemporaryFolder folder;
  const std::string path = folder.path("binary.msh");
  const auto message = [&](std::string bytes, std::size_t at, char value) {
    bytes[at] = value;
    folder.write("binary.msh", bytes);
    return input_error([&] { read_mesh(path); });
  };
  const std::string bytes = binary4<std::uint64_t>(false);
  const std::size_t nodes = bytes.find("$Nodes\n") + 7, elements = bytes.find("$Elements\n") + 10;
  EXPECT_TRUE(message(bytes, 20, 7).starts_with(path + ": at byte 20: the byte order can't be recognised"));
  EXPECT_TRUE(message(bytes, nodes + 15, 127).starts_with(path + ": at byte " + std::to_string(nodes + 24) + ": ")) << message(bytes, nodes + 15, 127);
  EXPECT_TRUE(message(bytes, nodes + 15, -1).starts_with(path + ": at byte " + std::to_string(nodes + 8) + ": the number of nodes is negative"));
  EXPECT_TRUE(message(bytes, elements + 40, 5).starts_with(path + ": at byte " + std::to_string(elements + 40) + ": a hexahedron (type 5)"));
  EXPECT_TRUE(message(bytes, elements + 60, 11).starts_with(path + ": at byte " + std::to_string(elements + 60) + ": there is no node 11"));
  EXPECT_NE(message(replaced(bytes, "4.1 1 8", "4.1 1 3"), 0, '$').find("numbers of 3 bytes"), std::string::npos);
}

}  // namespace
}  // namespace traction::test
