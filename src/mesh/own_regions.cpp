#include "mesh/own_regions.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "mesh/mesh_builder.h"
#include "mesh/read_mesh.h"

namespace traction {

namespace {

std::array<int, 3> unordered_face(std::array<int, 3> vertices) {
  std::sort(vertices.begin(), vertices.end());
  return vertices;
}

// Numbers the triangles of a mesh by their vertices, whatever their orientation; of several between the same vertices the first.
std::map<std::array<int, 3>, int> triangles_by_vertices(const Mesh& mesh) {
  std::map<std::array<int, 3>, int> numbers;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) numbers.try_emplace(unordered_face(mesh.triangles[t]), static_cast<int>(t));
  return numbers;
}

Region all_triangles(const Mesh& mesh, const std::string& name) {
  Region region{name, 2, {}};
  for (const auto& [vertices, number] : triangles_by_vertices(mesh)) region.members.push_back(number);
  std::sort(region.members.begin(), region.members.end());
  return region;
}

Region all_segments(const Mesh& mesh, const std::string& name) {
  Region region{name, 1, {}, std::vector<int>(mesh.segments.size())};
  std::iota(region.segments.begin(), region.segments.end(), 0);
  for (const auto& ends : mesh.segments) region.members.insert(region.members.end(), ends.begin(), ends.end());
  std::sort(region.members.begin(), region.members.end());
  region.members.erase(std::unique(region.members.begin(), region.members.end()), region.members.end());
  return region;
}

Region all_elements(const Mesh& mesh) {
  if (mesh.tetrahedra.empty()) return mesh.triangles.empty() ? all_segments(mesh, kAllElements) : all_triangles(mesh, kAllElements);
  Region region{kAllElements, 3, std::vector<int>(mesh.tetrahedra.size())};
  std::iota(region.members.begin(), region.members.end(), 0);
  return region;
}

// Adds the triangles that the mesh lacks.
Region outer_surface(Mesh& mesh) {
  if (mesh.tetrahedra.empty()) return all_triangles(mesh, kOuterSurface);
  std::map<std::array<int, 3>, int> numbers = triangles_by_vertices(mesh);
  Region region{kOuterSurface, 2, {}};
  for (const auto& face : boundary_faces(mesh)) {
    const auto [entry, is_new] = numbers.try_emplace(unordered_face(face), static_cast<int>(mesh.triangles.size()));
    if (is_new) mesh.triangles.push_back(face);
    region.members.push_back(entry->second);
  }
  std::sort(region.members.begin(), region.members.end());
  return region;
}

bool is_taken(const Mesh& mesh, const std::string& own) {
  const std::size_t prefix = empty_region("").size();
  return std::any_of(mesh.regions.begin(), mesh.regions.end(),
                     [&](const Region& region) { return takes_own_name(is_empty_region(region) ? region.name.substr(prefix) : region.name, own); });
}

}  // namespace

bool takes_own_name(const std::string& name_in_file, const std::string& own) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(name_in_file.begin(), name_in_file.end(), own.begin(), own.end(), [&](char a, char b) { return lower(a) == lower(b); });
}

void add_own_regions(Mesh& mesh, const std::set<std::string>& wanted) {
  if (wanted.contains(kAllElements) && !is_taken(mesh, kAllElements)) mesh.regions.push_back(all_elements(mesh));
  const bool has_surface = !mesh.tetrahedra.empty() || !mesh.triangles.empty();
  if (wanted.contains(kOuterSurface) && has_surface && !is_taken(mesh, kOuterSurface)) mesh.regions.push_back(outer_surface(mesh));
}

std::vector<std::string> own_regions(const Mesh& mesh) {
  std::vector<std::string> names;
  const auto has = [&](const char* own) { return mesh.find_region(own) || !is_taken(mesh, own); };
  if (has(kAllElements)) names.push_back(kAllElements);
  if (has(kOuterSurface) && !(mesh.tetrahedra.empty() && mesh.triangles.empty())) names.push_back(kOuterSurface);
  return names;
}

}  // namespace traction
