// Where bodies would be if they moved on rigidly: a starting point for Newton that free flight with spin makes nearly exact, where velocities continued along
// straight lines stretch a body by (omega h)^2 / 2 (docs/theory/newton.md, "First guesses").
#pragma once

#include "system/system.h"

namespace traction {

// positions = those of `state` carried on for a time dt [s] by each body's present linear and angular velocity, owned vertices only. Collective.
void move_rigidly(const System& system, const State& state, double dt, Field& positions);

}  // namespace traction
