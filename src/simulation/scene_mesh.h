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
// Of the triangles of a surface that something else touches or a pressure acts on, oriented out of the solid, or if they are those of a shell
std::string outward_region(const BodySurface& surface);
// so that neighbours agree.
std::string two_sided_region(const BodySurface& surface);
// Of the closed, outward surface of a volume penalty.
std::string volume_region(const VolumePenaltySettings& volume);

// Reads every body's mesh (running Gmsh on .geo files, with results in `work_directory`), scales and places it, and joins them. Regions become "body.region";
// each body adds a region "body" of all its vertices, volume_region for each of its volume penalties, kWholeBoundary of its outer faces and shells where a
// contact asks for the whole boundary, and outward_region or two_sided_region where one touches its surface or a pressure acts on it. Throws InputError naming
// file and line or element when mesh and scene do not fit. Serial: called on one rank.
Mesh load_scene_mesh(const Scene& scene, const std::string& work_directory);

}  // namespace traction
