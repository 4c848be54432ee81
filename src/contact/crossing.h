// Finds where the path of a point crosses a moving triangle.
#pragma once

#include <optional>

#include "contact/implicit_surface.h"

namespace traction {

/// Where the path of a point crosses a moving triangle.
struct Crossing {
  double part = 0;       ///< position along the path, 0 to 1
  bool inwards = false;  ///< from the front of the triangle, where its normal points, to its back
  Vec3 normal;           ///< normal at the end of the path, of unit length
};

/// Finds the crossing while the point moves from `from` to `to` and the triangle from `before` to `after`. The path is taken to be straight in the triangle's
/// own coordinates, which is exact if the triangle moves without turning.
inline std::optional<Crossing> find_crossing(const Vec3& from, const Vec3& to, const Corners<double>& before, const Corners<double>& after) {
  constexpr double kRounding = 1e-9;  // a path through an edge crosses both adjacent triangles
  const auto area = [](const Corners<double>& x) { return Vec3((x[1] - x[0]).cross(x[2] - x[0])); };
  const Vec3 first = area(before), last = area(after);
  const double above = first.dot(from - before[0]) / first.norm(), below = last.dot(to - after[0]) / last.norm();
  if ((above < 0) == (below < 0)) return {};
  const double part = above / (above - below);
  const auto share = [](const Corners<double>& x, const Vec3& normal, const Vec3& point, int corner) {
    const Vec3 &a = x[(corner + 1) % 3], &b = x[(corner + 2) % 3];
    return (b - a).cross(point - a).dot(normal) / normal.squaredNorm();
  };
  for (int corner = 0; corner < 3; ++corner)
    if ((1 - part) * share(before, first, from, corner) + part * share(after, last, to, corner) < -kRounding) return {};
  return Crossing{part, above >= 0, last.normalized()};
}

}  // namespace traction
