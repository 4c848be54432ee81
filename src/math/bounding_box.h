// An axis-aligned box.
#pragma once

#include <cmath>

#include "math/tensor.h"

namespace traction {

/// The smallest axis-aligned box around some points; empty before the first.
struct BoundingBox {
  Vec3 lower = Vec3::Constant(HUGE_VAL), upper = Vec3::Constant(-HUGE_VAL);  ///< empty

  void include(const Vec3& x) {
    lower = lower.cwiseMin(x);
    upper = upper.cwiseMax(x);
  }
  void grow(double margin) {
    lower.array() -= margin;
    upper.array() += margin;
  }
  bool contains(const Vec3& x) const { return (x.array() >= lower.array()).all() && (x.array() <= upper.array()).all(); }
  bool intersects(const BoundingBox& other) const { return (lower.array() <= other.upper.array()).all() && (other.lower.array() <= upper.array()).all(); }
};

}  // namespace traction
