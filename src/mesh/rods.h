// Segments as elements of rods: their order, and the directions of their sections. Serial: called on one rank.
#pragma once

#include <map>
#include <optional>

#include "mesh/mesh.h"

namespace traction {

/// Makes the given segments of the mesh rods, with their joints and twists. All rods of a chain of segments point the way of the one that is listed first. Its
/// first director lies near the direction that is given for this segment, if one is; the directors of the others follow from it without twist. Throws
/// InputError naming the place where more than two segments meet, where a rod folds back on itself, or where a director would lie along its segment.
void add_rods(Mesh& mesh, const std::map<int, std::optional<Vec3>>& directions_of_segments);

}  // namespace traction
