// Stress, strain, tension and bending moments of a scene's elements, for frames.
#pragma once

#include <span>
#include <vector>

#include "output/field_writer.h"
#include "output/output_settings.h"
#include "scene/scene.h"
#include "system/system.h"

namespace traction {

// Those of the wanted fields that elements have, at `positions` [m], whose ghosts are valid, in the order of FieldPiece: the tetrahedra that this rank owns,
// then its triangles of shells. Tensors have six components, xx, yy, zz, xy, yz, xz. Elements that a field is not meant for have zeros. Stresses are those of
// elasticity alone, without viscosity; triangles that are held whole have no bending moment of their own.
std::vector<CellField> element_fields(const System& system, const Scene& scene, const Field& positions, std::span<const OutputField> wanted);

}  // namespace traction
