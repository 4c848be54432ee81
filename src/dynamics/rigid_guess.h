// Predicts positions by rigid motion, as a starting point for Newton's method. It is nearly exact for free flight with spin, where velocities continued along
// straight lines would stretch a body by (omega h)^2 / 2 (docs/theory/newton.md, "First guesses").
#pragma once

#include "system/system.h"

namespace traction {

/// positions = those of `state`, moved for a time dt [s] by each body's present linear and angular velocity; owned vertices only. @collective
void move_rigidly(const System& system, const State& state, double dt, Field& positions);

}  // namespace traction
