#include "app/progress.h"

#include <fmt/format.h>
#include <mpi.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace traction {

namespace {

constexpr double kRedrawInterval = 0.2;  // [s]
constexpr double kLongestSilence = 60;   // time without a line of the log while steps are made [s]
constexpr int kBarWidth = 30;

std::string clock_text(double seconds) {
  const long s = static_cast<long>(seconds + 0.5);
  return s < 3600 ? fmt::format("{}:{:02d}", s / 60, s % 60) : fmt::format("{}:{:02d}:{:02d}", s / 3600, s / 60 % 60, s % 60);
}

}  // namespace

Progress::Progress(bool show, double start_time, double end_time, int log_every)
    : show_(show), terminal_(isatty(STDERR_FILENO) != 0), start_time_(start_time), end_time_(end_time), log_every_(log_every), clock_start_(MPI_Wtime()) {}

Progress::~Progress() {
  if (show_ && terminal_ && last_drawn_ > 0) std::fputc('\n', stderr);
}

void Progress::update(const StepRecord& step) {
  if (!show_) return;
  const double elapsed = MPI_Wtime() - clock_start_;
  const double fraction = (step.time - start_time_) / (end_time_ - start_time_);
  const std::string left = clock_text(elapsed * (1 - fraction) / std::max(fraction, 1e-9));
  const bool last = fraction >= 1 - 1e-12;
  if (terminal_) {
    if (elapsed - last_drawn_ < kRedrawInterval && !last) return;
    last_drawn_ = elapsed;
    const int filled = std::clamp(static_cast<int>(fraction * kBarWidth), 0, kBarWidth);
    std::fputs(fmt::format("\r[{}{}] {:5.1f} %  t = {:.5g} s  dt = {:.2g} s  step {}  {} left   ", std::string(filled, '#'),
                           std::string(kBarWidth - filled, '.'), 100 * fraction, step.time, step.dt, step.step, left)
                   .c_str(),
               stderr);
    std::fflush(stderr);
  } else if (step.step % log_every_ == 0 || last || elapsed - last_drawn_ >= kLongestSilence) {
    last_drawn_ = elapsed;
    int contacts = 0;
    for (const ContactSummary& contact : step.contacts) contacts += static_cast<int>(contact.active);
    spdlog::info("step {}  t = {:.6g} s ({:.1f} %)  dt = {:.3g} s  Newton {}  linear {}  contacts {}  {} left", step.step, step.time, 100 * fraction, step.dt,
                 step.solver.newton_iterations, step.solver.linear_iterations, contacts, left);
  }
}

}  // namespace traction
