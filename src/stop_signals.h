// Signals that ask the program to end: SIGTERM, SIGUSR1, SIGINT, SIGHUP, SIGQUIT and SIGXCPU.
#pragma once

#include <csignal>

namespace traction {

/// Blocks these signals in the calling thread, and in every thread that it starts, during its lifetime. The program starts MPI under such a block, so that
/// MPI's threads never receive a signal meant for the main thread.
class BlockedStopSignals {
 public:
  BlockedStopSignals();
  ~BlockedStopSignals();
  BlockedStopSignals(const BlockedStopSignals&) = delete;
  BlockedStopSignals& operator=(const BlockedStopSignals&) = delete;

 private:
  sigset_t before_;
};

/// Gives these signals the effect that they had when the program started: to end it, or none where they were ignored (nohup). Libraries install handlers of
/// their own; PETSc's print a stack and end with a code of their own.
void restore_stop_signals();

/// During its lifetime, these signals do not end the program but are remembered, and SIGPIPE, which a closed reader of the log causes, is ignored. The signals
/// stay blocked and are polled, so that libraries which exchange handlers, as METIS does, never receive one. Signals that were ignored when the program started
/// (nohup) stay ignored. Only one object may exist at a time, in the main thread.
class CaughtStopSignals {
 public:
  CaughtStopSignals();
  ~CaughtStopSignals();
  CaughtStopSignals(const CaughtStopSignals&) = delete;
  CaughtStopSignals& operator=(const CaughtStopSignals&) = delete;

 private:
  BlockedStopSignals blocked_;
};

/// Whether a CaughtStopSignals exists.
bool catches_stop_signals();

/// Number of the first of these signals that has reached this process since a CaughtStopSignals was created; 0 if no signal has, or no such object exists.
int stop_signal();

}  // namespace traction
