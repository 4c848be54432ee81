// The meshes of all bodies of a scene as one, checked against what the scene says about them.
#pragma once

#include <string>

#include "mesh/mesh.h"
#include "scene/scene.h"

namespace traction {

// Regions that contact needs, under names that no mesh file's regions have.
inline constexpr const char* kWholeBoundary = "<boundary>";
// Of a body's surface in the mesh of all: "body.region".
std::string contact_region(const BodySurface& surface);
// Its vertices, sorted.
std::vector<int> surface_vertices(const Mesh& all, const BodySurface& surface);
// Of the triangles of a surface that something else touches, oriented out of the solid.
std::string outward_region(const BodySurface& surface);

// Reads every body's mesh (running Gmsh on .geo files, with results in `work_directory`), scales and places it, and joins them. Regions become "body.region";
// each body adds a region "body" of all its tetrahedra, and kWholeBoundary of its outer faces where a contact asks for the whole boundary, and outward_region where one asks for a body's surface. Surfaces of volume
// penalties are oriented to enclose a positive volume.
// Throws InputError naming file and line or element when mesh and scene do not fit. Serial: called on one rank.
Mesh load_scene_mesh(const Scene& scene, const std::string& work_directory);

}  // namespace traction
