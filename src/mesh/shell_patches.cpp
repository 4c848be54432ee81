#include "mesh/shell_patches.h"

#include <algorithm>

namespace traction {

namespace {

void sort_unique(std::vector<int>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

ShellPatches::ShellPatches(const std::vector<std::array<int, 3>>& triangles, const std::vector<Hinge>& hinges) : hinges_(hinges) {
  if (hinges.empty()) return;
  at_edges_.assign(triangles.size(), {-1, -1, -1});
  for (std::size_t h = 0; h < hinges.size(); ++h)
    for (int side : {0, 1}) {
      const int triangle = hinges[h].triangles[side], opposite = hinges[h].vertices[2 + side];
      for (int i = 0; i < 3; ++i)
        if (triangles[triangle][(i + 2) % 3] == opposite) at_edges_[triangle][i] = static_cast<int>(h);
    }
}

int ShellPatches::beyond(int triangle, int hinge) const {
  const auto [first, second] = hinges_[hinge].triangles;
  return first == triangle ? second : first;
}

std::vector<int> ShellPatches::hinges(int triangle) const {
  std::vector<int> result;
  for (int own : at_edges_[triangle]) {
    if (own < 0) continue;
    for (int hinge : at_edges_[beyond(triangle, own)])
      if (hinge >= 0) result.push_back(hinge);
  }
  sort_unique(result);
  return result;
}

std::vector<int> ShellPatches::vertices(int triangle) const {
  std::vector<int> result;
  for (int hinge : hinges(triangle)) result.insert(result.end(), hinges_[hinge].vertices.begin(), hinges_[hinge].vertices.end());
  sort_unique(result);
  return result;
}

}  // namespace traction
