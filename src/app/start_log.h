// What the log says at the start of a run: what was read and built, and what of it looks like a mistake.
#pragma once

#include <vector>

#include "mesh/body_summary.h"
#include "simulation/simulation.h"

namespace traction {

// Logs bodies, contacts and partition, and warns of what building the scene has found doubtful. `bodies`: on rank 0. Collective.
void log_start(const Simulation& simulation, const std::vector<BodySummary>& bodies);

}  // namespace traction
