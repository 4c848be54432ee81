// Decides when a checkpoint is due.
#pragma once

#include <mpi.h>

#include <cmath>

#include "dynamics/step_record.h"
#include "output/output_settings.h"
#include "parallel/collective.h"

namespace traction {

/// Counts steps, times of the simulation, and minutes by the clock of rank 0.
class CheckpointClock {
 public:
  CheckpointClock(MPI_Comm communicator, const CheckpointSettings& every) : communicator_(communicator), every_(every) {}

  /// Whether a checkpoint is due after this step; rank 0's clock decides for all. @collective
  bool after(const StepRecord& step) const {
    const auto passes = [](double interval, double from, double to) { return std::floor(to / interval + kRounding) > std::floor(from / interval + kRounding); };
    if (every_.steps && step.step % *every_.steps == 0) return true;
    if (every_.time && passes(*every_.time, step.time - step.dt, step.time)) return true;
    int rank = 0;
    MPI_Comm_rank(communicator_, &rank);
    return maximum_over_ranks(communicator_, rank == 0 && MPI_Wtime() - last_saved_ > 60 * every_.minutes ? 1 : 0) > 0;
  }
  void saved() { last_saved_ = MPI_Wtime(); }

 private:
  static constexpr double kRounding = 1e-9;  ///< relative to an interval

  MPI_Comm communicator_;
  CheckpointSettings every_;
  double last_saved_ = MPI_Wtime();  ///< [s]
};

}  // namespace traction
