// Paths that lead through an obstacle: contact that looks at their ends alone would not see it, or push the wrong way (docs/theory/contact.md, "Steps that lead
// through").
#pragma once

#include <mpi.h>

#include <optional>
#include <span>

#include "contact/crossing.h"
#include "contact/gap_functions.h"

namespace traction {

// Whether a point that goes along a path, straight from point to point in the obstacle's frame, goes in and out again, or so deep that the gap at the end
// pushes it out at another side than that where it came in. `offset`: how far outside of the obstacle the contact's surface is [m].
bool leads_through(const GapFunction& obstacle, std::span<const Vec3> path, double offset);

// How far a path is inside of triangles, of which it crosses one after the other.
class TriangleCrossings {
 public:
  // `triangle`: any number of the caller's.
  void add(const Crossing& crossing, long triangle);
  // Whether the path has gone in at one side and out at another.
  bool leads_through() const { return leads_through_; }
  // The normal where it has gone in, if it is still inside, and the triangle.
  const std::optional<Vec3>& entry() const { return entry_; }
  long triangle() const { return triangle_; }

 private:
  std::optional<Vec3> entry_;
  long triangle_ = -1;
  bool leads_through_ = false;
};

// The place that the lowest rank with one has found, on every rank. Collective.
std::optional<Vec3> first_over_ranks(MPI_Comm communicator, const std::optional<Vec3>& place);

}  // namespace traction
