#include "mesh/mesh_faults.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include "errors.h"
#include "math/box_tree.h"
#include "mesh/connected_vertices.h"
#include "mesh/read_mesh.h"
#include "mesh/second_order.h"
#include "mesh/tetrahedron_faces.h"

namespace traction {

namespace {

constexpr double kFlat = 1e-4;    // height over longest edge, below which a tetrahedron is worth a warning
constexpr double kInside = 1e-3;  // barycentric coordinate of a point that surely lies in a tetrahedron
constexpr double kJudged = 1e-8;  // height over longest edge, below which rounding decides what lies inside
constexpr double kOnLine = 1e-6;  // largest distance of points from a line, relative to its length, at which they count as lying on it

using Tetrahedra = std::vector<std::array<int, 4>>;

Vec3 middle_of(const std::vector<Vec3>& x, const std::array<int, 4>& t) { return (x[t[0]] + x[t[1]] + x[t[2]] + x[t[3]]) / 4; }

// A point inside a tetrahedron that symmetric meshes do not place on the faces of others.
Vec3 point_inside(const std::vector<Vec3>& x, const std::array<int, 4>& t) { return 0.31 * x[t[0]] + 0.27 * x[t[1]] + 0.23 * x[t[2]] + 0.19 * x[t[3]]; }

double six_volumes(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) { return (b - a).cross(c - a).dot(d - a); }

// The least height of a tetrahedron over its longest edge.
double flatness(const std::vector<Vec3>& x, const std::array<int, 4>& t) {
  double longest = 0, largest = 0;  // edge, twice a face's area
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < i; ++j) longest = std::max(longest, (x[t[i]] - x[t[j]]).norm());
    const Vec3 &a = x[t[(i + 1) % 4]], &b = x[t[(i + 2) % 4]], &c = x[t[(i + 3) % 4]];
    largest = std::max(largest, (b - a).cross(c - a).norm());
  }
  return six_volumes(x[t[0]], x[t[1]], x[t[2]], x[t[3]]) / (largest * longest);
}

bool lies_inside(const std::vector<Vec3>& x, const std::array<int, 4>& t, const Vec3& point) {
  const double whole = six_volumes(x[t[0]], x[t[1]], x[t[2]], x[t[3]]);
  for (std::size_t i = 0; i < 4; ++i) {
    std::array<Vec3, 4> corners = {x[t[0]], x[t[1]], x[t[2]], x[t[3]]};
    corners[i] = point;
    if (!(six_volumes(corners[0], corners[1], corners[2], corners[3]) > kInside * whole)) return false;
  }
  return flatness(x, t) > kJudged;
}

// The tetrahedra that have an outer face, and a few more: wherever tetrahedra of positive volume cover space twice, so does one of these, or two tetrahedra lie
// on one side of a face.
std::vector<std::size_t> outer_tetrahedra(const Mesh& mesh, const std::vector<std::array<int, 3>>& surface) {
  std::vector<char> outer(mesh.vertices.size(), 0);
  for (const auto& face : surface)
    for (const int vertex : face) outer[vertex] = 1;
  std::vector<std::size_t> result;
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e)
    if (std::count_if(mesh.tetrahedra[e].begin(), mesh.tetrahedra[e].end(), [&](int vertex) { return outer[vertex] != 0; }) >= 3) result.push_back(e);
  return result;
}

// Whether two faces with the same vertices are turned the same way.
bool are_turned_alike(const std::array<int, 3>& a, const std::array<int, 3>& b) {
  const auto first = std::find(b.begin(), b.end(), a[0]) - b.begin();
  return b[(first + 1) % 3] == a[1];
}

// The parts of a solid that faces hold together.
ConnectedVertices joined_by_faces(const Tetrahedra& tetrahedra) {
  ConnectedVertices parts(tetrahedra.size());
  for_each_face(tetrahedra, [&](std::span<const TetrahedronFace> faces) {
    for (const TetrahedronFace& face : faces) parts.connect(static_cast<int>(faces[0].tetrahedron()), static_cast<int>(face.tetrahedron()));
  });
  return parts;
}

bool are_on_a_line(const std::vector<Vec3>& x, const std::vector<int>& vertices) {
  const Vec3& from = x[vertices.front()];
  Vec3 along = Vec3::Zero();
  for (const int vertex : vertices)
    if ((x[vertex] - from).squaredNorm() > along.squaredNorm()) along = x[vertex] - from;
  return std::all_of(vertices.begin(), vertices.end(), [&](int vertex) { return (x[vertex] - from).cross(along).norm() <= kOnLine * along.squaredNorm(); });
}

void find_hinge(const std::vector<Vec3>& x, const Tetrahedra& tetrahedra, const std::vector<char>& stiffened, MeshDoubts& doubts) {
  ConnectedVertices parts = joined_by_faces(tetrahedra);
  std::map<std::pair<int, int>, std::vector<int>> shared;  // vertices that two parts have in common
  std::vector<std::pair<int, int>> of_vertices;            // vertex and part
  for (std::size_t e = 0; e < tetrahedra.size(); ++e)
    for (const int vertex : tetrahedra[e]) of_vertices.emplace_back(vertex, parts.root(static_cast<int>(e)));
  std::sort(of_vertices.begin(), of_vertices.end());
  of_vertices.erase(std::unique(of_vertices.begin(), of_vertices.end()), of_vertices.end());
  for (std::size_t i = 0; i < of_vertices.size(); ++i)
    for (std::size_t j = i + 1; j < of_vertices.size() && of_vertices[j].first == of_vertices[i].first; ++j)
      shared[{of_vertices[i].second, of_vertices[j].second}].push_back(of_vertices[i].first);
  for (const auto& [pair, vertices] : shared) {
    const bool is_stiff = std::any_of(vertices.begin(), vertices.end(), [&](int vertex) { return stiffened[vertex] != 0; });
    if (is_stiff || !are_on_a_line(x, vertices)) continue;
    doubts.hinge = x[vertices.front()];
    doubts.hinge_is_edge = vertices.size() > 1;
    return;
  }
}

}  // namespace

