// Words about energy that numerical errors have added or taken, the same wherever they are printed.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace traction {

/// A part of a whole in percent: "82 %", below ten with two digits: "5.3 %".
inline std::string percent_text(double part) { return part < 0.1 ? fmt::format("{:.2g} %", 100 * part) : fmt::format("{:.0f} %", 100 * part); }

/// Numerical errors [J] as a part of the energy that the run has moved [J]: "82 % of the energy moved". A loss may exceed that in a fall that hardly begins,
/// and then counts as all of it. `where`: " in contact" if `moved` is that energy alone.
inline std::string part_of_energy_moved(double numerical, double moved, const char* where = "") {
  const double part = std::abs(numerical) / moved;
  return percent_text(numerical < 0 ? std::min(1.0, part) : part) + " of the energy moved" + where;
}

}  // namespace traction
