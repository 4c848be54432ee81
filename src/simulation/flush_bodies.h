// Finds solids that lie flush side by side, between which contact has a ridge.
#pragma once

#include <string>
#include <vector>

#include "mesh/mesh.h"
#include "scene/scene.h"

namespace traction {

/// Sentences for the user about solids and rigid bodies that are held as a whole or driven alike, have contacts, and start with faces beside each other in one
/// plane (docs/limits.md, "Contact"). `mesh`: with the bodies of the scene. `held`: see held_vertices(). Serial.
std::vector<std::string> doubts_about_flush_bodies(const Scene& scene, const Mesh& mesh, const std::vector<char>& held);

}  // namespace traction
