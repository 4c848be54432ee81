// Shows that a run is alive: a bar with the remaining time on a terminal, a log line every N steps elsewhere.
#pragma once

#include "dynamics/step_record.h"

namespace traction {

/// A bar or lines of the log that show how far a run has come.
class Progress {
 public:
  /// Only rank 0 shows anything.
  Progress(bool show, double start_time, double end_time, int log_every);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(const StepRecord& step);

 private:
  bool show_, terminal_;
  double start_time_, end_time_;
  int log_every_;
  double clock_start_;
  double last_drawn_ = 0;
};

}  // namespace traction
