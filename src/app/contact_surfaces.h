// Sizes of the surfaces that contacts name.
#pragma once

#include <string>
#include <vector>

#include "simulation/simulation.h"

namespace traction {

/// The surface of bodies on one side of a contact, at rest.
struct SurfaceSize {
  std::string name;      ///< the side's name in the scene; empty: all surfaces
  double area = 0;       ///< area of triangles, and of rods their length times their width, as in the history [m^2]
  double mean_edge = 0;  ///< mean length of the edges of triangles and of rod segments; an edge counts once for each of its triangles [m]
};

/// Measures the sides of each of the scene's contacts that are bodies or regions of them. @collective
std::vector<std::vector<SurfaceSize>> contact_surface_sizes(const Simulation& simulation);

}  // namespace traction
