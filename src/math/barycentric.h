// Barycentric coordinates in a tetrahedron.
#pragma once

#include <Eigen/LU>
#include <array>

#include "math/tensor.h"

namespace traction {

/// The weights by which the corners [m] make a place, inside or outside of them; their sum is 1. The tetrahedron is not flat.
inline std::array<double, 4> barycentric(const std::array<Vec3, 4>& corners, const Vec3& x) {
  const Vec3 center = (corners[0] + corners[1] + corners[2] + corners[3]) / 4;  // near the tetrahedron, so that nothing is lost far from the origin
  Eigen::Matrix4d matrix;
  for (int i = 0; i < 4; ++i) matrix.col(i) << corners[i] - center, 1;
  const Vec3 arm = x - center;
  const Eigen::Vector4d weights = matrix.partialPivLu().solve(Eigen::Vector4d(arm.x(), arm.y(), arm.z(), 1));
  return {weights[0], weights[1], weights[2], weights[3]};
}

}  // namespace traction
