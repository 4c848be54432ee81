// The order of a body's tetrahedra, as its scene wants it.
#pragma once

#include "mesh/mesh.h"
#include "scene/scene.h"

namespace traction {

/// Makes ten-node tetrahedra of four-node ones, or the reverse, if the body's order is not that of its mesh. Throws InputError for ten-node tetrahedra of a
/// material, or in a scene, that only four-node ones go with. Called on one rank, before the elements have materials.
void set_order(Mesh& mesh, const Body& body, const Scene& scene);

}  // namespace traction
