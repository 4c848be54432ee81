// Stress, strain and tension of a scene's elements, for frames.
#pragma once

#include <span>
#include <vector>

#include "mesh_partition/distribute.h"
#include "output/field_writer.h"
#include "output/output_settings.h"
#include "scene/scene.h"
#include "system/state.h"

namespace traction {

// The wanted fields that belong to elements, at `positions` [m], whose ghosts are valid. They are in the order of FieldPiece: the tetrahedra that this rank
// owns, then its shell triangles. Tensors have six components, xx, yy, zz, xy, yz, xz. Elements to which a field does not apply have zeros. Stresses are
// elastic, without viscosity.
std::vector<CellField> element_fields(const DistributedMesh& mesh, const Scene& scene, const Field& positions, std::span<const OutputField> wanted);

}  // namespace traction
