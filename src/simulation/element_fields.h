// Stress, strain, tension and bending moments of a scene's elements, for frames.
#pragma once

#include <span>
#include <vector>

#include "output/field_writer.h"
#include "output/output_settings.h"
#include "simulation/simulation.h"

namespace traction {

/// The wanted fields that belong to elements, at a state whose ghosts are valid. They are in the order of FieldPiece: the tetrahedra that this rank owns, then
/// its shell triangles, then its segments of rods. Tensors have six components, xx, yy, zz, xy, yz, xz. Elements to which a field does not apply have zeros.
/// Stresses are elastic, without viscosity; triangles that are held whole have no bending moment of their own.
std::vector<CellField> element_fields(const Simulation& simulation, const State& state, std::span<const OutputField> wanted);

}  // namespace traction
