#include "stop_signals.h"

#include <algorithm>
#include <array>
#include <ctime>

namespace traction {

namespace {

constexpr std::array kStopSignals = {SIGTERM, SIGUSR1, SIGINT, SIGHUP, SIGQUIT, SIGXCPU};

volatile std::sig_atomic_t received_stop_signal = 0;
bool is_catching = false;
std::array<struct sigaction, kStopSignals.size() + 1> replaced_actions;  // the last one belongs to SIGPIPE

// The signals that were not ignored when the program started; PETSc installs its own handlers later.
const sigset_t& stop_signal_set() {
  static const sigset_t set = [] {
    sigset_t chosen;
    sigemptyset(&chosen);
    for (const int signal : kStopSignals) {
      struct sigaction present {};
      if (sigaction(signal, nullptr, &present) == 0 && present.sa_handler != SIG_IGN) sigaddset(&chosen, signal);
    }
    return chosen;
  }();
  return set;
}

// A library's thread that existed before the main thread blocked the signals may still receive one.
void remember_stop_signal(int signal) {
  if (received_stop_signal == 0) received_stop_signal = signal;
}

void install_handlers(std::array<struct sigaction, kStopSignals.size() + 1>* replaced) {
  struct sigaction action {};
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kStopSignals.size(); ++i) {
    action.sa_handler = sigismember(&stop_signal_set(), kStopSignals[i]) ? remember_stop_signal : SIG_IGN;
    sigaction(kStopSignals[i], &action, replaced ? &(*replaced)[i] : nullptr);
  }
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, replaced ? &replaced->back() : nullptr);
}

}  // namespace

BlockedStopSignals::BlockedStopSignals() { pthread_sigmask(SIG_BLOCK, &stop_signal_set(), &before_); }

BlockedStopSignals::~BlockedStopSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

void restore_stop_signals() {
  for (const int signal : kStopSignals) std::signal(signal, sigismember(&stop_signal_set(), signal) ? SIG_DFL : SIG_IGN);
}

bool catches_stop_signals() { return is_catching; }

CaughtStopSignals::CaughtStopSignals() {
  received_stop_signal = 0;
  is_catching = true;
  install_handlers(&replaced_actions);
}

CaughtStopSignals::~CaughtStopSignals() {
  stop_signal();  // consumes waiting signals, so that they do not end the program now
  is_catching = false;
  for (std::size_t i = 0; i < kStopSignals.size(); ++i) sigaction(kStopSignals[i], &replaced_actions[i], nullptr);
  sigaction(SIGPIPE, &replaced_actions.back(), nullptr);
}

int stop_signal() {
  if (!is_catching) return 0;
  const timespec now{};
  for (int signal = 0; (signal = sigtimedwait(&stop_signal_set(), nullptr, &now)) > 0;) remember_stop_signal(signal);
  install_handlers(nullptr);  // METIS restores the handler of one signal only
  return received_stop_signal;
}

}  // namespace traction
