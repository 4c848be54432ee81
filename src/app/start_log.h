// The log at the start of a run: what was read and built, and warnings of likely mistakes.
#pragma once

#include <vector>

#include "mesh/body_summary.h"
#include "simulation/simulation.h"

namespace traction {

/// Logs bodies, contacts and partition, and prints the warnings collected while the scene was built. `bodies`: on rank 0. @collective
void log_start(const Simulation& simulation, const std::vector<BodySummary>& bodies);

}  // namespace traction
