#include "stop_signals.h"

#include <gtest/gtest.h>

namespace traction {
namespace {

// Exchanges handlers as METIS does: installs its own, and restores the previous one for one signal only.
void exchange_handlers(int signal) {
  struct sigaction own {
  }, before{};
  own.sa_handler = SIG_DFL;
  sigaction(signal, &own, &before);
  raise(signal);  // while the library's own handler is installed
  before.sa_flags = SA_RESETHAND;
  sigaction(signal, &before, nullptr);
}

TEST(StopSignals, AreRememberedAndTheFirstCounts) {
  EXPECT_EQ(stop_signal(), 0);
  for (const int number : {SIGTERM, SIGUSR1, SIGINT, SIGHUP, SIGQUIT, SIGXCPU}) {
    const CaughtStopSignals caught;
    EXPECT_EQ(stop_signal(), 0);
    raise(number);
    EXPECT_EQ(stop_signal(), number);
    raise(SIGTERM);
    EXPECT_EQ(stop_signal(), number);
  }
  EXPECT_EQ(stop_signal(), 0);
}

TEST(StopSignals, OutliveALibraryThatExchangesHandlers) {
  const CaughtStopSignals caught;
  exchange_handlers(SIGTERM);
  EXPECT_EQ(stop_signal(), SIGTERM);
  for (int i = 0; i < 3; ++i) raise(SIGTERM);
  EXPECT_EQ(stop_signal(), SIGTERM);
}

TEST(StopSignals, ABrokenPipeIsNoEnd) {
  const CaughtStopSignals caught;
  raise(SIGPIPE);
  EXPECT_EQ(stop_signal(), 0);
}

}  // namespace
}  // namespace traction
