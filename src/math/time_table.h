// A user's factor over time.
#pragma once

#include <algorithm>
#include <vector>

namespace traction {

/// A factor at a time.
struct TimePoint {
  double time = 0;  ///< [s]
  double factor = 1;
};
using TimeTable = std::vector<TimePoint>;  ///< times ascend

/// Interpolates linearly between the table's times, and is constant before the first and after the last; an empty table gives 1. A Point has a time and a
/// factor.
template <typename Point>
double factor_at(const std::vector<Point>& table, double time) {
  if (table.empty()) return 1;
  const auto next = std::find_if(table.begin(), table.end(), [&](const Point& point) { return point.time > time; });
  if (next == table.begin()) return next->factor;
  const Point& last = *(next - 1);
  if (next == table.end()) return last.factor;
  return last.factor + (next->factor - last.factor) * (time - last.time) / (next->time - last.time);
}

}  // namespace traction
