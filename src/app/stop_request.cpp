#include "app/stop_request.h"

#include "parallel/collective.h"

namespace traction {

int StopRequest::signal_on_any_rank(MPI_Comm communicator) const { return static_cast<int>(maximum_over_ranks(communicator, stop_signal())); }

}  // namespace traction
