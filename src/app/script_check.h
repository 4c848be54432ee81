// Finds code that a scene would run besides the simulation.
#pragma once

#include "app/session.h"
#include "scene/scene.h"

namespace traction {

/// Refuses, as `options` ask for, scenes that run code with the user's rights although somebody else may have written them: Gmsh's scripts, and Python that
/// PETSc would start. Throws InputError. Serial: called on one rank.
void refuse_scripts(const Scene& scene, const SceneOptions& options);

}  // namespace traction
