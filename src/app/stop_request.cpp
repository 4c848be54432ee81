#include "app/stop_request.h"

#include <csignal>

#include "parallel/collective.h"

namespace traction {

namespace {

volatile std::sig_atomic_t received_signal = 0;

}  // namespace

StopRequest::StopRequest() {
  received_signal = 0;
  for (const int signal : {SIGTERM, SIGUSR1}) std::signal(signal, [](int received) { received_signal = received; });
}

StopRequest::~StopRequest() {
  for (const int signal : {SIGTERM, SIGUSR1}) std::signal(signal, SIG_DFL);
}

int StopRequest::signal_on_any_rank(MPI_Comm communicator) const {
  return static_cast<int>(maximum_over_ranks(communicator, static_cast<double>(received_signal)));
}

}  // namespace traction
