#include "mesh/second_order.h"

#include <numeric>

#include "support/box_mesh.h"
#include "unit/mesh/mesh_files.h"

namespace traction::test {
namespace {

Mesh kuhn_box(const std::array<int, 3>& cells = {2, 3, 1}) { return box_mesh("box", {0, 0, 0}, {1, 2, 3}, cells); }

// Edges of n1 x n2 x n3 cubes of six tetrahedra each: along three axes, one diagonal on each face, and one through each cube.
TEST(SecondOrder, CutsElementsAndKeepsVolumesAndSurfaces) {
  const Mesh coarse = kuhn_box();
  Mesh mesh = coarse;
  make_quadratic(mesh, {});
  check_elements(mesh);
  const int a = 2, b = 3, c = 1;
  const int edges = a * (b + 1) * (c + 1) + (a + 1) * b * (c + 1) + (a + 1) * (b + 1) * c + a * b * (c + 1) + a * (b + 1) * c + (a + 1) * b * c + a * b * c;
  EXPECT_EQ(mesh.vertices.size(), coarse.vertices.size() + edges);
  EXPECT_EQ(mesh.quadratics.size(), coarse.tetrahedra.size());
  EXPECT_EQ(mesh.tetrahedra.size(), 8 * coarse.tetrahedra.size());
  EXPECT_EQ(mesh.triangles.size(), 4 * coarse.triangles.size());
  for (std::size_t e = 0; e < mesh.quadratics.size(); ++e) {
    const auto& [vertices, first] = mesh.quadratics[e];
    EXPECT_EQ(first, 8 * static_cast<int>(e));
    for (std::size_t k = 0; k < 6; ++k) {
      const auto [from, to] = kTetrahedronEdges[k];
      EXPECT_EQ(mesh.vertices[vertices[4 + k]], (mesh.vertices[vertices[from]] + mesh.vertices[vertices[to]]) / 2);
    }
    for (int part = 0; part < kQuadraticParts; ++part)
      EXPECT_NEAR(volume(mesh, mesh.tetrahedra[first + part]), volume(coarse, coarse.tetrahedra[e]) / 8, 1e-15);
  }
  EXPECT_NEAR(measure(mesh, "box.solid"), 6, 1e-13);
  EXPECT_NEAR(measure(mesh, "box.surface"), 22, 1e-13);
  Vec3 outward = Vec3::Zero();
  for (int t : mesh.find_region("box.top")->members) outward += area_vector(mesh, mesh.triangles[t]);
  EXPECT_LT((outward - Vec3(0, 0, 2)).norm(), 1e-14);
}

TEST(SecondOrder, CurvesGetTheVerticesInTheMiddleOfTheirSegments) {
  Mesh mesh;
  mesh.source = "test";
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 2}};
  mesh.tetrahedra = {{0, 1, 2, 3}};
  mesh.segments = {{3, 4}, {0, 3}};
  mesh.regions = {{"curve", 1, {0, 3, 4}, {0, 1}}};
  make_quadratic(mesh, {});
  const int middle = mesh.quadratics[0].vertices[6];  // on the edge 03; the segment 34 is no edge, and stays whole
  EXPECT_EQ(mesh.segments, (std::vector<std::array<int, 2>>{{3, 4}, {0, middle}, {middle, 3}}));
  EXPECT_EQ(mesh.regions[0].segments, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(mesh.regions[0].members, (std::vector<int>{0, 3, 4, middle}));
}

// Vertices 1 and 2 of the second region are joined by an edge but make no face with its others. The segment makes its own ends' edge a part of the third.
TEST(SecondOrder, SetsOfPointsGetTheVerticesInTheMiddleOfTheirFacesEdges) {
  Mesh mesh;
  mesh.source = "test";
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  mesh.tetrahedra = {{0, 1, 2, 3}, {1, 2, 3, 4}};
  mesh.segments = {{0, 3}};
  mesh.regions = {{"face", 0, {0, 1, 2}}, {"apart", 0, {1, 2}}, {"curve", 0, {0, 3}}, {"given", 0, {0, 1, 3}}};
  EdgeMidpoints midpoints;
  mesh.vertices.emplace_back(0.5, 0, 0);  // from the file, whose regions of points hold it where they mean it
  midpoints.add(0, 1, 5);
  make_quadratic(mesh, midpoints);
  const auto& v = mesh.quadratics[0].vertices;
  EXPECT_EQ(mesh.regions[0].members, (std::vector<int>{0, 1, 2, std::min(v[5], v[7]), std::max(v[5], v[7])}));
  EXPECT_EQ(mesh.regions[1].members, (std::vector<int>{1, 2}));
  EXPECT_EQ(mesh.regions[2].members, (std::vector<int>{0, 3, v[6]}));
  EXPECT_EQ(mesh.regions[3].members, (std::vector<int>{0, 1, 3, std::min(v[6], v[8]), std::max(v[6], v[8])}));
}

TEST(SecondOrder, GivenMidpointsAreTaken) {
  Mesh mesh = kuhn_box({1, 1, 1});
  EdgeMidpoints midpoints;
  mesh.vertices.emplace_back(0.5, 0.1, -0.1);
  EXPECT_TRUE(midpoints.add(1, 0, 8));
  EXPECT_TRUE(midpoints.add(0, 1, 8));
  EXPECT_FALSE(midpoints.add(0, 1, 7));
  make_quadratic(mesh, midpoints);
  EXPECT_EQ(mesh.vertices.size(), 8 + 19u);  // a cube of six tetrahedra has 19 edges
  int found = 0;
  for (const QuadraticTetrahedron& quadratic : mesh.quadratics) found += std::count(quadratic.vertices.begin() + 4, quadratic.vertices.end(), 8);
  EXPECT_EQ(found, 2);  // two tetrahedra have this edge
}

// Hinton, Rock and Zienkiewicz 1976: the diagonal of the consistent mass matrix, 6/420 and 32/420 of the volume, scaled to the whole.
TEST(SecondOrder, LumpedVolumesAreThoseOfTheConsistentDiagonal) {
  std::array<Vec3, 10> x = {Vec3(0.1, 0, 0.2), Vec3(1.2, 0.1, 0), Vec3(0, 0.9, -0.1), Vec3(0.3, 0.2, 1.4)};
  for (std::size_t k = 0; k < 6; ++k) x[4 + k] = (x[kTetrahedronEdges[k][0]] + x[kTetrahedronEdges[k][1]]) / 2;
  const double straight = (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]) / 6;
  const auto sum = [](const std::array<double, 10>& shares) { return std::accumulate(shares.begin(), shares.end(), 0.0); };
  const auto shares = lumped_volumes(x);
  for (std::size_t a = 0; a < 10; ++a) EXPECT_NEAR(shares[a], straight * (a < 4 ? 1.0 / 36 : 4.0 / 27), 1e-15);

