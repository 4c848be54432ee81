// Round obstacles that edges and faces touch as a thick point or line (docs/theory/contact.md, "Round obstacles and coarse meshes").
#pragma once

#include "contact/obstacle_settings.h"

namespace traction {

/// Whether edges and faces can touch an obstacle as a point or a line that is as thick as its radius: the outside of a sphere, or of a cylinder whose axis
/// keeps its direction, because the ends of an endless axis are far away. Bodies touch planes and the insides of shapes with vertices only, which are the
/// deepest.
bool touches_by_its_middle(const Obstacle& obstacle);

}  // namespace traction
