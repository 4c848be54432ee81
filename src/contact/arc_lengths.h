// Distances along rods, which distinguish neighbours from parts that may touch each other.
#pragma once

#include <mpi.h>
#include <petscsys.h>

#include <optional>
#include <unordered_map>
#include <vector>

namespace traction {

/// A segment of a rod, by the global numbers of its ends along the rod.
struct RodSegment {
  PetscInt first, second;
  double length;  ///< at rest [m]
};

/// Where vertices lie along the rods that they are on, complete on every rank.
class ArcLengths {
 public:
  ArcLengths() = default;  ///< no rods
  /// `mine`: each segment on one rank. @collective
  ArcLengths(MPI_Comm communicator, const std::vector<RodSegment>& mine);

  /// The length of rod between two vertices at rest [m], around a ring the shorter way; nothing if they are not on the same rod.
  std::optional<double> between(PetscInt a, PetscInt b) const;

 private:
  struct Place {
    int rod = 0;
    double along = 0;  ///< [m]
  };
  std::unordered_map<PetscInt, Place> places_;
  std::vector<double> circumference_;  ///< one for each rod; 0: it has ends
};

}  // namespace traction
