// Detects paths that lead through an obstacle. Contact that evaluates only their ends would miss the passage, or push the wrong way (docs/theory/contact.md,
// "Steps that lead through").
#pragma once

#include <mpi.h>

#include <optional>
#include <span>

#include "contact/crossing.h"
#include "contact/gap_functions.h"

namespace traction {

/// Whether a point enters the obstacle and leaves it again along a path, or ends so deep that the gap there pushes it out at another side than that of its
/// entry. The path is straight from point to point in the obstacle's frame. `offset`: how far outside the obstacle the contact's surface is [m].
bool leads_through(const GapFunction& obstacle, std::span<const Vec3> path, double offset);

/// Keeps track of whether a path is inside a body, while it crosses one triangle after the other.
class TriangleCrossings {
 public:
  /// `triangle`: an identifier chosen by the caller.
  void add(const Crossing& crossing, long triangle);
  /// Whether the path has entered at one side and left at another.
  bool leads_through() const { return leads_through_; }
  /// The triangle of entry and its normal, if the path is still inside.
  const std::optional<Vec3>& entry() const { return entry_; }
  long triangle() const { return triangle_; }

 private:
  std::optional<Vec3> entry_;
  long triangle_ = -1;
  bool leads_through_ = false;
};

/// Returns the place found by the lowest rank that has one, on every rank. @collective
std::optional<Vec3> first_over_ranks(MPI_Comm communicator, const std::optional<Vec3>& place);

}  // namespace traction
