/// Positions in messages.
#pragma once

#include <fmt/format.h>

#include <string>

#include "math/tensor.h"

namespace traction {

/// Replaces components that are rounding errors compared with the largest one by zero.
inline Vec3 without_rounding(const Vec3& x) {
  constexpr double kRounding = 1e-12;
  return (x.array().abs() < kRounding * x.cwiseAbs().maxCoeff()).select(Vec3::Zero(), x);
}

/// A position [m] as messages print it: (x, y, z), with six digits.
inline std::string position_text(const Vec3& place) {
  const Vec3 x = without_rounding(place);
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", x.x(), x.y(), x.z());
}

}  // namespace traction
