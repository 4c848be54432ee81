// The regions of meshes that a scene holds or drives.
#pragma once

#include <vector>

#include "mesh/mesh.h"
#include "scene/scene.h"

namespace traction {

/// For each vertex of a mesh with the bodies of the scene, whether the scene holds or drives it along all directions, if only at first. Serial.
std::vector<char> held_vertices(const Scene& scene, const Mesh& mesh);

}  // namespace traction
