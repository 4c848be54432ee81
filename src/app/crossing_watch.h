// Watches for surfaces that pass into each other.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "contact/surface_crossings.h"
#include "dynamics/joined_bodies.h"
#include "simulation/contact_pairs.h"
#include "simulation/simulation.h"

namespace traction {

/// Finds bodies that have passed into each other, into themselves or into obstacles, be it that no contact is between them or that their contact failed
/// to hold them apart (docs/theory/contact.md, "Watch for crossings"). Two bodies that a spring, a joint or an attachment joins may cross, as may those with
/// pressure fields, and what crosses where the watch begins.
class CrossingWatch {
 public:
  /// Begins the watch at the present state. @collective
  explicit CrossingWatch(const Simulation& simulation);

  /// A warning for each two bodies that cross where the watch begins without a contact between them, which would report it; one for many alike. The same on all
  /// ranks.
  std::vector<std::string> warnings_at_start() const;
  /// A warning for each pair that crosses at the present state and did not before; one per pair and run. The same on all ranks. @collective
  std::vector<std::string> look();

 private:
  using Pair = std::pair<int, int>;
  /// The pairs that cross now by more than surfaces that only touch may. @collective
  std::vector<SurfaceCrossings::Crossing> find() const;
  bool may_cross(const Pair& pair) const;
  /// The scene's contact between two surfaces; null if none exists.
  const ContactSettings* contact_between(const Pair& pair) const;
  std::string name_of(int surface) const;
  std::string warning(const SurfaceCrossings::Crossing& crossing) const;

  const Simulation& simulation_;
  JoinedBodies joined_;
  RemainingPairs remaining_;
  std::vector<std::string> obstacles_;  ///< names
  SurfaceCrossings crossings_;
  std::vector<SurfaceCrossings::Crossing> at_start_;
  std::set<Pair> known_;
};

}  // namespace traction
