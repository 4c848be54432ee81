// Rods that attachments carry with their direction and twist (docs/theory/rods.md, "Clamps").
#pragma once

#include <memory>
#include <vector>

#include "forces/rod_clamps.h"
#include "scene/scene.h"
#include "system/system.h"

namespace traction {

/// Marks the local vertices that attachments carry with the direction of their segments. Segments that meet there have no joint: each has a clamp.
std::vector<char> clamped_vertices(const DistributedMesh& mesh, const Scene& scene);

/// Adds the clamps of all segments next to these vertices, numbered by their attachments. Null without any on any rank. @collective
std::shared_ptr<const RodClamps> add_clamps(System& system, const Scene& scene);

}  // namespace traction
