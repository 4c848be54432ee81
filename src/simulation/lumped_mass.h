// Concentrates the masses of elements at vertices, and computes how this changes a body's rotation.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "simulation/scene_materials.h"

namespace traction {

/// Distributes every element's mass evenly over its vertices [kg]. Complete for owned vertices.
std::vector<double> lumped_mass(const DistributedMesh& mesh, const SceneMaterials& materials);
/// The same of the region's own elements alone, without the neighbours' share of common vertices, and without the inertia of twists: 0 everywhere for a region
/// of points, or of a solid's surface.
std::vector<double> lumped_mass(const DistributedMesh& mesh, const SceneMaterials& materials, const LocalRegion& region);

/// A body, and where its supports hold it. It is free if they hold it nowhere.
struct SupportedBody {
  std::string name;
  std::vector<std::pair<int, Vec3>> holds;  ///< vertices that this rank owns, and the unit vectors along which they are held
};

/// The relative increase of a body's moment of inertia by lumping (docs/theory/balance.md, "Lumped mass").
struct InertiaExcess {
  double share = 0;  ///< of the turn for which it is largest among those that the supports allow: 2 for a moment three times the uniform body's
  std::string axis;  ///< the axis of that turn, or the axes of all that have as large an excess, in words that follow "about"; empty without such turns
};
/// One excess for each body, as the bodies are placed. @collective
std::vector<InertiaExcess> excess_of_inertia(const DistributedMesh& mesh, const SceneMaterials& materials, const std::vector<SupportedBody>& bodies);

}  // namespace traction
