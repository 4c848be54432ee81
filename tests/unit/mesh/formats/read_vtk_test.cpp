#include <cstdint>
#include <cstring>

#include "unit/mesh/mesh_files.h"

namespace traction::test {
namespace {

// Two tetrahedra that share a face, that face as a triangle, a line and a vertex; a fifth point is used by the second tetrahedron, a sixth
// by nothing.
const char* const kPoints = "0 0 0 1 0 0 0 1 0 0 0 1 1 1 1 9 9 9";
const char* const kConnectivity = "0 1 2 3 1 2 3 4 1 2 3 0 1 0";
const char* const kOffsets = "4 8 11 13 14";
const char* const kTypes = "10 10 5 3 1";

std::string vtu(const std::string& cell_data, const std::string& connectivity = kConnectivity, const std::string& offsets = kOffsets,
                const std::string& types = kTypes) {
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt32\">\n"
         "<UnstructuredGrid>\n<Piece NumberOfPoints=\"6\" NumberOfCells=\"5\">\n<Points>\n"
         "<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">" +
         std::string(kPoints) +
         "</DataArray>\n</Points>\n<Cells>\n"
         "<DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">" +
         connectivity +
         "</DataArray>\n"
         "<DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">" +
         offsets +
         "</DataArray>\n"
         "<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">" +
         types + "</DataArray>\n</Cells>\n<CellData>\n" + cell_data + "</CellData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
}

std::string array(const std::string& name, const std::string& values, const std::string& type = "Int32") {
  return "<DataArray type=\"" + type + "\" Name=\"" + name + "\" format=\"ascii\">" + values + "</DataArray>\n";
}

// Strings are written as the codes of their letters, each string ended by a zero.
std::string strings(const std::string& name, const std::vector<std::string>& values) {
  std::string codes;
  for (const std::string& value : values) {
    for (char c : value) codes += std::to_string(int(c)) + " ";
    codes += "0 ";
  }
  return "<Array type=\"String\" Name=\"" + name + "\" NumberOfTuples=\"" + std::to_string(values.size()) + "\" format=\"ascii\">" + codes + "</Array>\n";
}

std::string legacy(const std::string& cell_data) {
  return "# vtk DataFile Version 3.0\nmade by hand\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 6 double\n" + std::string(kPoints) +
         "\nCELLS 5 19\n4 0 1 2 3\n4 1 2 3 4\n3 1 2 3\n2 0 1\n1 0\nCELL_TYPES 5\n10 10 5 3 1\n" + cell_data;
}

// Reads a mesh and checks that VTK prints nothing to the error stream.
Mesh read_quietly(const std::string& path) {
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  Mesh mesh;
  std::string error;
  try {
    mesh = read_mesh(path);
  } catch (const InputError& caught) {
    error = caught.what();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  if (!error.empty()) throw InputError(error);
  return mesh;
}

void expect_geometry(const Mesh& mesh) {
  EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}));
  EXPECT_EQ(mesh.tetrahedra, (std::vector<std::array<int, 4>>{{0, 1, 2, 3}, {1, 2, 3, 4}}));
}

TEST(ReadVtk, RegionsFromStrings) {
  const TemporaryFolder folder;
  const Mesh mesh = read_quietly(folder.write("two.vtu", vtu(strings("region", {"upper", "core shell", "face", "", "nothing"}))));
  expect_geometry(mesh);
  EXPECT_EQ(mesh.triangles, (std::vector<std::array<int, 3>>{{1, 2, 3}}));
  EXPECT_EQ(region_names(mesh), (std::vector<std::string>{"upper", "core shell", "face"}));
  EXPECT_NEAR(measure(mesh, "upper"), 1.0 / 6, 1e-15);
  EXPECT_NEAR(measure(mesh, "core shell"), 1.0 / 3, 1e-15);
  EXPECT_NEAR(measure(mesh, "face"), std::sqrt(0.75), 1e-15);
}

