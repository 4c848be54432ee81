// Signals that ask a run to end.
#pragma once

#include <mpi.h>

#include "stop_signals.h"

namespace traction {

// While one is there, signals that ask for an end (stop_signals.h) do not end the program: a run stops between two iterations, with its state saved. SIGTERM is
// a batch system's last word, SIGUSR1 its warning, if asked for one. One at a time; it is there from before a run's set-up, which may be long, so that no
// signal is lost.
class StopRequest {
 public:
  // The number of a signal that has come, 0 for none. Once it is not 0 it stays so. Collective.
  int signal_on_any_rank(MPI_Comm communicator) const;

 private:
  CaughtStopSignals caught_;
};

}  // namespace traction
