// Finds thin solids of a single layer of linear tetrahedra, which bend far too little.
#pragma once

#include <string>
#include <vector>

#include "mesh/mesh.h"
#include "scene/scene.h"

namespace traction {

/// Sentences for the user about deformable bodies of which a connected piece that is not held as a whole has all vertices on its surface, though it is at least
/// five times as long or wide as it is thick: linear tetrahedra then lock in bending (docs/limits.md, "Materials"). `mesh`: with the bodies of the scene.
/// `held`: see held_vertices().
std::vector<std::string> doubts_about_bending(const Scene& scene, const Mesh& mesh, const std::vector<char>& held);

}  // namespace traction
