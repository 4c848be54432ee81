#include "system/block_pattern.h"

#include <algorithm>

#include "mesh/shell_patches.h"

namespace traction {

BlockPattern::BlockPattern(std::shared_ptr<const Halo> halo, const std::vector<std::array<int, 4>>& tetrahedra,
                           const std::vector<std::array<int, 3>>& triangles, const std::vector<Hinge>& hinges, const std::vector<Rod>& rods,
                           const std::vector<Joint>& joints, const std::vector<LocalQuadratic>& quadratics)
    : halo_(std::move(halo)) {
  const int owned = halo_->owned();
  std::vector<std::vector<int>> above(owned);
  const auto couple = [&](std::span<const int> vertices) {
    for (int i : vertices)
      for (int j : vertices)
        if (i < owned && i < j) above[i].push_back(j);
  };
  for (const auto& tetrahedron : tetrahedra) couple(tetrahedron);
  for (const LocalQuadratic& quadratic : quadratics) couple(quadratic.vertices);
  for (const auto& triangle : triangles) couple(triangle);
  const ShellPatches patches(triangles, hinges);
  for (int t = 0; t < patches.size(); ++t) couple(patches.vertices(t));
  for (const Rod& rod : rods) couple(rod.vertices);
  for (const Joint& joint : joints) couple(joint.vertices);
  first_edge_.push_back(0);
  first_lower_.assign(owned + 1, 0);
  for (int i = 0; i < owned; ++i) {
    std::vector<int>& row = above[i];
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    const auto ghosts = std::lower_bound(row.begin(), row.end(), owned);
    first_ghost_edge_.push_back(edges() + static_cast<int>(ghosts - row.begin()));
    if (ghosts != row.end()) boundary_vertices_.push_back(i);
    for (auto j = row.begin(); j != ghosts; ++j) ++first_lower_[*j + 1];
    upper_vertices_.insert(upper_vertices_.end(), row.begin(), row.end());
    first_edge_.push_back(edges());
  }
  for (int i = 0; i < owned; ++i) first_lower_[i + 1] += first_lower_[i];
  lower_.resize(first_lower_[owned]);
  std::vector<int> next(first_lower_.begin(), first_lower_.end() - 1);
  for (int i = 0; i < owned; ++i)
    for (int edge = first_edge_[i]; edge < first_ghost_edge_[i]; ++edge) lower_[next[upper_vertices_[edge]]++] = {edge, i};
}

int BlockPattern::find(int i, int j) const {
  if (i > j) std::swap(i, j);
  if (i >= halo_->owned()) return -1;
  const auto begin = upper_vertices_.begin() + first_edge_[i], end = upper_vertices_.begin() + first_edge_[i + 1];
  const auto found = std::lower_bound(begin, end, j);
  return found == end || *found != j ? -1 : static_cast<int>(found - upper_vertices_.begin());
}

}  // namespace traction
