// Signals that ask a run to end.
#pragma once

#include <mpi.h>

namespace traction {

// While one is there, SIGTERM (a batch system's last word) and SIGUSR1 (its warning, if asked for one) do not end the program: a run ends after the present
// step, with its state saved. One at a time; it is there from before a run's set-up, which may be long, so that no warning is lost.
class StopRequest {
 public:
  StopRequest();
  ~StopRequest();
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;

  // The number of a signal that has come, 0 for none. Collective.
  int signal_on_any_rank(MPI_Comm communicator) const;
};

}  // namespace traction
