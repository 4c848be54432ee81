#include "contact/surface_rim.h"

#include <algorithm>
#include <utility>

namespace traction {

std::vector<char> rim_vertices(const std::vector<std::array<int, 3>>& triangles, int count) {
  std::vector<std::pair<int, int>> edges;
  for (const auto& triangle : triangles)
    for (int i = 0; i < 3; ++i) edges.push_back(std::minmax({triangle[i], triangle[(i + 1) % 3]}));
  std::sort(edges.begin(), edges.end());
  std::vector<char> at_rim(count, 0);
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t end = i + 1;
    while (end < edges.size() && edges[end] == edges[i]) ++end;
    if (end == i + 1) at_rim[edges[i].first] = at_rim[edges[i].second] = 1;
    i = end;
  }
  return at_rim;
}

}  // namespace traction
