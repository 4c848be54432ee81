// Finds the pairs of elements of two bodies that may overlap.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "math/bounding_box.h"

namespace traction {

/// The box around the part of a convex element that lies in a region; empty if no part does. The element itself is cut along the region's shortest side, which
/// makes the box of long elements small. Along the other sides only the box is cut.
inline BoundingBox box_within(std::span<const Vec3> corners, const BoundingBox& region) {
  BoundingBox whole;
  for (const Vec3& x : corners) whole.include(x);
  if (!whole.intersects(region)) return {};
  int axis = 0;
  const Vec3 size = region.upper - region.lower;
  size.minCoeff(&axis);
  const double low = region.lower[axis], high = region.upper[axis];
  BoundingBox box;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec3& a = corners[i];
    if (a[axis] >= low && a[axis] <= high) box.include(a);
    for (std::size_t j = i + 1; j < corners.size(); ++j)
      for (const double level : {low, high}) {
        const Vec3& b = corners[j];
        if ((a[axis] < level) == (b[axis] < level)) continue;
        Vec3 crossing = a + (level - a[axis]) / (b[axis] - a[axis]) * (b - a);
        crossing[axis] = level;
        box.include(crossing);
      }
  }
  const double rounding = 1e-12 * (whole.upper - whole.lower).maxCoeff();
  box.grow(rounding);
  box.lower = box.lower.cwiseMax(region.lower);
  box.upper = box.upper.cwiseMin(region.upper);
  return box;
}

/// Calls action(first, second) for all pairs that overlap, in the order of their positions along the longest side of all boxes. Empty boxes overlap nothing.
template <typename Action>
void for_each_overlap(std::span<const BoundingBox> first, std::span<const BoundingBox> second, Action action) {
  BoundingBox all;
  const auto place = [&](std::span<const BoundingBox> boxes) {
    std::vector<int> used;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      if ((boxes[i].lower.array() > boxes[i].upper.array()).any()) continue;
      used.push_back(static_cast<int>(i));
      all.include(boxes[i].lower);
      all.include(boxes[i].upper);
    }
    return used;
  };
  std::vector<int> a = place(first), b = place(second);
  if (a.empty() || b.empty()) return;
  int axis = 0;
  (all.upper - all.lower).eval().maxCoeff(&axis);
  const auto sort = [&](std::vector<int>& numbers, std::span<const BoundingBox> boxes) {
    std::sort(numbers.begin(), numbers.end(), [&](int i, int j) { return boxes[i].lower[axis] < boxes[j].lower[axis]; });
  };
  sort(a, first);
  sort(b, second);
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (first[a[i]].lower[axis] <= second[b[j]].lower[axis]) {
      const BoundingBox& box = first[a[i]];
      for (std::size_t k = j; k < b.size() && second[b[k]].lower[axis] <= box.upper[axis]; ++k)
        if (box.intersects(second[b[k]])) action(a[i], b[k]);
      ++i;
    } else {
      const BoundingBox& box = second[b[j]];
      for (std::size_t k = i; k < a.size() && first[a[k]].lower[axis] <= box.upper[axis]; ++k)
        if (box.intersects(first[a[k]])) action(a[k], b[j]);
      ++j;
    }
  }
}

}  // namespace traction
