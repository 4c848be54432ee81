// Checks of the strain limits of shells.
#pragma once

#include "mesh/mesh.h"
#include "scene/scene.h"

namespace traction {

/// Throws InputError where a triangle of a shell starts at its strain limit or beyond it. `mesh`: of a body, with its start positions. Serial.
void check_strain_limits(const Mesh& mesh, const Body& body);

}  // namespace traction