  // The integral for curved sides takes over without a jump.
  auto nearly = x;
  nearly[5] += Vec3(1e-9, 0, 0);
  const auto almost = lumped_volumes(nearly);
  for (std::size_t a = 0; a < 10; ++a) EXPECT_NEAR(almost[a], shares[a], 1e-8 * straight);

  // One vertex that moves by d deforms the element by I + d g^T with g = grad 4 l_0 l_1, so that the volume grows by d . (grad l_0 + grad l_1) V.
  const Vec3 d(0.05, -0.1, 0.08);
  Mat3 shape;
  for (int k = 0; k < 3; ++k) shape.col(k) = x[k + 1] - x[0];
  const Mat3 gradients = shape.inverse();  // rows of barycentric coordinates 1 to 3
  const Vec3 sum_of_two = -(gradients.row(1) + gradients.row(2)).transpose();
  auto curved = x;
  curved[4] += d;
  const auto bent = lumped_volumes(curved);
  EXPECT_NEAR(sum(bent), straight * (1 + d.dot(sum_of_two)), 1e-14);
  for (const double share : bent) EXPECT_GT(share, 0.01 * straight);
}

TEST(SecondOrder, FoldedElementsAreRefused) {
  Mesh mesh;
  mesh.source = "folded.msh";
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.8, 0, 0}};
  mesh.tetrahedra = {{0, 1, 2, 3}};
  EdgeMidpoints midpoints;
  midpoints.add(0, 1, 4);
  Mesh folded = mesh;
  make_quadratic(folded, midpoints);
  const std::string message = input_error([&] { check_elements(folded); });
  EXPECT_NE(message.find("folded.msh: the ten-node tetrahedron 1 with a corner at (0, 0, 0) is folded"), std::string::npos) << message;
  mesh.vertices[4].x() = 0.7;  // 0.75 is where the derivative along the edge vanishes at its end
  make_quadratic(mesh, midpoints);
  EXPECT_NO_THROW(check_elements(mesh));
}

// The same in all of Gmsh's formats: vertices in the middle of their own edges, regions cut with their elements.
TEST(SecondOrder, GmshsMeshesAreRead) {
  const TemporaryFolder folder;
  const std::string geo =
      "SetFactory(\"OpenCASCADE\"); Box(1) = {0, 0, 0, 1, 1, 1}; Mesh.MeshSizeMin = 0.5; Mesh.MeshSizeMax = 0.5; Physical Volume(\"solid\") = {1};"
      "Physical Surface(\"side\") = {1}; Physical Curve(\"edge\") = {1};";
  for (const char* variant : {"-format msh41", "-format msh41 -bin", "-format msh22", "-format msh22 -bin", "-format vtk"}) {
    SCOPED_TRACE(variant);
    std::string path = gmsh(folder, geo, "second", std::string(variant) + " -order 2");
    if (std::string(variant) == "-format vtk") {
      std::filesystem::rename(path, folder.path("second.vtk"));
      path = folder.path("second.vtk");
    }
    const Mesh mesh = read_mesh(path);
    check_elements(mesh);
    EXPECT_GT(mesh.quadratics.size(), 20u);
    double largest = 0;
    for (const QuadraticTetrahedron& quadratic : mesh.quadratics)
      for (std::size_t k = 0; k < 6; ++k) {
        const auto [a, b] = kTetrahedronEdges[k];
        const auto& v = quadratic.vertices;
        largest = std::max(largest, (mesh.vertices[v[4 + k]] - (mesh.vertices[v[a]] + mesh.vertices[v[b]]) / 2).norm());
      }
    EXPECT_LT(largest, 1e-12);
    EXPECT_NEAR(volume(mesh), 1, 1e-12);
    if (path.ends_with(".vtk")) continue;  // without names
    EXPECT_NEAR(measure(mesh, "solid"), 1, 1e-12);
    EXPECT_NEAR(measure(mesh, "side"), 1, 1e-12);
    EXPECT_EQ(measure(mesh, "edge"), 5);  // two segments, each with a vertex in its middle
  }
}

