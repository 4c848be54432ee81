// Masses at vertices in place of masses of elements, and what that does to a body's rotation.
#pragma once

#include <string>
#include <vector>

#include "simulation/scene_materials.h"

namespace traction {

// Every element's mass in equal shares on its vertices [kg]. Complete for owned vertices.
std::vector<double> lumped_mass(const DistributedMesh& mesh, const SceneMaterials& materials);

// How much larger lumping makes the moment of inertia about that axis through a body's center of mass for which it matters most: 2 for a cube of one cell,
// whose moments are three times those of a uniform cube (docs/theory/balance.md, "Lumped mass"). One number for each of the bodies, at rest. Collective.
std::vector<double> excess_of_inertia(const DistributedMesh& mesh, const SceneMaterials& materials, const std::vector<std::string>& bodies);

}  // namespace traction
