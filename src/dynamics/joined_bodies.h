// The body of each vertex, and the bodies that springs and attachments join.
#pragma once

#include <vector>

#include "system/system.h"

namespace traction {

/// The bodies that vertices belong to, and those that are joined with each other.
class JoinedBodies {
 public:
  /// @collective
  explicit JoinedBodies(const System& system);

  const std::vector<int>& body_of() const { return body_of_; }  ///< by local vertex, including the twists of rods; -1: no body
  /// Marks all bodies that springs and attachments join, directly or by way of others, with a marked one; one mark for each body.
  void extend(std::vector<char>& marks) const;

 private:
  std::vector<int> body_of_;
  std::vector<std::vector<std::size_t>> sets_;  ///< bodies that one force joins
};

}  // namespace traction
