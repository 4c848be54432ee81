// The log at the start of a run: what was read and built, and warnings of likely mistakes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mesh/body_summary.h"
#include "simulation/simulation.h"

namespace traction {

/// Counts the elements of bodies by kind, and the rigid bodies: "838 tetrahedra, 12 rod segments, 1 rigid body". Serial.
std::string describe_elements(std::span<const BodySummary> bodies);

/// Logs bodies, contacts and partition, and prints the warnings collected while the scene was built. `bodies`: on rank 0. @collective
void log_start(const Simulation& simulation, const std::vector<BodySummary>& bodies);

}  // namespace traction
