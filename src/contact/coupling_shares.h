// Which few vertices stand for a surface below a point in preconditioners.
#pragma once

#include <petscsys.h>

#include <map>
#include <vector>

namespace traction {

// How much of the point below a vertex is one vertex of the surface.
struct CouplingShare {
  PetscInt vertex;  // global number
  double weight;
};

// The largest of the weights, the first of equal ones, as many as make up most of the sum, but only a few, scaled to a sum of 1.
std::vector<CouplingShare> largest_shares(const std::map<PetscInt, double>& weights);

}  // namespace traction
