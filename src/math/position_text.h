/// Positions in messages.
#pragma once

#include <fmt/format.h>

#include <string>

#include "math/tensor.h"

namespace traction {

/// A position [m] as messages print it: (x, y, z), with six digits.
inline std::string position_text(const Vec3& x) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", x.x(), x.y(), x.z()); }

}  // namespace traction
