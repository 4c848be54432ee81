// Measures the surfaces of bodies and of the pieces to which they belong, by which contact decides which of two surfaces presses.
#pragma once

#include <vector>

#include "contact/feature_search.h"
#include "mesh_partition/distribute.h"

namespace traction {

/// Sets ContactSurface::scale of all surfaces that consist of faces of bodies. The extent is the radius of gyration of the largest piece that has one of the
/// surface's vertices: by the volume of its solids or the area of its shells, whichever is larger. `pieces`: see connected_pieces(). @collective
void measure_scales(const DistributedMesh& mesh, const std::vector<PetscInt>& pieces, std::vector<ContactSurface>& surfaces);

}  // namespace traction
