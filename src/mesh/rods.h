// Segments as elements of rods: how they follow each other, and which way their sections point. Serial: called on one rank.
#pragma once

#include <map>
#include <optional>

#include "mesh/mesh.h"

namespace traction {

/// Makes the given segments of the mesh rods, with their joints and twists. The rods of one chain of segments point the same way, that of the first listed of
/// them; its first director lies near the direction given for that segment, if there is one, and those of the others follow without twist. Throws InputError
/// naming the place where more than two segments meet, where a rod folds back on itself, or where a direction is that of the segment.
void add_rods(Mesh& mesh, const std::map<int, std::optional<Vec3>>& directions_of_segments);

}  // namespace traction
