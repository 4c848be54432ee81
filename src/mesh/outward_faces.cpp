// Surfaces of a solid, oriented by the solid itself.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "errors.h"
#include "mesh/read_mesh.h"

namespace traction {

namespace {

template <std::size_t N>
std::array<int, N> sorted(std::array<int, N> vertices) {
  std::sort(vertices.begin(), vertices.end());
  return vertices;
}

std::string place(const Vec3& x) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", x.x(), x.y(), x.z()); }

}  // namespace

std::vector<std::array<int, 3>> outward_faces(const Mesh& mesh, const Region& region) {
  std::vector<std::array<int, 3>> outer = boundary_faces(mesh);
  const auto before = [](const std::array<int, 3>& a, const std::array<int, 3>& b) { return sorted(a) < sorted(b); };
  std::sort(outer.begin(), outer.end(), before);
  std::vector<std::array<int, 3>> faces;
  std::map<std::array<int, 2>, int> triangles_of_edge;
  for (int member : region.members) {
    const std::array<int, 3>& triangle = mesh.triangles[member];
    const auto found = std::lower_bound(outer.begin(), outer.end(), triangle, before);
    if (found == outer.end() || sorted(*found) != sorted(triangle))
      throw InputError(fmt::format("{}: the triangle at {} of region '{}' is not an outer face of the solid and so has no outside; name an outer surface",
                                   mesh.source, place(mesh.vertices[triangle[0]]), region.name));
    faces.push_back(*found);
    for (int i = 0; i < 3; ++i)
      if (++triangles_of_edge[sorted(std::array{triangle[i], triangle[(i + 1) % 3]})] > 2)
        throw InputError(
            fmt::format("{}: the region '{}' is non-manifold: more than two of its triangles meet in the edge from {} to {}; remesh so that parts of the "
                        "solid do not touch in a single edge",
                        mesh.source, region.name, place(mesh.vertices[triangle[i]]), place(mesh.vertices[triangle[(i + 1) % 3]])));
  }
  return faces;
}

}  // namespace traction
