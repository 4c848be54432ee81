// The length of each step, from the schedule in the scene.
#pragma once

#include <span>

#include "dynamics/time_settings.h"

namespace traction {

inline constexpr double kTimeRounding = 1e-9;  ///< relative to a step: moments that are as near are the same

/// The length and the integrator of the next step.
struct ScheduledStep {
  double length = 0;  ///< [s]
  Integrator integrator = Integrator::sdirk2;
  double end = 0;              ///< where it ends [s]
  bool splits_a_pair = false;  ///< whether this is the second half of a step of twice its length, so that the next step may be that long again
};

/// The scheduled step at a given time: that of the last piece that has begun. A step never crosses the end of its piece, nor one of the times `ends` [s]. If
/// the remaining time until then is not a whole number of steps, it is divided evenly. Otherwise the step does not depend on the remaining time, to the last
/// bit.
ScheduledStep scheduled_step(const TimeSettings& settings, double time, int halvings, std::span<const double> ends = {});

}  // namespace traction
