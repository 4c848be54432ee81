// The body of each vertex, and the bodies that springs and attachments join.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "system/system.h"

namespace traction {

/// The bodies that vertices belong to, and those that are joined with each other.
class JoinedBodies {
 public:
  /// @collective
  explicit JoinedBodies(const System& system);

  const std::vector<int>& body_of() const { return body_of_; }  ///< by local vertex, including the twists of rods; -1: no body
  /// The same with valid ghosts, in the first component: 1 + the number of the body, 0 for none.
  const Field& numbers() const { return numbers_; }
  /// Whether a spring, a joint or an attachment joins two bodies with each other, and not only by way of others.
  bool are_joined(int one, int other) const;
  /// Marks all bodies that springs and attachments join, directly or by way of others, with a marked one; one mark for each body.
  void extend(std::vector<char>& marks) const;

  /// Numbers the groups of bodies that are joined, or that meet each other, directly or by way of others; one number for each body.
  std::vector<int> groups(std::span<const std::pair<int, int>> meetings) const;

  /// The bodies that each spring or joint joins, in ascending order: one alone if it is joined with a fixed point.
  std::span<const std::vector<std::size_t>> joined_by_forces() const { return std::span(sets_).subspan(carried_); }

 private:
  std::size_t bodies_;
  std::vector<int> body_of_;
  Field numbers_;
  std::vector<std::vector<std::size_t>> sets_;     ///< pairs of bodies of which one carries the other, then those that one force joins
  std::size_t carried_ = 0;                        ///< number of these pairs
  std::vector<std::vector<std::size_t>> sets_of_;  ///< for each body the sets that contain it, in ascending order
};

}  // namespace traction
