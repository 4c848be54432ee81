// Surfaces of obstacles, with their wires and nails: STL, as text or binary, Wavefront OBJ, Gmsh and VTK.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolygon.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

#include "errors.h"
#include "math/position_text.h"
#include "mesh/formats/close_seams.h"
#include "mesh/formats/mesh_formats.h"
#include "mesh/read_mesh.h"
#include "settings/file_ending.h"
#include "settings/missing_file.h"

namespace traction {

namespace {

std::string_view next_word(std::string_view& text) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  const std::size_t begin = std::min(text.find_first_not_of(kBlanks), text.size()), end = std::min(text.find_first_of(kBlanks, begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

// Triangles, segments and points with the vertices that they use; corners in the same place become one vertex.
class SurfaceBuilder {
 public:
  explicit SurfaceBuilder(const std::string& path) : path_(path) {}

  // `number`: of the line, or of the triangle, for messages.
  [[noreturn]] void fail(std::size_t number, const std::string& what) const { throw InputError(fmt::format("{}:{}: {}", path_, number, what)); }

  Vec3 position(std::size_t line, std::string_view& text) const {
    Vec3 x;
    for (double& coordinate : x) {
      const std::string_view word = next_word(text);
      const std::size_t sign = word.size() > 1 && word[0] == '+' && word[1] != '-' ? 1 : 0;
      const auto [end, error] = std::from_chars(word.data() + sign, word.data() + word.size(), coordinate);
      if (word.empty() || error != std::errc() || end != word.data() + word.size()) fail(line, "a vertex needs three numbers; write the surface again");
      if (!std::isfinite(coordinate)) fail(line, "a vertex is not finite; write the surface again");
    }
    return x;
  }

  // Triangles that have collapsed to an edge or a point are ignored, because exporters write them.
  void add_triangle(const std::array<Vec3, 3>& corners) {
    std::array<int, 3> triangle;
    for (int i = 0; i < 3; ++i) triangle[i] = vertex(corners[i]);
    if (triangle[0] != triangle[1] && triangle[1] != triangle[2] && triangle[2] != triangle[0]) mesh_.triangles.push_back(triangle);
  }

  void add_polygon(std::size_t line, const std::vector<Vec3>& corners) {
    if (corners.size() == 3) return add_triangle({corners[0], corners[1], corners[2]});
    vtkNew<vtkPolygon> polygon;
    for (const Vec3& x : corners) polygon->GetPointIds()->InsertNextId(polygon->GetPoints()->InsertNextPoint(x.data()));
    vtkNew<vtkIdList> triangles;
    const int messages = vtkObject::GetGlobalWarningDisplay();
    vtkObject::GlobalWarningDisplayOff();
    const bool good = polygon->Triangulate(triangles) != 0 && triangles->GetNumberOfIds() == 3 * static_cast<vtkIdType>(corners.size() - 2);
    vtkObject::SetGlobalWarningDisplay(messages);
    if (!good) fail(line, "the polygon cannot be cut into triangles; write the surface in triangles");
    for (vtkIdType t = 0; t < triangles->GetNumberOfIds(); t += 3)
      add_triangle({corners[triangles->GetId(t)], corners[triangles->GetId(t + 1)], corners[triangles->GetId(t + 2)]});
  }

  void add_segment(const Vec3& a, const Vec3& b) {
    const std::pair<int, int> ends = std::minmax({vertex(a), vertex(b)});
    if (ends.first != ends.second) segments_.insert(ends);
  }
  void add_point(const Vec3& x) { points_.insert(vertex(x)); }

  SurfaceMesh finish() {
    std::set<int> used;
    for (const auto& triangle : mesh_.triangles)
      for (int i = 0; i < 3; ++i) {
        segments_.erase(std::minmax({triangle[i], triangle[(i + 1) % 3]}));
        used.insert(triangle[i]);
      }
    for (const auto& [a, b] : segments_) {
      mesh_.segments.push_back({a, b});
      used.insert({a, b});
    }
    std::set_difference(points_.begin(), points_.end(), used.begin(), used.end(), std::back_inserter(mesh_.points));
    return std::move(mesh_);
  }

 private:
  int vertex(const Vec3& position) {
    const Vec3 x = position + Vec3::Zero();  // turns -0 into 0
    const auto [entry, is_new] = vertices_.try_emplace({x[0], x[1], x[2]}, static_cast<int>(mesh_.vertices.size()));
    if (is_new) mesh_.vertices.push_back(x);
    return entry->second;
  }

  const std::string& path_;
  SurfaceMesh mesh_;
  std::map<std::array<double, 3>, int> vertices_;
  std::set<std::pair<int, int>> segments_;  // all listed segments
  std::set<int> points_;                    // all listed points
};

// Calls action(number, line) for each line that is not empty.
template <typename Action>
void for_lines(std::string_view text, Action action) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    action(number, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// Vertices ("v x y z"), faces ("f 1 2 3"), poly-lines ("l 1 2 3") and points ("p 1 2 3"), each corner a vertex, or vertex/texture/normal, counted from 1, or
// back from the last one by negative numbers; the rest does not matter.
void read_obj(std::string_view text, SurfaceBuilder& surface) {
  std::vector<Vec3> vertices;
  for_lines(text, [&](std::size_t number, std::string_view line) {
    const std::string_view keyword = next_word(line);
    if (keyword == "v") vertices.push_back(surface.position(number, line));
    if (keyword != "f" && keyword != "l" && keyword != "p") return;
    std::vector<Vec3> corners;
    for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
      const std::string_view digits = word.substr(0, word.find('/'));
      long long vertex = 0;
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), vertex);
      const auto count = static_cast<long long>(vertices.size());
      if (error != std::errc() || end != digits.data() + digits.size() || vertex == 0 || vertex > count || vertex < -count)
        surface.fail(number, fmt::format("there is no vertex '{}' among the {} before this line; write the surface again", digits.substr(0, 20), count));
      corners.push_back(vertices[vertex > 0 ? vertex - 1 : count + vertex]);
    }
    if (keyword == "p")
      for (const Vec3& x : corners) surface.add_point(x);
    if (keyword == "l") {
      if (corners.size() < 2) surface.fail(number, fmt::format("a line of {} vertices; write the surface again", corners.size()));
      for (std::size_t i = 1; i < corners.size(); ++i) surface.add_segment(corners[i - 1], corners[i]);
    }
    if (keyword != "f") return;
    if (corners.size() < 3) surface.fail(number, fmt::format("a face of {} corners; write the surface again", corners.size()));
    surface.add_polygon(number, corners);
  });
}

void read_stl_text(std::string_view text, SurfaceBuilder& surface) {
  std::vector<Vec3> corners;
  bool ended = false;
  std::size_t last = 0;
  for_lines(text, [&](std::size_t number, std::string_view line) {
    last = number;
    const std::string_view keyword = next_word(line);
    if (keyword == "vertex") corners.push_back(surface.position(number, line));
    ended = ended || keyword == "endsolid";
    if (keyword != "endfacet") return;
    if (corners.size() != 3) surface.fail(number, fmt::format("a facet of {} vertices; write the surface again", corners.size()));
    surface.add_triangle({corners[0], corners[1], corners[2]});
    corners.clear();
  });
  if (!ended || !corners.empty()) surface.fail(last, "the file ends before its surface does; write it again");
}

// 80 bytes of text, the number of triangles, and for each the normal, three corners, and two bytes, all numbers in little-endian order.
constexpr std::size_t kStlHeader = 84, kStlTriangle = 50;

std::size_t stl_triangles(std::string_view bytes) {
  std::uint32_t count = 0;
  if (bytes.size() >= kStlHeader) std::memcpy(&count, bytes.data() + kStlHeader - 4, 4);
  return count;
}

void read_stl_binary(std::string_view bytes, SurfaceBuilder& surface) {
  for (std::size_t t = 0; t < stl_triangles(bytes); ++t) {
    std::array<float, 9> numbers;
    std::memcpy(numbers.data(), bytes.data() + kStlHeader + kStlTriangle * t + 12, sizeof numbers);
    if (!std::all_of(numbers.begin(), numbers.end(), [](float x) { return std::isfinite(x); }))
      surface.fail(t + 1, "the triangle of this number has a vertex that is not finite; write the surface again");
    surface.add_triangle({Vec3(numbers[0], numbers[1], numbers[2]), Vec3(numbers[3], numbers[4], numbers[5]), Vec3(numbers[6], numbers[7], numbers[8])});
  }
}

void read_stl(const std::string& path, std::string_view bytes, SurfaceBuilder& surface) {
  const std::size_t binary_size = kStlHeader + kStlTriangle * stl_triangles(bytes);
  std::string_view start = bytes;
  const bool starts_as_text = next_word(start) == "solid";  // as some binary files do
  if (bytes.size() >= kStlHeader && (bytes.size() == binary_size || (!starts_as_text && bytes.size() > binary_size))) return read_stl_binary(bytes, surface);
  if (starts_as_text) return read_stl_text(bytes, surface);
  throw InputError(path + ": neither an STL file of text, which begins with 'solid', nor a binary one of " + std::to_string(stl_triangles(bytes)) +
                   " triangles; write it again");
}

void add_elements(const std::string& path, const SurfaceMesh& listed, SurfaceBuilder& surface) {
  const std::vector<Vec3>& x = listed.vertices;
  if (!std::all_of(x.begin(), x.end(), [](const Vec3& each) { return each.allFinite(); }))
    throw InputError(path + ": a vertex is not finite; write the surface again");
  for (const auto& [a, b, c] : listed.triangles) surface.add_triangle({x[a], x[b], x[c]});
  for (const auto& [a, b] : listed.segments) surface.add_segment(x[a], x[b]);
  for (int point : listed.points) surface.add_point(x[point]);
}

bool have_same_corners(std::array<int, 3> one, std::array<int, 3> other) {
  std::sort(one.begin(), one.end());
  std::sort(other.begin(), other.end());
  return one == other;
}

// Checks that at most two triangles share an edge, and pass it in opposite directions; otherwise they disagree about which side is outside. Returns whether the
// surface is closed.
bool check_edges(const SurfaceMesh& mesh, const std::string& path) {
  struct Passes {
    std::vector<std::size_t> triangles;
    int upward = 0;  // in the direction from the lower to the higher vertex
  };
  std::map<std::pair<int, int>, Passes> edges;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int i = 0; i < 3; ++i) {
      const auto [low, high] = std::minmax({mesh.triangles[t][i], mesh.triangles[t][(i + 1) % 3]});
      Passes& passes = edges[{low, high}];
      passes.triangles.push_back(t + 1);
      if (mesh.triangles[t][i] == low) ++passes.upward;
    }
  bool closed = !mesh.triangles.empty();
  for (const auto& [edge, passes] : edges) {
    closed = closed && passes.triangles.size() == 2;
    const std::string where = fmt::format("the edge from {} to {}", position_text(mesh.vertices[edge.first]), position_text(mesh.vertices[edge.second]));
    for (std::size_t i = 1; i < passes.triangles.size() && (passes.triangles.size() > 2 || passes.upward != 1); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (const std::size_t one = passes.triangles[j], other = passes.triangles[i]; have_same_corners(mesh.triangles[one - 1], mesh.triangles[other - 1]))
          throw InputError(fmt::format("{}: triangles {} and {} are one triangle twice, at {}; leave one of them out", path, one, other, where));
    if (passes.triangles.size() > 2)
      throw InputError(fmt::format("{}: is non-manifold: {} belongs to {} triangles ({}); leave out those that do not bound the obstacle", path, where,
                                   passes.triangles.size(), fmt::join(passes.triangles, ", ")));
    if (passes.triangles.size() == 2 && passes.upward != 1)
      throw InputError(fmt::format("{}: triangles {} are oriented differently at {}; orient the surface so that all its normals point out of the obstacle",
                                   path, fmt::join(passes.triangles, " and "), where));
  }
  return closed;
}

void check_triangles(const SurfaceMesh& mesh, const std::string& path) {
  if (mesh.triangles.empty() && mesh.segments.empty() && mesh.points.empty())
    throw InputError(path + ": holds no triangles, nor segments or points; name the file of a surface, or export the surface again");
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Vec3 &a = mesh.vertices[mesh.triangles[t][0]], &b = mesh.vertices[mesh.triangles[t][1]], &c = mesh.vertices[mesh.triangles[t][2]];
    const double longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
    if (!((b - a).cross(c - a).norm() > 1e-12 * longest * longest))
      throw InputError(fmt::format("{}: triangle {} at {} is degenerate; remesh", path, t + 1, position_text(a)));
  }
}

}  // namespace

