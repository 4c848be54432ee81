// Closest points of a vertex and a triangle, or of two edges, and the time for which they certainly stay apart.
#pragma once

#include <array>
#include <span>

#include "contact/gap_functions.h"
#include "math/tensor.h"

namespace traction {

enum class PairKind { vertex_triangle, edge_edge, vertex_wall };

/// The number of points of the first side; the others of the four are the second's.
constexpr int first_side_of(PairKind kind) { return kind == PairKind::edge_edge ? 2 : 1; }

/// Positions [m] or velocities [m/s] of the four points of a pair.
using PairVectors = std::array<Vec3, 4>;

/// The closest points of a vertex and a triangle, or of two edges.
struct ClosestPair {
  double distance = 0;              ///< [m]
  Vec3 normal = Vec3::Zero();       ///< unit vector from the second side's closest point to the first's
  std::array<double, 4> weights{};  ///< the vector between the closest points is the sum of weights times points; their sum is 0
};
/// A vertex and a triangle, or two edges, whose distance is not zero.
ClosestPair closest_pair(PairKind kind, const PairVectors& x);

/// The time for which two sides stay on their own sides of a slab of this thickness across `normal` [s]: 0 if they are not there now, and infinite if they
/// always are. The points' velocities differ from v by no more than `spread` at any time [m/s].
double time_within_slab(PairKind kind, const PairVectors& x, const PairVectors& v, const Vec3& normal, double thickness,
                        const std::array<double, 4>& spread = {});

/// The time for which a point has a gap above `gap` [s], if its velocity differs from v by no more than `spread`. It is exact if `spread` is 0, else a lower
/// bound.
double time_above_gap(const GapFunction& wall, const Vec3& x, const Vec3& v, double gap, double spread = 0);
/// The gap of a wall that has no mesh, and its gradient.
GapSample<double> gap_at(const GapFunction& wall, const Vec3& x);

}  // namespace traction
