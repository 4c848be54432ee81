// The times at which loads that the scene prescribes over time change their course.
#pragma once

#include <vector>

#include "scene/scene.h"

namespace traction {

/// The times of the run, ascending, at which a list of factors over time has a corner: those of gravity, of loads, of motors and of inflations. Steps end
/// there, so that a load is linear within each step, and no pulse is missed that begins and ends within one [s].
std::vector<double> corners_of_loads(const Scene& scene);

}  // namespace traction