void refuse_overlaps(const Mesh& mesh) {
  const std::size_t parts = mesh.quadratics.empty() ? 1 : kQuadraticParts;  // number of the mesh's tetrahedra that one element of the file was divided into
  const auto refuse = [&](std::size_t first, std::size_t second, const Vec3& at) {
    throw InputError(
        fmt::format("{}: the tetrahedra {} and {} overlap at ({:.6g}, {:.6g}, {:.6g}): the body would have its mass and stiffness twice there. Remove what is "
                    "meshed twice (Gmsh: Coherence, or BooleanFragments), or remesh without folds",
                    mesh.source, std::min(first, second) / parts + 1, std::max(first, second) / parts + 1, at.x(), at.y(), at.z()));
  };
  if (mesh.tetrahedra.empty()) return;
  const std::vector<std::array<int, 3>> surface = boundary_faces(mesh);
  for_each_face(mesh.tetrahedra, [&](std::span<const TetrahedronFace> faces) {
    if (faces.size() != 2 || !are_turned_alike(face_vertices(mesh.tetrahedra, faces[0].number), face_vertices(mesh.tetrahedra, faces[1].number))) return;
    const std::array<int, 3>& face = faces[0].sorted;
    refuse(faces[0].tetrahedron(), faces[1].tetrahedron(), (mesh.vertices[face[0]] + mesh.vertices[face[1]] + mesh.vertices[face[2]]) / 3);
  });
  std::vector<BoundingBox> boxes(mesh.tetrahedra.size());
  for (std::size_t e = 0; e < boxes.size(); ++e)
    for (const int vertex : mesh.tetrahedra[e]) boxes[e].include(mesh.vertices[vertex]);
  const BoxTree tree(std::move(boxes));
  for (const std::size_t e : outer_tetrahedra(mesh, surface)) {
    const Vec3 point = point_inside(mesh.vertices, mesh.tetrahedra[e]);
    BoundingBox box;
    box.include(point);
    tree.for_each_overlap(box, [&](int other) {
      const auto number = static_cast<std::size_t>(other);
      if (number != e && lies_inside(mesh.vertices, mesh.tetrahedra[number], point)) refuse(e, number, point);
    });
  }
}

MeshDoubts doubts_about(const std::vector<Vec3>& x, const std::vector<std::array<int, 4>>& tetrahedra, const std::vector<char>& stiffened) {
  MeshDoubts doubts;
  doubts.least_height = kFlat;
  for (const std::array<int, 4>& t : tetrahedra) {
    const double height = flatness(x, t);
    if (!(height < kFlat)) continue;
    ++doubts.flat;
    if (height > doubts.least_height) continue;
    doubts.least_height = height;
    doubts.flattest = middle_of(x, t);
  }
  doubts.crossing = find_crossing(x, outer_faces(tetrahedra));
  find_hinge(x, tetrahedra, stiffened, doubts);
  return doubts;
}

std::vector<LoosePart> find_loose_parts(const Mesh& mesh, const std::vector<char>& attached) {
  const std::size_t count = mesh.vertices.size();
  std::vector<char> in_solid(count, 0), in_other(count, 0);
  for (const auto& tetrahedron : mesh.tetrahedra)
    for (const int vertex : tetrahedron) in_solid[vertex] = in_other[vertex] = 1;
  for (const int shell : mesh.shells)
    for (const int vertex : mesh.triangles[shell]) in_other[vertex] = 1;
  std::vector<LoosePart> loose;
  // `parts`: the vertices of each part.
  const auto examine = [&](const std::map<int, std::vector<int>>& parts, const std::vector<char>& others, bool is_rod) {
    for (const auto& [root, vertices] : parts) {
      std::vector<int> common;
      for (const int vertex : vertices)
        if (others[vertex] != 0 && (common.empty() || common.back() != vertex)) common.push_back(vertex);
      const bool is_held = std::any_of(vertices.begin(), vertices.end(), [&](int vertex) { return attached[vertex] != 0; });
      if (!is_held && !common.empty() && (is_rod ? common.size() == 1 : are_on_a_line(mesh.vertices, common)))
        loose.push_back({common.front(), mesh.vertices[common.front()], is_rod, common.size() > 1});
    }
  };
  ConnectedVertices triangles(mesh.triangles.size());
  std::vector<char> bends(mesh.triangles.size(), 0);
  for (const Hinge& hinge : mesh.hinges) {
    triangles.connect(hinge.triangles[0], hinge.triangles[1]);
    bends[hinge.triangles[0]] = bends[hinge.triangles[1]] = 1;
  }
  std::map<int, std::vector<int>> parts;
  const auto add = [&](int root, std::span<const int> vertices) { parts[root].insert(parts[root].end(), vertices.begin(), vertices.end()); };
  const auto sort = [&] {
    for (auto& [root, vertices] : parts) std::sort(vertices.begin(), vertices.end());
  };
  for (const int shell : mesh.shells)
    if (bends[shell] != 0) add(triangles.root(shell), mesh.triangles[shell]);
  sort();
  examine(parts, in_solid, false);
  parts.clear();
  ConnectedVertices points(count);
  for (const Rod& rod : mesh.rods) points.connect(rod.vertices[0], rod.vertices[1]);
  for (const Rod& rod : mesh.rods) add(points.root(rod.vertices[0]), std::span(rod.vertices).first(2));
  sort();
  examine(parts, in_other, true);
  return loose;
}

}  // namespace traction
