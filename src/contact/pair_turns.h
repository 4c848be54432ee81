// The points by which the surfaces of rods and shells turn where a pair of edges and faces touches.
#pragma once

#include <cstddef>
#include <vector>

#include "contact/feature_search.h"

namespace traction {

/// Index of a point among the points of a pair from `first` on; adds the point if it is new.
int index_of_point(std::vector<int>& points, std::size_t first, int point);

/// Adds the weighted mean of segments or triangles to the turns of a pair, and their points to those of the pair. `turn`: what all of them have in common.
void add_mean_turn(const TurnsAt& turns, SurfaceTurn turn, std::vector<int>& points, std::vector<SurfaceTurn>& added);
/// Gives a part of a pair the turns of both sides (see SurfaceTurn), and the pair their points. `own`: the first side, a vertex, place or edge. `near`:
/// triangles or edges around the second side, those that do not contain it included.
void add_turns(const std::vector<ContactSurface>& surfaces, const NearbyFeature& own, const std::vector<const NearbyFeature*>& near, std::vector<int>& points,
               PairedFeatures& part);

}  // namespace traction
