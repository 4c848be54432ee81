// The control of a contact's stiffness by its gaps (docs/theory/rods.md, "Control of the stiffness").
#pragma once

#include <algorithm>

namespace traction {

/// P3 Sec. 2.5: after a step the stiffness grows where the smallest gap is below a range, and falls where it is above.
struct StiffnessControl {
  double least_gap = 0;  ///< [m]
  double most_gap = 0;   ///< [m]
  double rate = 0;       ///< change per step, relative

  static constexpr double kMostChange = 1e6;  ///< largest factor between the stiffness at the start and a later one, so that it stays a finite number

  /// The stiffness after a step that ends with this smallest gap [m]. `base`: the stiffness at the start [N/m].
  double next(double stiffness, double base, double gap) const {
    const double factor = gap < least_gap ? 1 + rate : gap > most_gap ? 1 / (1 + rate) : 1;
    return std::clamp(stiffness * factor, base / kMostChange, base * kMostChange);
  }
};

}  // namespace traction
