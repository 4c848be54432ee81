// Signals that ask a run to end.
#pragma once

#include <mpi.h>

#include "stop_signals.h"

namespace traction {

/// Keeps signals that ask for an end (stop_signals.h) from ending the program while an object of this class exists: the run stops between two iterations
/// instead, with its state saved. Batch systems send SIGTERM at the end and, if asked, SIGUSR1 as a warning before. Only one object may exist at a time. It is
/// created before a run's set-up, which may be long, so that no signal is lost.
class StopRequest {
 public:
  /// The number of a signal that has arrived, 0 for none. Once set, it does not change. @collective
  int signal_on_any_rank(MPI_Comm communicator) const;

 private:
  CaughtStopSignals caught_;
};

}  // namespace traction
