// Selects the few vertices that represent a surface below a point in preconditioners.
#pragma once

#include <petscsys.h>

#include <map>
#include <vector>

namespace traction {

/// The weight of a vertex of the touched surface in the point below a vertex that touches.
struct CouplingShare {
  PetscInt vertex;  ///< global number
  double weight;
};

/// Returns the few largest weights that make up most of the sum, scaled to a sum of 1. If weights are equal the first one is preferred.
std::vector<CouplingShare> largest_shares(const std::map<PetscInt, double>& weights);

}  // namespace traction
