// Distributes a total among the vertices of a region.
#pragma once

#include <map>

#include "system/system.h"

namespace traction {

// The share of each owned vertex of a region: a third of the area at rest of its triangles if `by_area` [m^2], else its mass [kg].
std::map<int, double> shares_of_vertices(const System& system, const LocalRegion& region, bool by_area);

}  // namespace traction