TEST(ReadVtk, RegionsFromIntegers) {
  const TemporaryFolder folder;
  for (const std::string type : {"Int8", "Int32", "Int64", "UInt64"}) {
    const Mesh mesh = read_quietly(folder.write("two.vtu", vtu(array("region", "0 12 0 3 3", type))));
    expect_geometry(mesh);
    EXPECT_EQ(region_names(mesh), (std::vector<std::string>{"0", "12", "0_surface"}));
  }
  // In the array that other programs write for Gmsh's groups zero means none.
  const Mesh mesh = read_quietly(folder.write("two.vtu", vtu(array("gmsh:physical", "7 0 0 0 0"))));
  expect_geometry(mesh);
  EXPECT_EQ(region_names(mesh), std::vector<std::string>{"7"});
  EXPECT_TRUE(mesh.triangles.empty());
  const Mesh both = read_quietly(folder.write("two.vtu", vtu(array("gmsh:physical", "7 7 7 7 7") + array("region", "1 2 3 4 5"))));
  EXPECT_EQ(region_names(both), (std::vector<std::string>{"1", "2", "3"}));
}

TEST(ReadVtk, Legacy) {
  const TemporaryFolder folder;
  Mesh mesh = read_quietly(folder.write("two.vtk", legacy("")));
  expect_geometry(mesh);
  EXPECT_TRUE(mesh.regions.empty());
  EXPECT_TRUE(mesh.triangles.empty());
  mesh = read_quietly(folder.write("two.vtk", legacy("CELL_DATA 5\nSCALARS other int 1\nLOOKUP_TABLE default\n9 9 9 9 9\n"
                                                     "SCALARS region int 1\nLOOKUP_TABLE default\n1 2 3 4 5\n")));
  expect_geometry(mesh);
  EXPECT_EQ(region_names(mesh), (std::vector<std::string>{"1", "2", "3"}));
  mesh = read_quietly(folder.write("two.VTK", legacy("CELL_DATA 5\nFIELD FieldData 1\ngmsh:physical 1 5 int\n4 4 6 0 0\n")));
  EXPECT_EQ(region_names(mesh), (std::vector<std::string>{"4", "6"}));
  EXPECT_NEAR(measure(mesh, "4"), 0.5, 1e-15);
  mesh = read_quietly(folder.write("two.vtk", legacy("CELL_DATA 5\nFIELD FieldData 1\nregion 1 5 string\nlower\nlower\nface\nx\nx\n")));
  EXPECT_EQ(region_names(mesh), (std::vector<std::string>{"lower", "face"}));
}

TEST(ReadVtk, LegacyVersion5) {
  const TemporaryFolder folder;
  const Mesh mesh = read_quietly(folder.write(
      "two.vtk", "# vtk DataFile Version 5.1\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nFIELD FieldData 1\nTIME 1 1 double\n0.5\nPOINTS 6 float\n" +
                     std::string(kPoints) + "\nMETADATA\nINFORMATION 0\n\nCELLS 6 14\nOFFSETS vtktypeint64\n0 " + kOffsets + "\nCONNECTIVITY vtktypeint64\n" +
                     kConnectivity + "\nCELL_TYPES 5\n" + kTypes + "\nCELL_DATA 5\nFIELD FieldData 1\nregion 1 5 long\n1 2 3 4 5\n"));
  expect_geometry(mesh);
  EXPECT_EQ(region_names(mesh), (std::vector<std::string>{"1", "2", "3"}));
}

