// The meshes of all bodies of a scene as one, checked against what the scene says about them.
#pragma once

#include <string>

#include "mesh/mesh.h"
#include "scene/scene.h"

namespace traction {

inline constexpr const char* kWholeBoundary = "<boundary>";   // a name that no mesh file's region has

// Reads every body's mesh (running Gmsh on .geo files, with results in `work_directory`), scales and places it, and joins them. Regions become "body.region";
// each body adds a region "body" of all its tetrahedra, and kWholeBoundary of its outer faces where a contact asks for the whole boundary. Surfaces of volume
// penalties are oriented to enclose a positive volume.
// Throws InputError naming file and line or element when mesh and scene do not fit. Serial: called on one rank.
Mesh load_scene_mesh(const Scene& scene, const std::string& work_directory);

}  // namespace traction
