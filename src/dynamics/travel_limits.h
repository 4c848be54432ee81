// How far a body may go in search of its equilibrium (docs/theory/integrators.md, "Starting in equilibrium").
#pragma once

#include <vector>

#include "system/body_motion.h"

namespace traction {

/// For each body, how far its center may move before it counts as one that nothing supports [m]. A body that is joined to others moves with them, as far as
/// they reach; one that is joined to something held, or to a fixed point, may swing or stretch a spring. `motions`: of each body. @collective
std::vector<double> travel_limits(const System& system, const std::vector<BodyMotion>& motions);

}  // namespace traction