SurfaceMesh read_surface(const std::string& path) {
  std::error_code unknown;  // set for names that are too long, or in folders that may not be read
  if (!std::filesystem::is_regular_file(path, unknown)) throw InputError(path + ": no such file; " + remedy_for_missing_file(path));
  refuse_other_file(path);
  const std::string extension = file_ending(path);
  SurfaceBuilder surface(path);
  if (extension == ".stl") read_stl(path, read_bytes(path), surface);
  else if (extension == ".obj") read_obj(read_bytes(path), surface);
  else if (extension == ".msh") add_elements(path, read_gmsh_surface(path), surface);
  else if (extension == ".vtu" || extension == ".vtk") add_elements(path, read_vtk_surface(path), surface);
  else if (extension == ".geo" || extension == ".step" || extension == ".stp" || extension == ".iges" || extension == ".igs" || extension == ".brep")
    throw InputError(fmt::format("{0}: is a geometry without triangles, which obstacles need; make them with: gmsh -2 {0} -o {1}, and give that file", path,
                                 std::filesystem::path(path).replace_extension(".stl").string()));
  else throw InputError(path + ": not a format of surfaces; give .stl, .obj, .msh, .vtu or .vtk");
  SurfaceMesh mesh = surface.finish();
  check_triangles(mesh, path);
  close_seams(mesh);
  check_triangles(mesh, path);
  mesh.closed = check_edges(mesh, path);
  return mesh;
}

}  // namespace traction
