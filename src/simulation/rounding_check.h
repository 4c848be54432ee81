// Refuses what the rounding of positions hides.
#pragma once

#include "mesh/mesh_plan.h"
#include "scene/scene.h"

namespace traction {

/// Throws InputError for a body so far from the origin that rounding would distort its shape, and for a rigid body whose centre of mass lies as far from it.
/// `mesh`: the body's, placed.
void refuse_places_beyond_rounding(const Mesh& mesh, const Body& body);

/// Throws InputError for a contact with a thickness below the rounding of the bodies' positions.
void refuse_thickness_below_rounding(const Scene& scene, const MeshPlan& plan);

}  // namespace traction