// The layout that ParaView writes: numbers as bytes behind the text, each array after its length.
TEST(ReadVtk, AppendedBytes) {
  const TemporaryFolder folder;
  std::string data;
  std::vector<std::size_t> offsets;
  const auto append = [&](const auto& values) {
    offsets.push_back(data.size());
    const auto size = static_cast<std::uint32_t>(values.size() * sizeof(values[0]));
    data.append(reinterpret_cast<const char*>(&size), sizeof size);
    data.append(reinterpret_cast<const char*>(values.data()), size);
  };
  append(std::vector<float>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1});
  append(std::vector<std::int32_t>{0, 1, 2, 3});
  append(std::vector<std::int32_t>{4});
  append(std::vector<std::uint8_t>{10});
  append(std::vector<std::int32_t>{8});
  const auto appended = [&](const std::string& type, const std::string& name, std::size_t array) {
    return "<DataArray type=\"" + type + "\" Name=\"" + name + "\" NumberOfComponents=\"" + (array == 0 ? "3" : "1") + "\" format=\"appended\" offset=\"" +
           std::to_string(offsets[array]) + "\"/>\n";
  };
  const std::string bytes =
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt32\">\n<UnstructuredGrid>\n"
      "<Piece NumberOfPoints=\"4\" NumberOfCells=\"1\">\n<Points>\n" +
      appended("Float32", "Points", 0) + "</Points>\n<Cells>\n" + appended("Int32", "connectivity", 1) + appended("Int32", "offsets", 2) +
      appended("UInt8", "types", 3) + "</Cells>\n<CellData>\n" + appended("Int32", "region", 4) +
      "</CellData>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_" + data + "\n</AppendedData>\n</VTKFile>\n";
  const Mesh mesh = read_quietly(folder.write("one.vtu", bytes));
  EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
  EXPECT_NEAR(measure(mesh, "8"), 1.0 / 6, 1e-15);
  std::mt19937 random(17);
  for (int i = 0; i < 200; ++i) refuses(folder.write("damaged.vtu", damaged(bytes, random)));
}

TEST(ReadVtk, WrittenByGmsh) {
  const TemporaryFolder folder;
  const std::string geo = "SetFactory(\"OpenCASCADE\"); Box(1) = {0, 0, 0, 1, 2, 3}; Mesh.MeshSizeMax = 0.5; Physical Volume(1) = {1};";
  const std::string path = folder.path("box.vtk");
  for (const std::string options : {"-format vtk", "-format vtk -bin"}) {
    std::filesystem::rename(gmsh(folder, geo, "box", options), path);
    const Mesh mesh = read_quietly(path);
    check_elements(mesh);
    EXPECT_NEAR(volume(mesh), 6, 1e-12);
  }
}

TEST(ReadVtk, MistakesAreRefused) {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& bytes) {
    const std::string path = folder.write("bad.vtu", bytes);
    const std::string text = input_error([&] { read_quietly(path); });
    EXPECT_TRUE(text.starts_with(path + ": ")) << text;
    EXPECT_NE(text.find(". "), std::string::npos) << "no remedy: " << text;
    return text;
  };
  EXPECT_NE(message(vtu("", "0 1 2 6 1 2 3 4 1 2 3 0 1 0")).find("the cell 1 names the point 6, but there are 6"), std::string::npos);
  EXPECT_NE(message(vtu("", "0 1 2 -1 1 2 3 4 1 2 3 0 1 0")).find("the cell 1 names the point -1"), std::string::npos);
  EXPECT_NE(message(vtu("", kConnectivity, "3 8 11 13 14")).find("the cell 1 has 3 vertices where 4 are expected"), std::string::npos);
  EXPECT_NE(message(vtu("", kConnectivity, kOffsets, "10 12 5 3 1")).find("the cell 2 is of type 12 (vtkHexahedron)"), std::string::npos);
  EXPECT_NE(message(vtu("", kConnectivity, kOffsets, "10 9 5 3 1")).find("only tetrahedra and triangles of first and second order"), std::string::npos);
  EXPECT_NE(message(vtu(array("region", "1 2 3 4 5", "Float64"))).find("neither integers nor strings"), std::string::npos);
  EXPECT_NE(message(vtu(array("region", "1 2 3 4 50000000000", "Int64"))).find("too large for regions"), std::string::npos);
  EXPECT_NE(message(vtu(strings("region", {"ball", "ball", "ball", "", ""}))).find("both called 'ball'"), std::string::npos);
  message(vtu("", kConnectivity, "4 8 11 13 99"));
  message(vtu("", kConnectivity, "8 4 11 13 14"));
  message("");
  message("hello");
  message("<VTKFile type=\"PolyData\"></VTKFile>");
  const std::string path = folder.write("bad.vtk", "# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\nPOINTS 1 double\n0 0 0\n");
  EXPECT_NE(input_error([&] { read_quietly(path); }).find(":4: the file doesn't hold an unstructured grid"), std::string::npos);
  EXPECT_NE(input_error([&] { read_quietly(folder.path("none.vtu")); }).find("no such file"), std::string::npos);
}

