// Decides whether an edge passes through a triangle.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "math/tensor.h"

namespace traction {

/// The point at which an edge passes through the inside of a triangle, and how deep.
struct Piercing {
  Vec3 place;        ///< [m]
  double depth = 0;  ///< the least of the distances of the edge's ends from the triangle's plane, and of the place from the triangle's sides [m]
};

/// Six times the volume of a tetrahedron, positive if `a` sees b, c, d clockwise [m^3].
inline double parallelepiped(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) { return (b - a).cross(c - a).dot(d - a); }

/// Finds where the edge from `a` to `b` passes through the inside of the triangle `x`. An edge that lies in the triangle's plane, or touches its rim, does not
/// pass through it. Nor does one for which the rounding errors of a rotated or moved mesh would decide. Positions are in m.
inline std::optional<Piercing> find_piercing(const Vec3& a, const Vec3& b, const std::array<Vec3, 3>& x) {
  constexpr double kRounding = 1e-12;  // in multiples of the largest coordinate
  const double from = parallelepiped(x[0], x[1], x[2], a), to = parallelepiped(x[0], x[1], x[2], b);
  if (!(from * to < 0)) return {};
  double rounding = 0;  // [m]
  for (const Vec3& point : {a, b, x[0], x[1], x[2]}) rounding = std::max(rounding, kRounding * point.cwiseAbs().maxCoeff());
  const double normal = (x[1] - x[0]).cross(x[2] - x[0]).norm();
  if (!(std::min(std::abs(from), std::abs(to)) > rounding * normal)) return {};
  Piercing found{a + from / (from - to) * (b - a), std::min(std::abs(from), std::abs(to)) / normal};
  int left = 0, right = 0;
  for (int i = 0; i < 3; ++i) {
    const Vec3 &corner = x[i], &next = x[(i + 1) % 3];
    const double side = parallelepiped(a, b, corner, next), length = (next - corner).norm(), least = rounding * (b - a).norm() * length;
    left += side > least;
    right += side < -least;
    found.depth = std::min(found.depth, (found.place - corner).cross(next - corner).norm() / length);
  }
  if (left != 3 && right != 3) return {};
  return found;
}

}  // namespace traction
