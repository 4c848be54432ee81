// Checks the start positions of obstacles that bodies touch with their vertices alone.
#pragma once

#include "mesh/mesh_plan.h"
#include "scene/scene.h"

namespace traction {

/// A body's vertices do not notice a sphere or a cylinder that lies between them. Throws InputError that names the contact and the place if the centre of a
/// sphere, or the axis of a cylinder, starts in a solid body that touches it. `plan`: has the meshes of all bodies. Serial.
void refuse_round_obstacles_in_bodies(const Scene& scene, const MeshPlan& plan);

}  // namespace traction
