// Bodies that start in a shape that stores energy.
#pragma once

#include "scene/scene.h"

namespace traction {

/// Whether a body may start in a shape that stores energy, which then moves it at a speed that no setting gives: in positions from a file, or with a shell that
/// bends towards a plane or a rod whose shape without stress is not that of its mesh. Meshes are not read.
bool may_start_strained(const Body& body);

}  // namespace traction
