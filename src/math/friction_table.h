// Coefficients of friction from a table (docs/theory/friction.md, "Coefficients from a table"): a smooth surface over sliding speed and pressure.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "math/dual.h"
#include "settings/declaration.h"

namespace traction {

/// The entries of a table's axis around a place on it, with the cubic Hermite weights of their values and slopes. One entry beyond the ends of the axis.
template <typename T>
struct HermiteWeights {
  int count = 1;
  std::array<std::size_t, 2> entry{0, 0};
  std::array<T, 2> value{T(1.0), T(0.0)}, slope{T(0.0), T(0.0)};

  /// `axis` increases; it is empty if the table does not depend on x.
  HermiteWeights(const std::vector<double>& axis, const T& x) {
    const auto above = std::upper_bound(axis.begin(), axis.end(), real_part(x));
    if (above == axis.begin()) return;
    entry[0] = static_cast<std::size_t>(above - axis.begin()) - 1;
    if (above == axis.end()) return;
    count = 2;
    entry[1] = entry[0] + 1;
    const double width = axis[entry[1]] - axis[entry[0]];
    const T t = (x - axis[entry[0]]) / width, rest = 1.0 - t;
    value = {(2.0 * t + 1.0) * (rest * rest), (3.0 - 2.0 * t) * (t * t)};
    slope = {width * (t * (rest * rest)), -width * (rest * (t * t))};
  }
};

/// The slope of a curve at an entry of a table, in the direction of an axis: that of the parabola through the entry and its neighbours, but at most 1.5 times
/// the slope to either neighbour; 0 at a peak, in a valley and at the ends. `at(i)` is entry i's value.
template <typename At>
double limited_slope(const std::vector<double>& axis, std::size_t entry, At at) {
  constexpr double kSteepest = 1.5;  // keeps the control points of bicubic patches among their corners
  if (entry == 0 || entry + 1 >= axis.size()) return 0;
  const double before = axis[entry] - axis[entry - 1], after = axis[entry + 1] - axis[entry];
  const double left = (at(entry) - at(entry - 1)) / before, right = (at(entry + 1) - at(entry)) / after;
  if (!(left * right > 0)) return 0;
  const double parabola = (left * after + right * before) / (before + after), most = kSteepest * std::min(std::abs(left), std::abs(right));
  return std::clamp(parabola, -most, most);
}

/// Coefficients of friction as a function of sliding speed [m/s], pressure [Pa], or both. Once continuously differentiable, and never outside of the values
/// around it in the table.
struct FrictionTable {
  static constexpr SettingsDescription kDescription{
      "friction_table", "Coefficients of sliding friction over speed, pressure or both: a smooth surface through these values, constant beyond the ends."};
  using Numbers = std::vector<double>;
  SETTING(Numbers, speeds, {}, "Sliding speeds, increasing; without them friction depends on pressure alone.", unit("m/s"), non_negative,
          required_unless("pressures", "give the sliding speeds of the coefficients, or pressures, or both"),
          not_empty("is empty; give speeds, or leave it out"));
  SETTING(Numbers, pressures, {}, "Pressures, increasing; without them friction depends on speed alone.", unit("Pa"), non_negative,
          not_empty("is empty; give pressures, or leave it out"));
  SETTING(Numbers, coefficients, {}, "For each pressure in turn, a coefficient for each speed.", non_negative,
          required("give the coefficients: for each pressure in turn, one for each speed"), not_empty("is empty; give the coefficients"));

  std::size_t columns() const { return std::max<std::size_t>(speeds.size(), 1); }  ///< coefficients for each pressure
  std::size_t rows() const { return std::max<std::size_t>(pressures.size(), 1); }
  double largest() const { return coefficients.empty() ? 0 : *std::max_element(coefficients.begin(), coefficients.end()); }

  /// The coefficient at a speed and a pressure.
  template <typename T>
  T at(const T& speed, const T& pressure) const {
    const HermiteWeights<T> over_speed(speeds, speed), over_pressure(pressures, pressure);
    T sum(0.0);
    for (int j = 0; j < over_pressure.count; ++j)
      for (int i = 0; i < over_speed.count; ++i) {
        const std::size_t row = over_pressure.entry[j], column = over_speed.entry[i];
        const double along_speed = limited_slope(speeds, column, [&](std::size_t k) { return entry(row, k); });
        const double along_pressure = limited_slope(pressures, row, [&](std::size_t k) { return entry(k, column); });
        sum += (over_speed.value[i] * entry(row, column) + over_speed.slope[i] * along_speed) * over_pressure.value[j] +
               over_speed.value[i] * (over_pressure.slope[j] * along_pressure);
      }
    return sum;
  }

 private:
  double entry(std::size_t row, std::size_t column) const { return coefficients[row * columns() + column]; }
};

}  // namespace traction
