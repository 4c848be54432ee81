// Borders between regions of a body that touch the same partner in contacts of their own.
#pragma once

#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "contact/feature_search.h"
#include "simulation/simulation.h"

namespace traction {

/// The borders at which the surface on one side of a contact continues in other contacts with the same partner and thickness. It has no rim there: the contacts
/// share what edges and corners add to the count (docs/theory/contact.md, "Edges and faces", (C13)). Borders with regions that share triangles stay rims, and
/// so do edges in which more than two contacts meet.
class RegionBorders {
 public:
  /// `side`: the body and region; `region`: its oriented triangles. @collective
  RegionBorders(const Simulation& simulation, const ContactSettings& settings, const BodySurface& side, const LocalRegion& region);

  /// One for each of these triangles of the region; empty if no triangle of any rank lies at such a border.
  std::vector<TriangleBorder> at(const std::vector<std::array<int, 3>>& triangles) const;
  /// The triangles of the other contacts' regions, as far as this rank has them.
  const std::vector<std::array<int, 3>>& continuation() const { return continuation_; }
  /// Whether a local edge lies on a border.
  bool contains(int a, int b) const;

 private:
  const DistributedMesh& mesh_;
  Field contacts_;                                    ///< local, in the first component: number of contacts that have a vertex of the region
  std::vector<std::pair<PetscInt, PetscInt>> edges_;  ///< of all ranks: global numbers in ascending order, sorted
  std::set<PetscInt> branches_;                       ///< vertices at which more than two contacts meet in an edge, which stays a rim
  std::vector<std::array<int, 3>> continuation_;
};

/// The names of other contacts, between the same two bodies, in which one of a contact's surfaces continues.
std::vector<std::string> contacts_that_continue(const Scene& scene, const ContactSettings& settings);

/// The oriented triangles of a body's region, on both sides of shells with nothing behind them.
const LocalRegion& oriented_region(const DistributedMesh& mesh, const BodySurface& side);

}  // namespace traction
