// How hard contact presses on vertices, whatever the directions.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "contact/contact_group.h"

namespace traction {

/// The normal forces of contacts on the vertices of both sides that this rank owns.
struct NormalForces {
  Field sums;                 ///< as vectors [N]; forces from opposite sides of a sheet cancel
  std::vector<double> sizes;  ///< the sums of the sizes of single forces, each along its own normal, or the length of the vector if it is greater [N]
};

/// `vertices`: owned and ghost. Contacts through pressure fields, which do not act on the vertices of a surface, count with their vectors alone. @collective
NormalForces normal_forces(std::span<const std::shared_ptr<ContactGroup>> contacts, const State& state, int vertices);

}  // namespace traction
