// Measures the time a rank works on contacts, without the time it waits for other ranks. The load balance of contact is judged by it.
#pragma once

#include <mpi.h>

namespace traction {

/// Runs while a Shift exists. Shifts enclose work on this rank's own data, without communication.
class WorkClock {
 public:
  /// Counts the time from its construction to its destruction as work.
  class Shift {
   public:
    explicit Shift(WorkClock& clock) : clock_(clock), start_(MPI_Wtime()) {}
    ~Shift() { clock_.seconds_ += MPI_Wtime() - start_; }
    Shift(const Shift&) = delete;
    Shift& operator=(const Shift&) = delete;

   private:
    WorkClock& clock_;
    double start_;
  };

  double seconds() const { return seconds_; }  ///< wall time

 private:
  double seconds_ = 0;
};

}  // namespace traction
