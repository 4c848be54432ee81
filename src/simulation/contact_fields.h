// Pressure, force, traction and sliding of a scene's contacts, for frames.
#pragma once

#include <span>
#include <vector>

#include "output/output_settings.h"
#include "simulation/simulation.h"

namespace traction {

/// A field over all vertices of this rank, ghosts included.
struct VertexField {
  OutputField field;
  std::vector<double> values;  ///< components_of(field) numbers per vertex
};

/// Computes the wanted fields of contact, summed over all contacts, at a state whose ghosts are valid. Both sides of a contact get values. The force is a sum
/// of vectors. The pressure adds up the sizes of forces, so that opposite ones do not cancel; on shells and rods it is the pressure on the side that is pressed
/// more (docs/theory/contact.md, "Pressure on a surface"). The sliding velocity of a vertex is a mean over all that it touches, weighted by normal forces;
/// pressure fields do not count in it. @collective
std::vector<VertexField> contact_fields(const Simulation& simulation, const State& state, std::span<const OutputField> wanted);

}  // namespace traction
