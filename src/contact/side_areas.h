// Areas of contact between two bodies with meshes of different size (docs/theory/contact.md, "Law per area").
#pragma once

#include <mpi.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace traction {

/// Between two bodies the vertices of each side have half of their areas. Where one side is too coarse for the contact its half is far off: none of its
/// vertices may lie within, or one with a much larger area. Factors on both halves make their sum the area that the finer side shows.
class SideAreas {
 public:
  /// `mean_areas`: for each surface, of its vertices and places [m^2]; 0 for obstacles.
  SideAreas(MPI_Comm communicator, std::vector<double> mean_areas) : communicator_(communicator), mean_areas_(std::move(mean_areas)) {}

  /// Halves of areas in contact [m^2], by the surface that has them and the one that it touches.
  using Halves = std::map<std::pair<int, int>, double>;
  /// Chooses the factors anew from this rank's halves, without factors; returns whether any has changed. @collective
  bool measure(const Halves& halves);
  /// On the areas of the vertices of one surface that touch another one.
  double factor(int surface, int other) const {
    const auto found = factors_.find(std::minmax(surface, other));
    return found == factors_.end() ? 1 : found->second;
  }

 private:
  MPI_Comm communicator_;
  std::vector<double> mean_areas_;
  std::map<std::pair<int, int>, double> factors_;  // by two surfaces in ascending order
};

}  // namespace traction
