// Refuses scenes whose details the rounding of positions would hide.
#pragma once

#include "mesh/mesh_plan.h"
#include "scene/scene.h"

namespace traction {

/// Throws InputError for a body so far from the origin that rounding would distort its shape, for a rigid body whose centre of mass lies far from it, and for a
/// contact with a thickness below the rounding of the bodies' positions. `plan`: with the bodies of the scene, placed.
void refuse_what_rounding_hides(const Scene& scene, const MeshPlan& plan);

}  // namespace traction
