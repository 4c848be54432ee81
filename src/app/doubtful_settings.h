// Doubts about settings that are allowed, but are more likely slips.
#pragma once

#include <string>
#include <vector>

#include "mesh/body_summary.h"
#include "scene/scene.h"

namespace traction {

/// A sentence with the remedy about each setting that is probably a slip: sizes, densities and moduli in other units, times that do not fit those of the run,
/// friction in percent, materials that give way, output of what the scene does not have, and bodies that move without contacts. `bodies`: those of the scene,
/// in its order. Serial.
std::vector<std::string> doubts_about_settings(const Scene& scene, const std::vector<BodySummary>& bodies);

}  // namespace traction
