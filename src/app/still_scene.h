// Scenes in which nothing happens.
#pragma once

#include <string>

#include "scene/scene.h"

namespace traction {

/// Whether no setting of the scene can move or load a body: neither gravity, velocities at the start, motions and loads nor springs, motors, enclosed volumes
/// and shapes that store energy. Contacts that are compressed at the start, which depend on the meshes, are not looked at.
bool is_still(const Scene& scene);

/// A sentence with the remedy for such a scene.
std::string doubt_about_stillness();

}  // namespace traction
