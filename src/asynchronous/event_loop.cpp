#include "asynchronous/event_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "errors.h"

namespace traction {

namespace {

constexpr long kEventsBetweenLooks = 1 << 14;  // at signals
constexpr double kTurnOfWindow = 0.05;         // [rad]
constexpr double kMostWindowsOfRods = 1e6;

std::vector<double> inverse_masses(const System& system) {
  std::vector<double> result;
  for (const double mass : system.mass()) result.push_back(mass > 0 ? 1 / mass : 0);
  return result;
}

}  // namespace

EventLoop::EventLoop(System& system, const std::vector<double>& steps, State initial, std::optional<ContactSetup> contact)
    : system_(system),
      potentials_(system),
      vertices_(std::move(initial), inverse_masses(system), system.held()),
      forces_(potentials_.largest_stencil()),
      events_(potentials_.kinds().size(), 0) {
  for (const double step : steps) clocks_.push_back({step});
  if (contact) contact_ = std::make_unique<LayeredContact>(std::move(*contact), vertices_, static_cast<int>(system.mass().size()), queue_, potentials_.count());
  set_state(state());
}

void EventLoop::set_state(State state) {
  vertices_.set_state(std::move(state));
  queue_.clear();
  for (int p = 0; p < potentials_.count(); ++p) {
    Clock& clock = clocks_[static_cast<std::size_t>(p)];
    clock.start_after(this->state().time);
    queue_.set(p, clock.time());
  }
}

void EventLoop::take_potential(int potential) {
  Clock& clock = clocks_[static_cast<std::size_t>(potential)];
  const double time = clock.time();
  const auto stencil = potentials_.stencil(potential);
  for (const int vertex : stencil) vertices_.drift(vertex, time);
  vertices_.set_time(time);
  potentials_.forces(potential, state(), forces_);
  for (std::size_t a = 0; a < stencil.size(); ++a) {
    const Vec3 impulse = clock.step * forces_[a];
    if (!std::isfinite(impulse.sum())) {
      const Vec3 at = state().q[stencil[a]];
      throw SolverError(fmt::format(
          "at t = {:.9g} s a force ({}) near ({:.4g}, {:.4g}, {:.4g}) is not a finite number: an element is inverted, or its step is too long for what it has "
          "become; lower time.asynchronous.safety",
          time, potentials_.kinds()[static_cast<std::size_t>(potentials_.kind(potential))], at.x(), at.y(), at.z()));
    }
    vertices_.kick(stencil[a], impulse);
  }
  if (contact_) contact_->after_kicks(stencil, time);
  ++events_[static_cast<std::size_t>(potentials_.kind(potential))];
  ++clock.tick;
  queue_.set(potential, clock.time());
}

int EventLoop::windows_of_rods(double length) const {
  double fastest = 0;  // [rad/s]
  for (const Rod& rod : system_.mesh().rods) {
    const auto [a, b, twist] = rod.vertices;
    fastest = std::max(fastest, (state().v[b] - state().v[a]).norm() / (state().q[b] - state().q[a]).norm());
  }
  return static_cast<int>(std::clamp(std::ceil(fastest * length / kTurnOfWindow), 1.0, kMostWindowsOfRods));
}

void EventLoop::advance(double end, const Interruption& interruption) {
  const double start = state().time;
  std::fill(events_.begin(), events_.end(), 0L);
  const auto look = [&] {
    if (const int signal = interruption ? interruption(std::nullopt) : 0) throw Interrupted("a signal asks for an end", signal);
  };
  look();
  if (contact_) contact_->begin_row(start, end);
  const int windows = std::max(windows_of_rods(end - start), contact_ ? contact_->windows_of_row(start, end) : 1);
  long taken = 0;
  for (int w = 0; w < windows; ++w) {
    const double until = w + 1 == windows ? end : start + (end - start) * (w + 1) / windows;
    if (contact_) contact_->begin_window(state().time, until);
    while (queue_.next_time() <= until) {
      const int event = queue_.next();
      if (event < potentials_.count()) take_potential(event);
      else contact_->take_event(event, queue_.next_time());
      if (++taken % kEventsBetweenLooks == 0) look();
    }
    vertices_.drift_all(until);
    system_.commit(state());
  }
}

}  // namespace traction
