#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "errors.h"
#include "math/triangle_area.h"
#include "mesh/read_mesh.h"
#include "mesh/second_order.h"
#include "mesh/tetrahedron_faces.h"

namespace traction {

namespace {

constexpr double kDegenerate = 1e-12;  // relative to the longest edge to the power of the dimension

template <std::size_t N>
std::string coordinates(const Mesh& mesh, const std::array<int, N>& element) {
  std::string text;
  for (int vertex : element) {
    const Vec3& x = mesh.vertices[vertex];
    text += fmt::format("{}({:.6g}, {:.6g}, {:.6g})", text.empty() ? "" : ", ", x.x(), x.y(), x.z());
  }
  return text;
}

template <std::size_t N>
double longest_edge(const Mesh& mesh, const std::array<int, N>& element) {
  double longest = 0;
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j < i; ++j) longest = std::max(longest, (mesh.vertices[element[i]] - mesh.vertices[element[j]]).norm());
  return longest;
}

template <std::size_t N>
void check_vertices(const Mesh& mesh, const std::array<int, N>& element, const char* noun, std::size_t number) {
  for (std::size_t i = 0; i < N; ++i) {
    if (element[i] < 0 || element[i] >= static_cast<int>(mesh.vertices.size()))
      throw InputError(fmt::format("{}: the {} {} names the vertex {}, but there are {} vertices. Write the mesh again", mesh.source, noun, number,
                                   static_cast<long long>(element[i]) + 1, mesh.vertices.size()));
    if (!mesh.vertices[element[i]].allFinite())
      throw InputError(fmt::format("{}: the {} {} has a vertex whose coordinates aren't finite: {}. Write the mesh again", mesh.source, noun, number,
                                   coordinates(mesh, std::array<int, 1>{element[i]})));
    for (std::size_t j = 0; j < i; ++j)
      if (element[i] == element[j])
        throw InputError(fmt::format("{}: the {} {} has the vertex at {} twice. Remesh there", mesh.source, noun, number,
                                     coordinates(mesh, std::array<int, 1>{element[i]})));
  }
}

void check_tetrahedron(const Mesh& mesh, std::size_t e) {
  const std::array<int, 4>& t = mesh.tetrahedra[e];
  if (!mesh.quadratics.empty()) e /= kQuadraticParts;  // all tetrahedra of a file are of one order
  check_vertices(mesh, t, "tetrahedron", e + 1);
  const Vec3& a = mesh.vertices[t[0]];
  const double volume = (mesh.vertices[t[1]] - a).cross(mesh.vertices[t[2]] - a).dot(mesh.vertices[t[3]] - a) / 6;
  const double least = kDegenerate * std::pow(longest_edge(mesh, t), 3);
  // Coordinates so large that they overflow cannot be judged.
  const bool known = std::isfinite(volume) && std::isfinite(least);
  if (known && volume > 0 && volume >= least) return;
  if (known && volume < 0 && volume <= -least)
    throw InputError(fmt::format("{}: the tetrahedron {} with the vertices {} is inverted: its volume is {:.6g}. Swap two of its vertices or remesh",
                                 mesh.source, e + 1, coordinates(mesh, t), volume));
  throw InputError(fmt::format("{}: the tetrahedron {} with the vertices {} is degenerate: its volume is {:.6g}, its longest edge {:.6g}. Remesh there",
                               mesh.source, e + 1, coordinates(mesh, t), volume, longest_edge(mesh, t)));
}

void check_triangle(const Mesh& mesh, std::size_t index) {
  const std::array<int, 3>& t = mesh.triangles[index];
  check_vertices(mesh, t, "triangle", index + 1);
  const double area = triangle_area(mesh.vertices, t);
  if (std::isfinite(area) && area > 0 && area >= kDegenerate * std::pow(longest_edge(mesh, t), 2)) return;
  throw InputError(fmt::format("{}: the triangle {} with the vertices {} is degenerate: its area is {:.6g}. Remesh there", mesh.source, index + 1,
                               coordinates(mesh, t), area));
}

void check_segment(const Mesh& mesh, std::size_t index) {
  const std::array<int, 2>& s = mesh.segments[index];
  check_vertices(mesh, s, "segment", index + 1);
  if (mesh.vertices[s[0]] == mesh.vertices[s[1]])
    throw InputError(fmt::format("{}: the segment {} at {} has no length. Merge its ends, or remesh there", mesh.source, index + 1,
                                 coordinates(mesh, std::array<int, 1>{s[0]})));
}

void check_region(const Mesh& mesh, const Region& region) {
  const std::size_t size = region.dimension == 3 ? mesh.tetrahedra.size() : region.dimension == 2 ? mesh.triangles.size() : mesh.vertices.size();
  for (int member : region.members)
    if (member < 0 || member >= static_cast<int>(size))
      throw InputError(fmt::format("{}: the region '{}' names its member {}, but there are {}. Write the mesh again", mesh.source, region.name,
                                   static_cast<long long>(member) + 1, size));
}

}  // namespace

void check_elements(const Mesh& mesh) {
  if (mesh.tetrahedra.empty() && mesh.triangles.empty() && mesh.segments.empty())
    throw InputError(
        fmt::format("{}: the mesh has no tetrahedra, and no triangles in regions. Mesh the volume, and in Gmsh put it in a Physical Volume, or a shell in a "
                    "Physical Surface. All triangles of a file without tetrahedra are the region 'all' if 'shell' names it",
                    mesh.source));
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (!mesh.vertices[v].allFinite())
      throw InputError(fmt::format("{}: the coordinates of the vertex {} aren't finite: {}. Write the mesh again", mesh.source, v + 1,
                                   coordinates(mesh, std::array<int, 1>{static_cast<int>(v)})));
  check_quadratics(mesh);
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) check_tetrahedron(mesh, e);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) check_triangle(mesh, t);
  for (std::size_t s = 0; s < mesh.segments.size(); ++s) check_segment(mesh, s);
  for (const Region& region : mesh.regions) check_region(mesh, region);
}

std::vector<std::array<int, 3>> boundary_faces(const Mesh& mesh) {
  std::vector<std::size_t> outer;
  for_each_face(mesh.tetrahedra, [&](std::span<const TetrahedronFace> faces) {
    if (faces.size() > 2)
      throw InputError(fmt::format("{}: {} tetrahedra, among them {}, {} and {}, share the face with the vertices {}. Remesh without overlaps", mesh.source,
                                   faces.size(), faces[0].tetrahedron() + 1, faces[1].tetrahedron() + 1, faces[2].tetrahedron() + 1,
                                   coordinates(mesh, faces[0].sorted)));
    if (faces.size() == 1) outer.push_back(faces[0].number);
  });
  std::sort(outer.begin(), outer.end());
  std::vector<std::array<int, 3>> result;
  result.reserve(outer.size());
  for (std::size_t number : outer) result.push_back(face_vertices(mesh.tetrahedra, number));
  return result;
}

}  // namespace traction
