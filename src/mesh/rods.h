// Segments as elements of rods: their order, and the directions of their sections. Serial: called on one rank.
#pragma once

#include <map>
#include <optional>

#include "mesh/mesh.h"

namespace traction {

/// Makes the given segments of the mesh rods, with their joints and twists. All rods of a chain of segments point the way of the one that is listed first. The
/// first segment along a chain for which a direction is given has its first director near that; the directors of the others, before it and after it, follow
/// without twist. Around a closed rod they follow with the same twist everywhere, the least with which the last meets the first. Throws InputError naming the
/// place where more than two segments meet, where a rod folds back on itself, where a director would lie along its segment, or where another direction that is
/// given disagrees.
void add_rods(Mesh& mesh, const std::map<int, std::optional<Vec3>>& directions_of_segments);

}  // namespace traction
