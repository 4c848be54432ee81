// Doubts about settings that are allowed, but are more likely slips.
#pragma once

#include <string>
#include <vector>

#include "mesh/body_summary.h"
#include "scene/scene.h"

namespace traction {

/// A sentence with the remedy about each nearly incompressible solid whose elements bend and bulge too little. `bodies`: those of the scene, in its order.
/// Serial.
std::vector<std::string> doubts_about_locking(const Scene& scene, const std::vector<BodySummary>& bodies);

/// A sentence with the remedy about each setting that is probably a slip: gravity, sizes, densities and moduli in other units, times that do not fit those of
/// the run, damping that lets nothing move, friction in percent or that never develops, materials that give way or lock, output of what the scene does not
/// have, and bodies that move without contacts. `bodies`: those of the scene, in its order. `obstacles`: boxes around those that are meshes, in its order, and
/// empty ones for others. Serial.
std::vector<std::string> doubts_about_settings(const Scene& scene, const std::vector<BodySummary>& bodies,
                                               const std::vector<Eigen::AlignedBox3d>& obstacles = {});

}  // namespace traction
