// Areas of triangles.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <vector>

#include "math/tensor.h"

namespace traction {

/// The area [m^2] of the triangle with these corners [m].
inline double triangle_area(const Vec3& a, const Vec3& b, const Vec3& c) { return (b - a).cross(c - a).norm() / 2; }

/// The same with the numbers of the corners among the places `x`.
inline double triangle_area(const std::vector<Vec3>& x, const std::array<int, 3>& corners) {
  return triangle_area(x[static_cast<std::size_t>(corners[0])], x[static_cast<std::size_t>(corners[1])], x[static_cast<std::size_t>(corners[2])]);
}

}  // namespace traction
