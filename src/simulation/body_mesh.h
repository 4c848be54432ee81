// The mesh of one body as a scene needs it: read, scaled, of the wanted order, checked, and with the regions that the scene names.
#pragma once

#include <string>

#include "mesh/mesh.h"
#include "scene/scene.h"

namespace traction {

/// Reads a body's mesh, or has Gmsh make it of a .geo file, with results in `work_directory`. Its vertices are in metres, but not yet placed, and its shells
/// and rods are not yet elements. It has the regions `all` and `boundary` (mesh/own_regions.h) if the scene names them. Throws InputError that names file and
/// line, or element. Serial: called on one rank.
Mesh load_body_mesh(const Body& body, const Scene& scene, const std::string& work_directory);

}  // namespace traction
