// The times at which loads that the scene prescribes over time change their course.
#pragma once

#include <vector>

#include "scene/scene.h"

namespace traction {

/// The times of the run, ascending, at which a list of factors over time has a corner: those of gravity, of loads, of motors and of inflations. Steps end
/// there, so that a load is linear within each step, and no pulse is missed that begins and ends within one [s].
std::vector<double> corners_of_loads(const Scene& scene);

/// The longest interval at which factors of gravity and loads may be sampled, each in the middle of an interval, so that the impulse of each load over the run
/// is right to about 1 % [s]; infinite where all are constant. Not below a hundredth of the duration of a load that rises or falls at once.
double longest_sampling_of_loads(const Scene& scene);

}  // namespace traction