// Vertices of curved boundaries lie on the true surface: the volume of a ball of 4 x 20 to 30 flat pieces is within a part of that of flat faces.
TEST(SecondOrder, GmshsCurvedBoundariesAreKept) {
  const TemporaryFolder folder;
  const std::string geo =
      "SetFactory(\"OpenCASCADE\"); Sphere(1) = {0, 0, 0, 1}; Mesh.MeshSizeMin = 0.6; Mesh.MeshSizeMax = 0.6; Physical Volume(\"ball\") = {1};";
  const Mesh mesh = read_mesh(gmsh(folder, geo, "ball", "-order 2")), flat = read_mesh(gmsh(folder, geo, "flat", "-order 1"));
  check_elements(mesh);
  double quadratic = 0;
  for (const QuadraticTetrahedron& element : mesh.quadratics) {
    const auto shares = lumped_volumes(mesh.vertices, element.vertices);
    quadratic += std::accumulate(shares.begin(), shares.end(), 0.0);
  }
  const double exact = 4 * M_PI / 3;
  EXPECT_GT(exact - volume(flat), 0.1);
  EXPECT_LT(std::abs(exact - quadratic), 0.1 * (exact - volume(flat)));
}

// Ten points in VTK's order of a quadratic tetrahedron, and a quadratic triangle.
const char* const kVtu =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt32\">\n<UnstructuredGrid>\n"
    "<Piece NumberOfPoints=\"10\" NumberOfCells=\"2\">\n<Points>\n<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 2 0 0 0 2 0 0 0 "
    "2 "
    "1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 0 1 1</DataArray>\n</Points>\n<Cells>\n<DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">"
    "0 1 2 3 4 5 6 7 8 9 0 2 1 6 5 4</DataArray>\n<DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">10 16</DataArray>\n"
    "<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">24 22</DataArray>\n</Cells>\n<CellData>\n"
    "<DataArray type=\"Int32\" Name=\"region\" format=\"ascii\">1 2</DataArray>\n</CellData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";

TEST(SecondOrder, VtksQuadraticCellsAreRead) {
  const TemporaryFolder folder;
  const Mesh mesh = read_mesh(folder.write("ten.vtu", kVtu));
  check_elements(mesh);
  ASSERT_EQ(mesh.quadratics.size(), 1u);
  EXPECT_EQ(mesh.quadratics[0].vertices, (std::array<int, 10>{0, 1, 2, 3, 4, 6, 7, 5, 8, 9}));  // on the edges 01, 02, 03, 12, 13, 23
  EXPECT_EQ(mesh.triangles.size(), 4u);
  EXPECT_NEAR(volume(mesh), 4.0 / 3, 1e-14);
  EXPECT_EQ(mesh.vertices.size(), 10u);
}

TEST(SecondOrder, FilesThatMixOrdersAreRefused) {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& text) {
    const std::string path = folder.write("bad.vtu", text);
    return input_error([&] { read_mesh(path); });
  };
  EXPECT_NE(message(replaced(kVtu, "24 22", "24 5")).find("the cell 2 has 6 vertices where 3 are expected"), std::string::npos);
  EXPECT_NE(message(replaced(kVtu, "24 22", "10 22")).find("the cell 1 has 10 vertices where 4 are expected"), std::string::npos);
  EXPECT_NE(message(replaced(replaced(replaced(kVtu, "24 22", "10 22"), "3 4 5 6 7 8 9 ", "3 "), "10 16", "4 10")).find("0 of 1 tetrahedra have ten nodes"),
            std::string::npos);
  EXPECT_NE(message(replaced(kVtu, "0 2 1 6 5 4", "0 2 1 6 5 7")).find("has two different vertices in its middle"), std::string::npos);
  const std::string surface =
      "Point(1) = {0, 0, 0, 1}; Point(2) = {1, 0, 0, 1}; Point(3) = {0, 1, 0, 1}; Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 1};"
      "Curve Loop(1) = {1, 2, 3}; Plane Surface(1) = {1}; Physical Surface(\"sheet\") = {1};";
  const std::string path = gmsh(folder, surface, "sheet", "-order 2");
  EXPECT_NE(input_error([&] { read_mesh(path); }).find("has elements of second order, but no tetrahedra"), std::string::npos);
}

}  // namespace
}  // namespace traction::test
