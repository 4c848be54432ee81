// Watches a step, or the search for equilibrium before the first one, that takes long.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace traction {

/// Warns of a step, or of a search for equilibrium, that runs for a minute or more, and reports what it is doing.
class StepWatch {
 public:
  /// `clock` returns seconds since a fixed moment.
  explicit StepWatch(std::function<double()> clock) : clock_(std::move(clock)) {}

  void begin_equilibrium();
  void begin_step(long step, double time, bool has_inertia = true);
  /// Called between iterations with the argument of Interruption. When the step or search has run for one minute, then two, four and so on, it returns a
  /// warning for the user with the errors of the last Newton iterations.
  std::optional<std::string> look(std::optional<double> velocity_error);

 private:
  void begin();

  std::function<double()> clock_;
  long step_ = 0;  ///< 0: the search for equilibrium
  bool has_inertia_ = true;
  double time_ = 0;             ///< simulated time at the step's start [s]
  double began_ = 0, due_ = 0;  ///< the clock's time at the start, and the time after it at which the next warning is due [s]
  int solves_ = 0;
  std::vector<double> errors_;  ///< errors of the present solve [m/s]
};

}  // namespace traction
