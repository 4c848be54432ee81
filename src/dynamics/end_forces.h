// Whether the forces at the ends of steps are those that move the bodies.
#pragma once

#include <string>
#include <vector>

#include "dynamics/integrators.h"
#include "system/system.h"

namespace traction {

/// Compares, body by body, the accelerations by the forces at the ends of steps with those that bodies had in these steps. Output shows forces at the ends of
/// steps. Some integrators give them errors of any size there where something stiff that the steps do not resolve turns, or is driven with an acceleration,
/// while means over their stages, and so the motion, are right (docs/theory/integrators.md, "Forces at the ends of steps").
class EndForces {
 public:
  /// Whether an integrator may give forces at the end of a step that differ from those that move the bodies in it.
  static bool may_differ(Integrator integrator);
  /// Adds an accepted step of length `h` [s] between two states whose ghosts are valid. Accelerations below `negligible` [m/s^2] do not count. @collective
  void add(const System& system, const State& start, const State& end, double h, double negligible);
  /// A sentence for the user about each body whose forces differed in most of the steps that were added.
  std::vector<std::string> warnings(const System& system) const;

 private:
  std::vector<long> differ_;  ///< for each body, the number of steps in which they differed
  std::vector<double> most_;  ///< for each body, the largest ratio
  long steps_ = 0;
};

}  // namespace traction
