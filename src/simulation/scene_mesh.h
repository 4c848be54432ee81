// The meshes of all bodies of a scene as one, checked against what the scene says about them.
#pragma once

#include <string>

#include "mesh/mesh.h"
#include "scene/scene.h"

namespace traction {

// The region of a body's surface in the mesh of all.
std::string contact_region(const BodySurface& surface);

// Reads every body's mesh (running Gmsh on .geo files, with results in `work_directory`), scales and places it, and joins them with the surfaces that volume
// penalties and contacts ask for (mesh/mesh_plan.h). Throws InputError naming file and line or element when mesh and scene do not fit. Serial: called on one
// rank.
Mesh load_scene_mesh(const Scene& scene, const std::string& work_directory);

}  // namespace traction