// Counts that VTK itself would believe.
TEST(ReadVtk, WrongCountsAreRefused) {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& name, std::string bytes, const std::string& from, const std::string& to) {
    bytes.replace(bytes.find(from), from.size(), to);
    const std::string path = folder.write(name, bytes);
    return input_error([&] { read_quietly(path); }).substr(path.size());
  };
  const auto legacy_message = [&](const std::string& from, const std::string& to) { return message("bad.vtk", legacy(""), from, to); };
  EXPECT_TRUE(legacy_message("CELLS 5 19", "CELLS 5 18").starts_with(":12: the cell 5 has 1 vertices, more than the list of cells can hold"));
  EXPECT_TRUE(legacy_message("CELLS 5 19", "CELLS 5 20").starts_with(":12: the cells need 1 numbers fewer than announced"));
  EXPECT_TRUE(legacy_message("CELLS 5 19", "CELLS 500 19").starts_with(":7: 500 are announced"));
  EXPECT_TRUE(legacy_message("4 0 1 2 3", "42 0 1 2 3").starts_with(":8: the cell 1 has 42 vertices"));
  EXPECT_TRUE(legacy_message("4 0 1 2 3", "-4 0 1 2 3").starts_with(":8: the cell 1 has -4 vertices, but a count is never negative"));
  EXPECT_TRUE(legacy_message("CELLS 5 19", "CELLS -5 19").starts_with(":7: -5 are announced, but a count is never negative"));
  EXPECT_TRUE(legacy_message("POINTS 6", "POINTS -6").starts_with(":5: -6 are announced, but a count is never negative"));
  EXPECT_TRUE(legacy_message("POINTS 6", "POINTS 6000000000").starts_with(":5: 6000000000 are announced"));
  EXPECT_TRUE(legacy_message("CELL_TYPES 5", "CELL_TYPES 4").starts_with(":13: there are 4 types for 5 cells"));
  EXPECT_TRUE(legacy_message("Version 3.0", "Version x").starts_with(":1: the version of the format"));
  const auto xml_message = [&](const std::string& from, const std::string& to) { return message("bad.vtu", vtu(""), from, to); };
  EXPECT_TRUE(xml_message("NumberOfCells=\"5\"", "NumberOfCells=\"-2\"").starts_with(":4: NumberOfCells can't be right"));
  EXPECT_TRUE(xml_message("NumberOfPoints=\"6\"", "NumberOfPoints='6000000000'").starts_with(":4: NumberOfPoints can't be right"));
}

TEST(ReadVtk, TruncatedAndDamagedFiles) {
  const TemporaryFolder folder;
  const std::string with_regions = "CELL_DATA 5\nSCALARS region int 1\nLOOKUP_TABLE default\n1 2 3 4 5\n";
  const std::pair<std::string, std::string> files[] = {{"two.vtu", vtu(array("region", "1 2 3 4 5"))}, {"two.vtk", legacy(with_regions)}};
  for (const auto& [name, bytes] : files) {
    std::mt19937 random(5);
    testing::internal::CaptureStderr();
    for (int i = 0; i < 100; ++i) refuses(folder.write(name, bytes.substr(0, random() % bytes.size())));
    for (int i = 0; i < 200; ++i) refuses(folder.write(name, damaged(bytes, random)));
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << name;
  }
}

