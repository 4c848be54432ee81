// How thick a body is, for the question whether another one can pass through it within a step.
#pragma once

#include <array>
#include <vector>

#include "math/tensor.h"

namespace traction {

/// The thickness of which a closed surface has more under all but a twentieth of its area: from the centers of its triangles, straight inwards to where the
/// surface is met again [m]. Sharp edges therefore count little, and thin plates and rods fully. Vertices in m; normals of triangles point outwards. Infinite
/// without triangles.
double thickness_under(const std::vector<Vec3>& vertices, const std::vector<std::array<int, 3>>& surface);

}  // namespace traction
