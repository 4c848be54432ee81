// Distributes a total among the vertices of a region.
#pragma once

#include <map>

#include "system/system.h"

namespace traction {

/// The share of each owned vertex of a region: a third of the area at rest of its triangles if `by_area` [m^2], else its mass [kg], or 1
/// where none of them has any, as on a rigid body. @collective
std::map<int, double> shares_of_vertices(const System& system, const LocalRegion& region, bool by_area);

/// The share of each owned vertex in a load that is the same everywhere on a surface region: the integral of its shape function over the area at rest [m^2]. On
/// faces of ten-node tetrahedra corners have nearly none. @collective
std::map<int, double> load_shares_of_vertices(const System& system, const LocalRegion& region);

}  // namespace traction
