// Finds parts of a solid that lie against each other and are not joined.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "math/tensor.h"

namespace traction {

/// A place [m] where outward faces of two parts lie in one plane, turned to each other, and share more than a line; nothing if no faces do. `part_of(vertex)`:
/// the part to which a vertex belongs. n log n.
std::optional<Vec3> find_flush_parts(const std::vector<Vec3>& x, const std::vector<std::array<int, 3>>& faces, const std::function<int(int)>& part_of);

}  // namespace traction
