// How many of the directions along which a vertex is held are different ones.
#pragma once

#include <span>
#include <vector>

#include "math/tensor.h"

namespace traction {

/// Sine of the angle to the directions in which a vertex is held already; below it a direction adds nothing to them.
inline constexpr double kLeastSine = 1e-6;

/// The number of independent directions among unit vectors, in this order: 3 at most.
inline int independent_directions(std::span<const Vec3> directions) {
  std::vector<Vec3> kept;  // orthonormal
  for (Vec3 rest : directions) {
    for (const Vec3& other : kept) rest -= other.dot(rest) * other;
    if (kept.size() < 3 && rest.norm() >= kLeastSine) kept.push_back(rest.normalized());
  }
  return static_cast<int>(kept.size());
}

}  // namespace traction
