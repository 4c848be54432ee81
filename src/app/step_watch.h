// What a step is doing that takes long.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace traction {

class StepWatch {
 public:
  // `clock` gives seconds since any moment.
  explicit StepWatch(std::function<double()> clock) : clock_(std::move(clock)) {}

  void begin_step(long step, double time);
  // Called between iterations, with what Interruption is given. Returns a warning for the user when the step has run for a minute, then for two, four and so
  // on, with the errors of its last Newton iterations.
  std::optional<std::string> look(std::optional<double> velocity_error);

 private:
  std::function<double()> clock_;
  long step_ = 0;
  double time_ = 0;             // at the step's start [s]
  double began_ = 0, due_ = 0;  // by the clock, and after that [s]
  int solves_ = 0;
  std::vector<double> errors_;  // of the solve that runs [m/s]
};

}  // namespace traction
