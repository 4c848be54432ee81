#include "dynamics/scheduled_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace traction {

namespace {

constexpr double kCountRounding = 1e-4;  // relative to a step, for many steps added up: no step is inserted for less

// The nearest number of 15 digits: multiples of a decimal number differ in the sixteenth from the decimal numbers that scenes contain.
double without_last_digits(double number) {
  const std::string digits = fmt::format("{:.15g}", number);
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

}  // namespace

ScheduledStep scheduled_step(const TimeSettings& settings, double time, int halvings, std::span<const double> ends) {
  const StepSettings* current = &settings.steps.front();
  double piece_begin = 0, piece_end = settings.end;
  for (const StepSettings& piece : settings.steps) {
    if (piece.from <= time + kTimeRounding * piece.step) {
      current = &piece;
      piece_begin = piece.from;
    } else {
      piece_end = std::min(piece_end, piece.from);
      break;
    }
  }
  for (const double end : ends)
    if (end > time + kTimeRounding * current->step) piece_end = std::min(piece_end, end);
    else piece_begin = std::max(piece_begin, end);
  const double step = std::ldexp(current->step, -halvings), remaining = piece_end - time, begun = (time - piece_begin) / (2 * step);
  ScheduledStep result{remaining / std::max(1.0, std::ceil(remaining / step - kCountRounding)), current->integrator.value_or(settings.integrator)};
  result.splits_a_pair = std::abs(begun - std::floor(begun) - 0.5) < kCountRounding;
  // Neither the length nor the end of such a step depends on when the piece ends, so that a run that is continued to a later end has the same steps.
  if (std::abs(result.length - step) <= kTimeRounding * step) result.length = step;
  result.end = time + result.length;
  const double on_grid = without_last_digits(piece_begin + step * std::round((result.end - piece_begin) / step));
  if (on_grid > time && std::abs(result.end - on_grid) < kTimeRounding * step) result.end = on_grid;
  return result;
}

}  // namespace traction
