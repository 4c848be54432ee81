// Doubts about friction that never develops, or whose coefficient is in other units.
#pragma once

#include <string>
#include <vector>

#include "mesh/body_summary.h"
#include "scene/scene.h"

namespace traction {

/// A sentence with the remedy about each contact whose tolerance of friction is above the speeds at which things slide, or at which one of its sides is moved,
/// and about coefficients that are probably in percent. `bodies`: those of the scene, in its order. Serial.
std::vector<std::string> doubts_about_friction(const Scene& scene, const std::vector<BodySummary>& bodies);

}  // namespace traction
