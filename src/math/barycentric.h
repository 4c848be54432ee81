// Barycentric coordinates in a tetrahedron.
#pragma once

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <array>

#include "math/tensor.h"

namespace traction {

/// The weights by which the corners [m] make a place, inside or outside of them; their sum is 1. The tetrahedron is not flat.
inline std::array<double, 4> barycentric(const std::array<Vec3, 4>& corners, const Vec3& x) {
  const Vec3 center = (corners[0] + corners[1] + corners[2] + corners[3]) / 4;  // origin near the tetrahedron, so that no digits are lost far from the origin
  const auto homogeneous = [&](const Vec3& place) { return Eigen::Vector4d((place - center).homogeneous()); };
  Eigen::Matrix4d matrix;
  for (int i = 0; i < 4; ++i) matrix.col(i) = homogeneous(corners[i]);
  const Eigen::Vector4d weights = matrix.partialPivLu().solve(homogeneous(x));
  return {weights[0], weights[1], weights[2], weights[3]};
}

}  // namespace traction
