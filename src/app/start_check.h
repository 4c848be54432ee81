// Checks of the state in which a run starts.
#pragma once

#include <vector>

#include "mesh/body_summary.h"
#include "simulation/simulation.h"

namespace traction {

/// Warns of contacts that would push their bodies apart violently, and prints how far to move them. `bodies`: on rank 0. @collective
void warn_about_start(const Simulation& simulation, const std::vector<BodySummary>& bodies);

/// Warns of loads that follow the motion and of stress that relaxes, which modes of vibration leave out, and of solids that lock. Serial.
void warn_about_modes(const Scene& scene, const std::vector<BodySummary>& bodies);

}  // namespace traction
