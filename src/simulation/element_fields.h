// Stress, strain and tension of a scene's elements, for frames.
#pragma once

#include <span>
#include <vector>

#include "output/field_writer.h"
#include "output/output_settings.h"
#include "simulation/simulation.h"

namespace traction {

// Those of the wanted fields that elements have, at a state whose ghosts are valid, in the order of FieldPiece: the tetrahedra that this rank owns, then its
// triangles of shells, then its segments of rods. Tensors have six components, xx, yy, zz, xy, yz, xz. Elements that a field is not meant for have zeros. Stresses are those of
// elasticity alone, without viscosity.
std::vector<CellField> element_fields(const Simulation& simulation, const State& state, std::span<const OutputField> wanted);

}  // namespace traction
