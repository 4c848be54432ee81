// Finds bodies that may move as a whole in a run without inertia, where motions that nothing resists have no equilibrium, or many.
#pragma once

#include <string>
#include <vector>

#include "mesh/mesh.h"
#include "scene/scene.h"

namespace traction {

/// A sentence for the user about the bodies, or parts of them that no element connects, whose supports let them slide or turn as a whole, though nothing else
/// can hold them: no contact, attachment, spring or joint names them. Empty with inertia. A motion that only turns counts where neither weight nor a load can
/// bring the body back. `mesh`: with the bodies of the scene, placed.
std::vector<std::string> doubts_about_free_motions(const Scene& scene, const Mesh& mesh);

}  // namespace traction
