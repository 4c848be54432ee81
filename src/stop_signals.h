// Signals that ask the program to end: SIGTERM, SIGUSR1, SIGINT, SIGHUP, SIGQUIT and SIGXCPU.
#pragma once

#include <csignal>

namespace traction {

// Blocks these signals in the calling thread, and in every thread that it starts meanwhile, as long as it lives. The program starts MPI under one, so that the
// threads of MPI never take a signal that is meant for the main thread.
class BlockedStopSignals {
 public:
  BlockedStopSignals();
  ~BlockedStopSignals();
  BlockedStopSignals(const BlockedStopSignals&) = delete;
  BlockedStopSignals& operator=(const BlockedStopSignals&) = delete;

 private:
  sigset_t before_;
};

// While one lives, these signals do not end the program but are remembered, and SIGPIPE, which a reader of the log that ends sends, is ignored. They stay
// blocked and are asked for: no library that exchanges handlers, as METIS does, ever sees one. Signals that were ignored when the program started (nohup) stay
// ignored. One at a time, in the main thread.
class CaughtStopSignals {
 public:
  CaughtStopSignals();
  ~CaughtStopSignals();
  CaughtStopSignals(const CaughtStopSignals&) = delete;
  CaughtStopSignals& operator=(const CaughtStopSignals&) = delete;

 private:
  BlockedStopSignals blocked_;
};

// Number of the first of these signals that has reached this process since a CaughtStopSignals was made; 0: none, or none is alive.
int stop_signal();

}  // namespace traction
