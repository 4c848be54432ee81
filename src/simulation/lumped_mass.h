// Concentrates the masses of elements at vertices, and computes how this changes a body's rotation.
#pragma once

#include <string>
#include <vector>

#include "simulation/scene_materials.h"

namespace traction {

/// Distributes every element's mass evenly over its vertices [kg]. Complete for owned vertices.
std::vector<double> lumped_mass(const DistributedMesh& mesh, const SceneMaterials& materials);
/// The same of the region's own elements alone, without the neighbours' share of common vertices, and without the inertia of twists: 0 everywhere for a region
/// of points, or of a solid's surface.
std::vector<double> lumped_mass(const DistributedMesh& mesh, const SceneMaterials& materials, const LocalRegion& region);

/// The relative increase of a body's moment of inertia by lumping (docs/theory/balance.md, "Lumped mass").
struct InertiaExcess {
  double share = 0;  ///< about the axis through the center of mass for which it is largest: 2 for a moment that is three times the uniform body's
  std::string axis;  ///< that axis, or those for which it is as large, in words that follow "about"
};
/// One excess for each body, as the bodies are placed. @collective
std::vector<InertiaExcess> excess_of_inertia(const DistributedMesh& mesh, const SceneMaterials& materials, const std::vector<std::string>& bodies);

}  // namespace traction
