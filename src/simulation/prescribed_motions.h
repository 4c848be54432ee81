// Checks that steps are short enough for the motions that a scene prescribes.
#pragma once

#include "scene/scene.h"

namespace traction {

/// Contact takes paths in a step for straight, and forces the ends of rods to follow the shorter way around. Throws InputError that names the place, the angle
/// and the step to take if an obstacle or a driven region that may touch something turns by more than a right angle in a step, or moves there and back within
/// one; if a hinge's motor turns by more than a right angle in a step; or if a driven region of a rod, or of a body with which a clamped segment of a rod
/// turns, turns by half a turn. Serial.
void refuse_fast_motions(const Scene& scene);

}  // namespace traction
