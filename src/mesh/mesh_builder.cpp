#include "mesh/mesh_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "errors.h"
#include "mesh/own_regions.h"

namespace traction {

namespace {

// A key that is equal for even permutations of the vertices, that is for the same tetrahedron with the same orientation.
std::array<int, 4> orientation_key(std::array<int, 4> vertices) {
  bool odd = false;
  for (int last = 3; last > 0; --last)
    for (int i = 0; i < last; ++i)
      if (vertices[i] > vertices[i + 1]) {
        std::swap(vertices[i], vertices[i + 1]);
        odd = !odd;
      }
  if (odd) std::swap(vertices[2], vertices[3]);
  return vertices;
}

std::array<int, 3> orientation_key(std::array<int, 3> vertices) {
  std::rotate(vertices.begin(), std::min_element(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

const char* noun(int dimension) {
  const char* nouns[] = {"point", "curve", "surface", "volume"};
  return nouns[dimension];
}

// Sorts numbers and leaves each once; returns each of those that were there several times, once.
std::vector<int> take_repeated(std::vector<int>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  std::vector<int> repeated;
  for (std::size_t i = 1; i < numbers.size(); ++i)
    if (numbers[i] == numbers[i - 1] && (repeated.empty() || repeated.back() != numbers[i])) repeated.push_back(numbers[i]);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return repeated;
}

constexpr const char* kEmpty = "<empty>";

}  // namespace

std::string empty_region(const std::string& name) { return kEmpty + name; }
bool is_empty_region(const Region& region) { return region.name.starts_with(kEmpty); }

int MeshBuilder::add_vertex(const Vec3& position) {
  vertices_.push_back(position);
  return vertex_count() - 1;
}

int MeshBuilder::region(int dimension, std::int64_t number) {
  const auto [entry, is_new] = region_of_number_.try_emplace({dimension, number}, static_cast<int>(regions_.size()));
  if (is_new) regions_.push_back({Region{"", dimension, {}}, number});
  return entry->second;
}

void MeshBuilder::name_region(int dimension, std::int64_t number, const std::string& name) { regions_[region(dimension, number)].region.name = name; }

void MeshBuilder::add_member(int member, const std::vector<int>& regions) {
  for (int region : regions) regions_[region].region.members.push_back(member);
}

void MeshBuilder::add_tetrahedron(const std::array<int, 4>& vertices, const std::vector<int>& regions) {
  const auto [entry, is_new] = tetrahedron_of_vertices_.try_emplace(orientation_key(vertices), static_cast<int>(tetrahedra_.size()));
  if (is_new) tetrahedra_.push_back(vertices);
  else if (regions.empty()) copied_tetrahedra_.push_back(entry->second);
  add_member(entry->second, regions);
}

void MeshBuilder::add_triangle(const std::array<int, 3>& vertices, const std::vector<int>& regions) {
  if (regions.empty() && !keeps_all_triangles_) {
    if (!kept_surfaces_.empty()) unnamed_triangles_.push_back(vertices);
    return;
  }
  const auto [entry, is_new] = triangle_of_vertices_.try_emplace(orientation_key(vertices), static_cast<int>(triangles_.size()));
  if (is_new) triangles_.push_back(vertices);
  add_member(entry->second, regions);
}

void MeshBuilder::add_segment(const std::array<int, 2>& ends, const std::vector<int>& regions) {
  if (regions.empty()) {
    if (!kept_curves_.empty()) unnamed_segments_.push_back(ends);
    return;
  }
  const auto [entry, is_new] = segment_of_ends_.try_emplace({std::min(ends[0], ends[1]), std::max(ends[0], ends[1])}, static_cast<int>(segments_.size()));
  if (is_new) segments_.push_back(ends);
  for (int end : ends) add_member(end, regions);
  for (int region : regions) regions_[region].region.segments.push_back(entry->second);
}

void MeshBuilder::add_point(int vertex, const std::vector<int>& regions) {
  if (regions.empty()) return;
  points_.push_back(vertex);
  add_member(vertex, regions);
}

void MeshBuilder::add_midpoint(int a, int b, int vertex) {
  if (midpoints_.add(a, b, vertex)) return;
  const Vec3& x = vertices_[a];
  throw InputError(
      fmt::format("{}: an edge from ({:.6g}, {:.6g}, {:.6g}) has two different vertices in its middle. Write the mesh again", source_, x.x(), x.y(), x.z()));
}

void MeshBuilder::check_order() const {
  if (midpoints_.empty()) return;
  if (tetrahedra_.empty())
    throw InputError(fmt::format(
        "{}: has elements of second order, but no tetrahedra: shells and rods are of first order. Mesh with first order: in Gmsh Mesh.ElementOrder = 1",
        source_));
  const auto is_quadratic = [&](const std::array<int, 4>& t) {
    return std::all_of(kTetrahedronEdges.begin(), kTetrahedronEdges.end(),
                       [&](const auto& edge) { return midpoints_.find(t[edge[0]], t[edge[1]]).has_value(); });
  };
  if (const auto quadratics = std::count_if(tetrahedra_.begin(), tetrahedra_.end(), is_quadratic); quadratics < std::ssize(tetrahedra_))
    throw InputError(
        fmt::format("{}: {} of {} tetrahedra have ten nodes, the others four. Mesh all of them with one order", source_, quadratics, tetrahedra_.size()));
}

SurfaceMesh MeshBuilder::finish_surface() {
  if (!midpoints_.empty())
    throw InputError(
        fmt::format("{}: has elements of second order, but an obstacle consists of triangles and segments of first order. Mesh with first order: in "
                    "Gmsh Mesh.ElementOrder = 1",
                    source_));
  if (!tetrahedra_.empty())
    throw InputError(fmt::format("{}: holds tetrahedra, but an obstacle is a surface. Write its triangles, segments and points alone", source_));
  SurfaceMesh surface;
  surface.vertices = std::move(vertices_);
  surface.triangles = std::move(triangles_);
  surface.segments = std::move(segments_);
  surface.points = std::move(points_);
  return surface;
}

bool MeshBuilder::is_kept(const NumberedRegion& entry, const std::string& unnamed) const {
  if (entry.region.dimension != 1) return false;
  if (!entry.region.name.empty()) return kept_curves_.contains(entry.region.name);
  const std::string name = unnamed + std::to_string(entry.number);
  return kept_curves_.contains(name) || kept_curves_.contains(name + "_" + noun(1));
}

bool MeshBuilder::names_own_region(const std::set<std::string>& kept, const std::string& own) const {
  return kept.contains(own) &&
         std::none_of(regions_.begin(), regions_.end(), [&](const NumberedRegion& entry) { return takes_own_name(entry.region.name, own); });
}

// Keeps the triangles and segments in no region that are elements by the name of one of the mesh's own regions.
void MeshBuilder::keep_unnamed() {
  if (!tetrahedra_.empty()) return;
  if (names_own_region(kept_surfaces_, kAllElements) || names_own_region(kept_surfaces_, kOuterSurface)) {
    keeps_all_triangles_ = true;
    for (const auto& triangle : unnamed_triangles_) add_triangle(triangle, {});
  }
  if (!triangles_.empty() || !names_own_region(kept_curves_, kAllElements)) return;
  constexpr std::int64_t kNumberOfAll = std::numeric_limits<std::int64_t>::min();
  name_region(1, kNumberOfAll, kAllElements);
  const std::vector<int> all = {region(1, kNumberOfAll)};
  const std::vector<std::array<int, 2>> named = segments_;
  for (const auto& ends : named) add_segment(ends, all);
  for (const auto& [a, b] : unnamed_segments_)
    if (!segment_of_ends_.contains({std::min(a, b), std::max(a, b)})) add_segment({a, b}, all);
}

// Refuses names of curves that the mesh does not have. Otherwise the curve's vertices would be dropped, and the message would be about an empty mesh.
void MeshBuilder::check_kept_curves(const std::string& unnamed) const {
  for (const std::string& wanted : kept_curves_) {
    std::string curves;
    bool found = false, is_empty = false;
    for (const NumberedRegion& entry : regions_) {
      if (entry.region.members.empty()) {
        is_empty = is_empty || entry.region.name == wanted;
        continue;
      }
      const std::string name = entry.region.name.empty() ? unnamed + std::to_string(entry.number) : entry.region.name;
      found = found || name == wanted || name + "_" + noun(entry.region.dimension) == wanted;  // one of another dimension is refused where it is used
      if (entry.region.dimension == 1) curves += (curves.empty() ? "'" : ", '") + name + "'";
    }
    if (!found && is_empty)
      throw InputError(fmt::format("{}: the region '{}' is empty, and a rod needs a curve with segments; put lines into it, in Gmsh by Physical Curve(\"{}\")",
                                   source_, wanted, wanted));
    if (!found)
      throw InputError(
          fmt::format("{}: has no curve '{}' for a rod; {}", source_, wanted,
                      curves.empty() ? "it has none: put the rod's lines in a named region, in Gmsh a Physical Curve" : "its curves are " + curves));
  }
}

std::vector<int> MeshBuilder::drop_unused_vertices(const std::vector<char>& keeps_segment) {
  std::vector<int> new_index(vertices_.size(), -1);
  const auto keep = [&](const auto& element) {
    for (const int a : element) {
      new_index[a] = 0;
      for (const int b : element)
        if (const auto middle = a < b ? midpoints_.find(a, b) : std::nullopt) new_index[*middle] = 0;
    }
  };
  for (std::size_t s = 0; s < segments_.size(); ++s)
    if (keeps_segment[s]) keep(segments_[s]);
  for (const auto& tetrahedron : tetrahedra_) keep(tetrahedron);
  for (const auto& triangle : triangles_) keep(triangle);
  int used = 0;
  for (std::size_t v = 0; v < vertices_.size(); ++v)
    if (new_index[v] == 0) {
      vertices_[used] = vertices_[v];
      new_index[v] = used++;
    }
  vertices_.resize(used);
  for (auto& tetrahedron : tetrahedra_)
    for (int& vertex : tetrahedron) vertex = new_index[vertex];
  for (auto& triangle : triangles_)
    for (int& vertex : triangle) vertex = new_index[vertex];
  return new_index;
}

std::vector<int> MeshBuilder::drop_loose_segments(const std::vector<int>& new_index) {
  std::vector<int> new_number(segments_.size(), -1);
  int kept = 0;
  for (std::size_t s = 0; s < segments_.size(); ++s) {
    const std::array<int, 2> ends = {new_index[segments_[s][0]], new_index[segments_[s][1]]};
    if (ends[0] < 0 || ends[1] < 0) continue;
    segments_[kept] = ends;
    new_number[s] = kept++;
  }
  segments_.resize(kept);
  return new_number;
}

void MeshBuilder::name_unnamed(const std::string& unnamed) {
  // Volumes come first, so that a volume keeps the plain name if a surface has the same number.
  std::map<std::int64_t, int> seen;
  for (NumberedRegion& entry : regions_) {
    if (!entry.region.name.empty()) continue;
    entry.region.name = unnamed + std::to_string(entry.number);
    if (seen[entry.number]++ > 0) entry.region.name += std::string("_") + noun(entry.region.dimension);
  }
}

void MeshBuilder::check_names() const {
  std::map<std::string, const Region*> by_name;
  for (const NumberedRegion& entry : regions_) {
    const auto [found, is_new] = by_name.try_emplace(entry.region.name, &entry.region);
    if (is_new) continue;
    throw InputError(fmt::format("{}: a {} and a {} are both called '{}'. Give each region its own name", source_, noun(found->second->dimension),
                                 noun(entry.region.dimension), entry.region.name));
  }
}

Mesh MeshBuilder::finish(const std::string& unnamed) {
  keep_unnamed();
  std::vector<char> keeps_segment(segments_.size(), 0);
  check_kept_curves(unnamed);
  check_order();
  for (const NumberedRegion& entry : regions_)
    if (is_kept(entry, unnamed))
      for (int segment : entry.region.segments) keeps_segment[segment] = 1;
  const std::vector<int> new_index = drop_unused_vertices(keeps_segment), new_segment = drop_loose_segments(new_index);
  const auto renumber = [](std::vector<int>& numbers, const std::vector<int>& new_number) {
    for (int& number : numbers) number = new_number[number];
    std::erase(numbers, -1);
  };
  for (NumberedRegion& entry : regions_) {
    if (entry.region.dimension < 2) renumber(entry.region.members, new_index);
    renumber(entry.region.segments, new_segment);
    const std::vector<int> copied_members = take_repeated(entry.region.members), copied_segments = take_repeated(entry.region.segments);
    entry.region.copies = static_cast<int>(entry.region.dimension > 1 ? copied_members.size() : copied_segments.size());
    if (entry.region.dimension == 3) copied_tetrahedra_.insert(copied_tetrahedra_.end(), copied_members.begin(), copied_members.end());
  }
  take_repeated(copied_tetrahedra_);
  std::vector<Region> empty;
  std::erase_if(regions_, [&](const NumberedRegion& entry) {
    if (!entry.region.members.empty()) return false;
    if (!entry.region.name.empty()) empty.push_back({empty_region(entry.region.name), entry.region.dimension, {}});
    return true;
  });
  std::sort(regions_.begin(), regions_.end(), [](const NumberedRegion& a, const NumberedRegion& b) {
    return a.region.dimension != b.region.dimension ? a.region.dimension > b.region.dimension : a.number < b.number;
  });
  name_unnamed(unnamed);
  check_names();

  Mesh mesh;
  mesh.vertices = std::move(vertices_);
  mesh.tetrahedra = std::move(tetrahedra_);
  mesh.triangles = std::move(triangles_);
  mesh.segments = std::move(segments_);
  for (NumberedRegion& entry : regions_) mesh.regions.push_back(std::move(entry.region));
  mesh.regions.insert(mesh.regions.end(), empty.begin(), empty.end());
  mesh.copied_tetrahedra = static_cast<int>(copied_tetrahedra_.size());
  mesh.source = source_;
  if (!midpoints_.empty()) make_quadratic(mesh, midpoints_.renumbered(new_index));
  return mesh;
}

}  // namespace traction
