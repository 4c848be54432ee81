// The work of driven vertices that start or stop suddenly, which samples of their forces do not show.
#pragma once

#include "system/system.h"

namespace traction {

inline constexpr int kStepsOfAJump = 10;  ///< number of steps in which forces alternate after a jump, until integrators have damped this

/// The error [J] that the work of driven vertices may have in a step in which a prescribed motion starts or stops without a ramp, or in one of the steps in
/// which that blow dies down; 0 in other steps. The error is the jump of the forces over the step, times the displacement, and in the step of the blow also the
/// work that gives all masses the velocity of the driven vertices. `before`, `after`: forces on driven vertices at the start and the end of the step [N].
/// @collective
double uncertain_work_of_jerks(const System& system, const Field& before, const Field& after, const State& start, const State& end);

}  // namespace traction
