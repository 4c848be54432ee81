// How far runs without inertia are from equilibrium because of the inertia that remains in them.
#pragma once

#include <string>
#include <vector>

#include "system/system.h"

namespace traction {

/// The part of the mass that resists motion from one equilibrium to the next. Without it, bodies that nothing holds would have no equilibrium, or many.
inline constexpr double kInertiaLeft = 1e-6;

/// Compares, body by body, what the remaining inertia carries with the forces that act, over the steps of a run without inertia. The shorter steps are in
/// proportion to a body's period, the more of its loads inertia carries instead of its stiffness (docs/theory/integrators.md, "Without inertia").
class RemainingInertia {
 public:
  /// Adds an accepted step between two states whose ghosts are valid. @collective
  void add(const System& system, const State& start, const State& end);
  /// A sentence for the user about each body of which inertia has carried more than a hundredth of the largest forces.
  std::vector<std::string> warnings(const System& system) const;

 private:
  std::vector<double> inertial_, forces_;  ///< for each body, the largest sums of the sizes of forces on its vertices in a step [N]
};

}  // namespace traction
