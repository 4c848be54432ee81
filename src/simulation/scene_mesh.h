// Unites the meshes of all bodies of a scene, and checks them against the scene.
#pragma once

#include <string>

#include "mesh/mesh.h"
#include "scene/scene.h"

namespace traction {

/// The name of a body's surface region in the united mesh.
std::string contact_region(const BodySurface& surface);

/// Reads every body's mesh (running Gmsh on .geo files, with results in `work_directory`), scales and places it, and joins them with the surfaces that volume
/// penalties and contacts request (mesh/mesh_plan.h). Throws InputError naming file and line or element if mesh and scene do not fit. Serial: called on one
/// rank.
Mesh load_scene_mesh(const Scene& scene, const std::string& work_directory);

}  // namespace traction
