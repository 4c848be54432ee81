// What a resumed run must not do: let prescribed motions jump because their settings were changed.
#pragma once

#include <string>

#include "simulation/simulation.h"

namespace traction {

/// Motions are functions of the time since the start of a run, so another velocity puts what it moves elsewhere. Throws InputError on all ranks if, at the
/// state's time, a driven region would have to stand elsewhere than it does, or an obstacle or a joint elsewhere than its motion or its motor in the scene
/// `before` has it. Obstacles may slide and spin in their own surface. @collective
void refuse_jumps(const Simulation& simulation, const Scene& before);

}  // namespace traction
