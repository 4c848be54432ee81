// Areas of contact between two bodies with meshes of different size (docs/theory/contact.md, "Edges and faces").
#pragma once

#include <mpi.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace traction {

/// Between two bodies the vertices of each side have half of their areas. If one side is too coarse for the contact, its half is wrong by far: either none of
/// its vertices lies in the contact, or one with a much larger area does. Factors on both halves make their sum the area that the finer side shows. Each side
/// presses with the stiffness of its own material, so that a hard side carries nearly all of the force on its half of the area.
class SideAreas {
 public:
  /// `mean_areas`: for each surface, of its vertices and places [m^2]; 0 for obstacles.
  SideAreas(MPI_Comm communicator, std::vector<double> mean_areas) : communicator_(communicator), mean_areas_(std::move(mean_areas)) {}

  /// The places of one surface that touch another one.
  struct Half {
    double area = 0;       ///< half of the area of its places in contact [m^2]
    double places = 0;     ///< number of all these places
    double stiffness = 0;  ///< sum of its own places' factors on the penalty
    double continued = 0;  ///< the half area of places in other contacts in which the surfaces continue [m^2]

    double whole() const { return area + continued; }
  };
  /// The keys are the numbers of the surface that has the half and of the one that it touches.
  using Halves = std::map<std::pair<int, int>, Half>;
  /// Chooses the factors anew from this rank's halves. @collective
  void measure(const Halves& halves);
  /// The factor on the areas of the places of one surface that touch another one.
  double factor(int surface, int other) const {
    const auto found = factors_.find(std::minmax(surface, other));
    return found == factors_.end() ? 1 : found->second.area;
  }
  double mean_area(int surface) const { return mean_areas_[static_cast<std::size_t>(surface)]; }  ///< see SideAreas()
  /// The factor on the penalty of both surfaces together, per area [1/m^2]; 0 while they do not touch.
  double mean_stiffness(int surface, int other) const {
    const auto found = factors_.find(std::minmax(surface, other));
    return found == factors_.end() ? 0 : found->second.stiffness;
  }

 private:
  double factor_of(const std::pair<int, int>& surfaces, const Half& first, const Half& second) const;

  struct Factors {
    double area = 1;       // factor on areas
    double stiffness = 0;  // per area [1/m^2]
  };

  MPI_Comm communicator_;
  std::vector<double> mean_areas_;
  std::map<std::pair<int, int>, Factors> factors_;  // by two surfaces in ascending order
};

}  // namespace traction
