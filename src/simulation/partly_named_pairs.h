// Finds pairs of which contacts name only parts, although a contact of all surfaces leaves the whole pair to them.
#pragma once

#include <string>
#include <vector>

#include "mesh_partition/distribute.h"
#include "scene/scene.h"

namespace traction {

/// A sentence for every pair of bodies, or of a body and an obstacle, whose own contacts do not name the whole surface of a body. @collective
std::vector<std::string> doubts_about_named_pairs(const DistributedMesh& mesh, const Scene& scene);

}  // namespace traction
