// Predicts positions where prescribed motions push bodies ahead of them, as a starting point for Newton's method (docs/theory/newton.md, "First guesses").
#pragma once

#include <memory>
#include <vector>

#include "contact/contact_group.h"
#include "system/system.h"

namespace traction {

/// Moves what obstacles and driven vertices touch at `start`, and come closer to, along with them for a time dt [s]. The motion fades through each body to its
/// other prescribed vertices: it is their mean, weighted by 1 / distance^2. `factor`: on the motion of obstacles and driven vertices at the start. Ghosts of
/// `start` are valid; owned vertices of `positions` are set. Returns false, the same on all ranks, if nothing is pushed. @collective
bool move_with_pushes(const System& system, const std::vector<std::shared_ptr<ContactGroup>>& contacts, const State& start, double dt, double factor,
                      Field& positions);

}  // namespace traction
