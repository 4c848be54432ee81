// Doubts about numbers that are probably in another unit.
#pragma once

#include <string>
#include <vector>

#include "mesh/body_summary.h"
#include "scene/scene.h"

namespace traction {

/// A sentence with the remedy about each number that is probably in another unit: sizes, thicknesses, densities, moduli, inertia, gravity, speeds and angles.
/// `bodies`: those of the scene, in its order. `obstacles`: boxes around those that are meshes, in its order, and empty ones for others. Serial.
std::vector<std::string> doubts_about_units(const Scene& scene, const std::vector<BodySummary>& bodies, const std::vector<Eigen::AlignedBox3d>& obstacles);

}  // namespace traction