// Each string of a binary file begins with its length, for which VTK takes memory before it reads.
TEST(ReadVtk, LengthsOfBinaryStringsAreThoseOfTheFile) {
  const auto number = [](std::uint32_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift);
    return bytes;
  };
  const auto file = [&](const std::string& strings) {
    std::string bytes = "# vtk DataFile Version 4.2\nmade by hand\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n";
    for (std::uint32_t coordinate : {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}) bytes += number(coordinate ? 0x3F800000 : 0);
    bytes += "\nCELLS 1 5\n";
    for (std::uint32_t value : {4, 0, 1, 2, 3}) bytes += number(value);
    bytes += "\nCELL_TYPES 1\n" + number(10) + "\nCELL_DATA 1\nFIELD FieldData 2\nremark 1 1 string\n";
    return bytes + strings + "\n";
  };
  const std::string region = "\nregion 1 1 string\n" + std::string(1, static_cast<char>(0xC0 + 4)) + "core";
  TemporaryFolder folder;
  for (const std::string& length :
       {std::string(1, static_cast<char>(0xC0 + 2)), std::string("\x80\x02", 2), std::string("\x40\0\0\x02", 4), std::string("\0\0\0\0\0\0\0\x02", 8)})
    EXPECT_NE(read_quietly(folder.write("good.vtk", file(length + "ab" + region))).find_region("core"), nullptr);
  for (const std::string& length :
       {std::string(1, static_cast<char>(0xFF)), std::string("\xBF\xFF", 2), std::string("\x40\xFF\xFF\xFF", 4), std::string("\0\0\0\0\xFF\0\0\0", 8)}) {
    try {
      read_mesh(folder.write("bad.vtk", file(length + "ab" + region)));
      FAIL() << "read";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("a string is longer than the rest of the file"), std::string::npos) << error.what();
    }
  }
}

// VTK takes memory for as many values as are announced.
TEST(ReadVtk, ArraysOfTextFilesAreNoLongerThanTheFile) {
  TemporaryFolder folder;
  const std::string good = "CELL_DATA 5\nFIELD FieldData 1\nregion 1 5 int\n1 1 2 0 0\n";
  EXPECT_EQ(read_quietly(folder.write("good.vtk", legacy(good))).tetrahedra.size(), 2u);
  for (const char* size : {"1 2147483647 int", "1 2147483647 string", "4294967296 4294967296 int", "1 9223372036854775807 double"}) {
    try {
      read_mesh(folder.write("bad.vtk", legacy("CELL_DATA 5\nFIELD FieldData 1\nregion " + std::string(size) + "\n1 1 2 0 0\n")));
      FAIL() << "read " << size;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("bad.vtk:17: an array is announced to be longer"), std::string::npos) << error.what();
    }
  }
}

// VTK itself would write those that are too many behind the array.
TEST(ReadVtk, StringsOfXmlFilesAreAsManyAsCells) {
  TemporaryFolder folder;
  const std::vector<std::string> names = {"a", "b", "c", "", ""};
  EXPECT_NE(read_quietly(folder.write("good.vtu", vtu(strings("region", names)))).find_region("a"), nullptr);
  const auto expect_refused = [&](std::string array, const std::string& words) {
    try {
      read_mesh(folder.write("bad.vtu", vtu(array)));
      FAIL() << "read " << array;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("bad.vtu:14: " + words), std::string::npos) << error.what();
    }
  };
  for (const char* more : {"0 ", "256 ", "97 0 98 0 "}) {
    std::string array = strings("region", names);
    expect_refused(array.insert(array.find("</Array>"), more), "the array holds more strings than there are places for");
  }
  std::string binary = strings("region", names);
  expect_refused(binary.replace(binary.find("ascii"), 5, "binary"), "strings that aren't written as text");
}

TEST(ReadVtk, PolyhedraOfLegacyFilesAreRefused) {
  TemporaryFolder folder;
  std::string text = legacy("");
  try {
    read_mesh(folder.write("bad.vtk", text.replace(text.find("10 10 5 3 1"), 2, "42")));
    FAIL() << "read";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("bad.vtk:14: a polyhedron"), std::string::npos) << error.what();
  }
}

TEST(ReadVtk, EscapedSignsAreWhole) {
  TemporaryFolder folder;
  const std::string head = "CELL_DATA 5\nFIELD FieldData 1\nregion 1 5 string\n";
  EXPECT_NE(read_quietly(folder.write("good.vtk", legacy(head + "a%20b\nc\nd\ne\nf\n"))).find_region("a b"), nullptr);
  for (const char* name : {"%", "a%", "a%2", "%zz"}) {
    try {
      read_mesh(folder.write("bad.vtk", legacy(head + name + "\nc\nd\ne\nf\n")));
      FAIL() << "read " << name;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("bad.vtk:18: a % should be followed by two hexadecimal digits"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace traction::test
