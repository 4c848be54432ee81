#include "simulation/vertex_areas.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <utility>

#include "math/triangle_area.h"
#include "simulation/edge_turn.h"
#include "simulation/side_balance.h"

namespace traction {

namespace {

using Triangle = std::array<int, 3>;

// Whether two triangles around a vertex have an edge there across which the surface does not turn sharply.
bool continue_each_other(const std::vector<Vec3>& x, int vertex, const Triangle& one, const Triangle& other) {
  for (const int end : one) {
    if (end == vertex || std::ranges::find(other, end) == other.end()) continue;
    const auto third = [&](const Triangle& triangle) { return triangle[0] + triangle[1] + triangle[2] - vertex - end; };
    if (cosine_of_turn(x[vertex], x[end], x[third(one)], x[third(other)]) > kCosineOfSharpTurn) return true;
  }
  return false;
}

// The thirds of the triangles around a vertex, summed over each of the sides that meet there.
std::vector<double> areas_of_sides(const std::vector<Vec3>& x, int vertex, const std::vector<Triangle>& around) {
  std::vector<std::size_t> side(around.size());
  std::iota(side.begin(), side.end(), 0);
  for (std::size_t i = 0; i < around.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (side[i] != side[j] && continue_each_other(x, vertex, around[i], around[j])) std::ranges::replace(side, side[i], side[j]);
  std::vector<double> areas(around.size(), 0.0);
  for (std::size_t i = 0; i < around.size(); ++i) areas[side[i]] += triangle_area(x, around[i]) / 3;
  return areas;
}

// The region's triangles, or those with all corners in a region of vertices, by their local numbers.
std::vector<int> triangles_of(const DistributedMesh& mesh, const LocalRegion& region) {
  if (region.dimension == 2) return region.members;
  const auto is_in_region = [&](int vertex) { return std::ranges::binary_search(region.vertices, vertex); };
  std::vector<int> triangles;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    if (std::ranges::all_of(mesh.triangles[t], is_in_region)) triangles.push_back(static_cast<int>(t));
  return triangles;
}

}  // namespace

double mean_of_sides(const std::vector<double>& areas) {
  const double sum = std::reduce(areas.begin(), areas.end());
  return sum > 0 ? std::inner_product(areas.begin(), areas.end(), areas.begin(), 0.0) / sum : 0;
}

std::vector<double> vertex_areas(const DistributedMesh& mesh, const LocalRegion& region) {
  std::vector<double> area(mesh.halo->owned(), 0.0);
  measure_vertex_areas(mesh, region, area);
  return area;
}

void measure_vertex_areas(const DistributedMesh& mesh, const LocalRegion& region, std::vector<double>& area) {
  const int owned = mesh.halo->owned();
  for (const int vertex : region.vertices)
    if (vertex < owned) area[vertex] = 0;
  std::vector<std::pair<int, int>> corners;  // vertices and their triangles
  const std::vector<int> triangles = triangles_of(mesh, region);
  for (const int t : triangles)
    for (const int vertex : mesh.triangles[t])
      if (vertex < owned) corners.emplace_back(vertex, t);
  std::ranges::sort(corners);
  std::vector<Triangle> around;
  for (auto next = corners.begin(); next != corners.end();) {
    const int vertex = next->first;
    around.clear();
    for (; next != corners.end() && next->first == vertex; ++next) around.push_back(mesh.triangles[next->second]);
    area[vertex] = mean_of_sides(areas_of_sides(mesh.vertices, vertex, around));
  }
  balance_flat_sides(mesh, triangles, area);
}

}  // namespace traction
