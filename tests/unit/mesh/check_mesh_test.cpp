#include "support/box_mesh.h"
#include "unit/mesh/mesh_files.h"

namespace traction::test {
namespace {

Mesh tetrahedron() {
  Mesh mesh;
  mesh.source = "one.msh";
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.tetrahedra = {{0, 1, 2, 3}};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  mesh.regions = {{"all", 2, {0, 1, 2, 3}}};
  return mesh;
}

TEST(CheckElements, GoodMeshesPass) {
  EXPECT_NO_THROW(check_elements(tetrahedron()));
  EXPECT_NO_THROW(check_elements(box_mesh("box", {0, 0, 0}, {1, 2, 3}, {2, 3, 4})));
  // The limits are relative: neither a tiny nor a huge mesh is degenerate.
  for (const double scale : {1e-9, 1e9}) {
    Mesh mesh = tetrahedron();
    for (Vec3& x : mesh.vertices) x *= scale;
    EXPECT_NO_THROW(check_elements(mesh));
  }
}

TEST(CheckElements, BadMeshesAreRefused) {
  const auto message = [](auto change) {
    Mesh mesh = tetrahedron();
    change(mesh);
    return input_error([&] { check_elements(mesh); });
  };
  EXPECT_EQ(message([](Mesh& mesh) { mesh.tetrahedra.clear(), mesh.triangles.clear(); }),
            "one.msh: the mesh has no tetrahedra, and no triangles in regions. Mesh the volume, and in Gmsh put it in a Physical Volume, or a shell in a "
            "Physical Surface. All triangles of a file without tetrahedra are the region 'all' if 'shell' names it");
  EXPECT_EQ(message([](Mesh& mesh) { mesh.tetrahedra[0][2] = 4; }),
            "one.msh: the tetrahedron 1 names the vertex 5, but there are 4 vertices. Write the mesh again");
  EXPECT_EQ(message([](Mesh& mesh) { mesh.tetrahedra[0][2] = -1; }),
            "one.msh: the tetrahedron 1 names the vertex 0, but there are 4 vertices. Write the mesh again");
  EXPECT_EQ(message([](Mesh& mesh) { mesh.tetrahedra[0][2] = 1; }), "one.msh: the tetrahedron 1 has the vertex at (1, 0, 0) twice. Remesh there");
  EXPECT_EQ(message([](Mesh& mesh) { mesh.vertices[3].z() = std::nan(""); }),
            "one.msh: the coordinates of the vertex 4 aren't finite: (0, 0, nan). Write the mesh again");
  EXPECT_EQ(message([](Mesh& mesh) { std::swap(mesh.tetrahedra[0][0], mesh.tetrahedra[0][1]); }),
            "one.msh: the tetrahedron 1 with the vertices (1, 0, 0), (0, 0, 0), (0, 1, 0), (0, 0, 1) is inverted: its volume is -0.166667. "
            "Swap two of its vertices or remesh");
  EXPECT_EQ(message([](Mesh& mesh) { mesh.vertices[3].z() = 1e-14; }),
            "one.msh: the tetrahedron 1 with the vertices (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1e-14) is degenerate: its volume is "
            "1.66667e-15, "
            "its longest edge 1.41421. Remesh there");
  EXPECT_NE(message([](Mesh& mesh) { mesh.vertices[3].z() = 0; }).find("is degenerate"), std::string::npos);
  EXPECT_NE(message([](Mesh& mesh) { mesh.vertices[3].z() = -1e-14; }).find("is degenerate"), std::string::npos);
  EXPECT_NE(message([](Mesh& mesh) {
              for (Vec3& x : mesh.vertices) x *= 1e200;
            }).find("is degenerate"),
            std::string::npos);
  EXPECT_NE(message([](Mesh& mesh) {
              mesh.vertices.push_back({2, 0, 0});
              mesh.triangles.push_back({0, 1, 4});
            }).find("the triangle 5 with the vertices (0, 0, 0), (1, 0, 0), (2, 0, 0) is degenerate"),
            std::string::npos);
  EXPECT_NE(message([](Mesh& mesh) { mesh.triangles[1][0] = 9; }).find("the triangle 2 names the vertex 10"), std::string::npos);
  EXPECT_NE(message([](Mesh& mesh) { mesh.regions[0].members.back() = 4; }).find("the region 'all' names its member 5, but there are 4"), std::string::npos);
}

TEST(BoundaryFaces, OfABoxPointOutward) {
  const Mesh mesh = box_mesh("box", {0, 0, 0}, {1, 2, 3}, {2, 3, 4});
  const auto faces = boundary_faces(mesh);
  EXPECT_EQ(faces.size(), 2u * 2 * (2 * 3 + 3 * 4 + 4 * 2));
  const Vec3 middle(0.5, 1, 1.5);
  double area = 0, enclosed = 0;
  Vec3 sum = Vec3::Zero();
  for (const auto& face : faces) {
    const Vec3 vector = area_vector(mesh, face);
    EXPECT_GT(vector.dot(mesh.vertices[face[0]] - middle), 0);
    area += vector.norm();
    sum += vector;
    enclosed += vector.dot(mesh.vertices[face[0]]) / 3;
  }
  EXPECT_NEAR(area, 22, 1e-13);
  EXPECT_NEAR(sum.norm(), 0, 1e-13);
  EXPECT_NEAR(enclosed, 6, 1e-13);
}

TEST(BoundaryFaces, ThreeTetrahedraAtAFaceAreRefused) {
  Mesh mesh = tetrahedron();
  mesh.vertices.push_back({1, 1, 1});
  mesh.vertices.push_back({2, 2, 2});
  mesh.tetrahedra.push_back({1, 2, 3, 4});
  EXPECT_EQ(boundary_faces(mesh).size(), 6u);
  mesh.tetrahedra.push_back({1, 2, 3, 5});
  EXPECT_EQ(input_error([&] { boundary_faces(mesh); }),
            "one.msh: 3 tetrahedra, among them 1, 2 and 3, share the face with the vertices (1, 0, 0), (0, 1, 0), (0, 0, 1). Remesh "
            "without overlaps");
}

TEST(ClosedSurface, AnyOrientationBecomesOutward) {
  std::mt19937 random(3);
  for (int attempt = 0; attempt < 20; ++attempt) {
    Mesh mesh = box_mesh("box", {100, 100, 100}, {101, 102, 103}, {2, 2, 3});
    for (auto& triangle : mesh.triangles)
      if (random() % 2) std::swap(triangle[0], triangle[2]);
    const Region& surface = *mesh.find_region("box.surface");
    EXPECT_NEAR(orient_closed_surface(mesh, surface), 6, 1e-11);
    for (int member : surface.members) {
      const auto& triangle = mesh.triangles[member];
      EXPECT_GT(area_vector(mesh, triangle).dot(mesh.vertices[triangle[0]] - Vec3(100.5, 101, 101.5)), 0);
    }
  }
}

// Puts the surface of another box in the same region.
void add_surface(Mesh& mesh, const Vec3& lower, const Vec3& upper) {
  const Mesh other = box_mesh("other", lower, upper, {1, 1, 1});
  const int offset = static_cast<int>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const auto& t : other.triangles) {
    mesh.regions[0].members.push_back(static_cast<int>(mesh.triangles.size()));
    mesh.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
  }
}

TEST(ClosedSurface, SeveralShells) {
  Mesh mesh;
  mesh.regions = {{"shells", 2, {}}};
  add_surface(mesh, {0, 0, 0}, {4, 4, 4});
  EXPECT_NEAR(orient_closed_surface(mesh, mesh.regions[0]), 64, 1e-12);
  add_surface(mesh, {5, 5, 5}, {6, 6, 6});
  EXPECT_NEAR(orient_closed_surface(mesh, mesh.regions[0]), 65, 1e-12);
  // A shell inside another bounds the volume between them, and so on.
  add_surface(mesh, {1, 1, 1}, {3, 3, 3});
  EXPECT_NEAR(orient_closed_surface(mesh, mesh.regions[0]), 57, 1e-12);
  add_surface(mesh, {1.5, 1.5, 1.5}, {2.5, 2.5, 2.5});
  EXPECT_NEAR(orient_closed_surface(mesh, mesh.regions[0]), 58, 1e-12);
}

TEST(ClosedSurface, SurfacesThatDoNotCloseAreRefused) {
  const auto message = [](auto change) {
    Mesh mesh = tetrahedron();
    change(mesh);
    return input_error([&] { orient_closed_surface(mesh, mesh.regions[0]); });
  };
  EXPECT_EQ(message([](Mesh& mesh) {
              mesh.regions[0].members = {0, 1, 2};
            }),
            "one.msh: the region 'all' isn't closed: the edge from (1, 0, 0) to (0, 1, 0) belongs to one triangle only. Add the faces that "
            "are missing");
  EXPECT_EQ(message([](Mesh& mesh) {
              mesh.vertices.push_back({1, 1, 0});
              mesh.triangles.push_back({1, 2, 4});
              mesh.regions[0].members.push_back(4);
            }),
            "one.msh: the region 'all' is non-manifold: the edge from (1, 0, 0) to (0, 1, 0) belongs to 3 triangles. "
            "Leave out the faces that don't bound the volume");
  EXPECT_NE(message([](Mesh& mesh) { mesh.vertices[3].z() = 0; }).find("encloses no volume"), std::string::npos);
  EXPECT_NE(message([](Mesh& mesh) { mesh.regions[0].members.clear(); }).find("has no triangles"), std::string::npos);
  EXPECT_NE(message([](Mesh& mesh) { mesh.regions[0].dimension = 3; }).find("isn't a surface"), std::string::npos);
}

TEST(ClosedSurface, OneSidedSurfacesAreRefused) {
  // The projective plane of six vertices: every edge has two triangles, but there is no outside.
  Mesh mesh;
  mesh.source = "one.msh";
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {0, 1, 1}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}, {0, 5, 1}, {1, 2, 4}, {2, 3, 5}, {3, 4, 1}, {4, 5, 2}, {5, 1, 3}};
  mesh.regions = {{"plane", 2, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}};
  EXPECT_NE(input_error([&] { orient_closed_surface(mesh, mesh.regions[0]); }).find("can't be oriented"), std::string::npos);
}

}  // namespace
}  // namespace traction::test
