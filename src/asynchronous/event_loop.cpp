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
constexpr double kMostWindows = 1e4;  // windows of contact per row
constexpr double kMostRowsOfWindow = 16;
constexpr double kForever = EventQueue::kNever;
constexpr std::uint64_t kAfterContact = std::uint64_t{1} << 62;  // key of the first common potential

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
      knowledge_(static_cast<int>(system.mass().size())),
      forces_(potentials_.largest_stencil()),
      events_(potentials_.kinds().size(), 0) {
  for (const double step : steps) clocks_.push_back({step});
  for (int p = 0; p < potentials_.count(); ++p)
    if (potentials_.is_common(p)) {
      queue_.set_key(p, kAfterContact + static_cast<std::uint64_t>(p));
      common_.push_back(p);
    }
  if (contact)
    contact_ =
        std::make_unique<LayeredContact>(std::move(*contact), vertices_, static_cast<int>(system.mass().size()), queue_, potentials_.count(), knowledge_);
  set_state(state());
}

void EventLoop::set_state(State state) {
  vertices_.set_state(std::move(state));
  fault_.reset();
  queue_.clear();
  window_end_ = this->state().time;
  reset_clocks(this->state().time);
}

// Every potential's next event is the first one after a time. Where ranks share the events, those are in the queue that act on the rank's share alone or in
// part, and common ones are not.
void EventLoop::reset_clocks(double time) {
  const auto is_in_share = [&](int vertex) { return knowledge_.in_share(vertex); };
  for (int p = 0; p < potentials_.count(); ++p) {
    Clock& clock = clocks_[static_cast<std::size_t>(p)];
    clock.start_after(time);
    const auto stencil = potentials_.stencil(p);
    const bool takes = !share_ || (!potentials_.is_common(p) && std::any_of(stencil.begin(), stencil.end(), is_in_share));
    queue_.set(p, takes ? clock.time() : EventQueue::kNever);
  }
}

void EventLoop::take_potential(int potential) {
  Clock& clock = clocks_[static_cast<std::size_t>(potential)];
  const double time = clock.time();
  ++clock.tick;
  if (!share_ || !potentials_.is_common(potential)) queue_.set(potential, clock.time());
  if (depends_on_unknown(potential, time)) return lose(potentials_.stencil(potential), time);
  const auto stencil = potentials_.stencil(potential);
  for (const int vertex : stencil) vertices_.drift(vertex, time);
  vertices_.set_time(time);
  const bool counts = knowledge_.owns(stencil.front());
  const double lost = potentials_.act(potential, state(), forces_);
  if (counts) lost_by_flow_ += lost;
  for (std::size_t a = 0; a < stencil.size(); ++a) {
    const Vec3 impulse = clock.step * forces_[a];
    if (!std::isfinite(impulse.sum())) {
      const Vec3 at = state().q[stencil[a]];
      throw SolverError(
          fmt::format("at t = {:.9g} s a force ({}) near ({:.4g}, {:.4g}, {:.4g}) is not a finite number: an element is inverted, or has changed so much that "
                      "its step is too long; lower time.asynchronous.safety",
                      time, potentials_.kinds()[static_cast<std::size_t>(potentials_.kind(potential))], at.x(), at.y(), at.z()));
    }
    if (time < knowledge_.until(stencil[a]) || potentials_.is_common(potential)) vertices_.kick(stencil[a], impulse);
  }
  if (contact_) contact_->after_kicks(stencil, time);
  if (counts) ++events_[static_cast<std::size_t>(potentials_.kind(potential))];
}

void EventLoop::take_event() {
  const int event = queue_.next();
  if (event < potentials_.count()) take_potential(event);
  else contact_->take_event(event, queue_.next_time());
}

int EventLoop::windows_of_rods(double length) const {
  double fastest = 0;  // [rad/s]
  for (const Rod& rod : system_.mesh().rods) {
    const auto [a, b, twist] = rod.vertices;
    fastest = std::max(fastest, (state().v[b] - state().v[a]).norm() / (state().q[b] - state().q[a]).norm());
  }
  return static_cast<int>(std::clamp(std::ceil(fastest * length / kTurnOfWindow), 1.0, kMostWindowsOfRods));
}

// The time at which a window of contact that begins now should end: before points move far.
double EventLoop::end_of_window(double now) const {
  return std::min(last_window_end_, now + std::clamp(contact_->window_length(), shortest_window_, longest_window_));
}

void EventLoop::take_events(double until, const Look& look) {
  long taken = 0;
  for (double now = state().time; now < until;) {
    if (contact_ && now >= window_end_) {
      window_end_ = end_of_window(now);
      contact_->find_candidates(now, window_end_);
      contact_->begin_window(now, window_end_);
    }
    now = contact_ ? std::min(until, window_end_) : until;
    while (queue_.next_time() <= now) {
      take_event();
      if (++taken % kEventsBetweenLooks == 0) look();
    }
  }
}

// Plastic flow changes in events alone, so the state between them has no effect on it.
void EventLoop::commit() const {
  for (const auto& force : system_.forces())
    if (Memory* memory = force->memory(); memory && !force->flowing_terms()) memory->commit(state());
}

// Prescribed motions are uniform until the end of the piece. `is_prescribed`: whether there are any.
void EventLoop::take_piece(double until, bool is_prescribed, const Look& look) {
  const double start = state().time;
  if (contact_) contact_->move_obstacles(start, until);
  last_window_end_ = is_prescribed ? until : kForever;
  if (is_prescribed) window_end_ = start;
  const int windows = windows_of_rods(until - start);
  for (int k = 0; k < windows; ++k) {
    const double end = k + 1 == windows ? until : start + (until - start) * (k + 1) / windows;
    if (share_) take_events_with_others(end, look);
    else take_events(end, look);
    vertices_.drift_all(end);
    commit();
  }
}

void EventLoop::advance(double end, const Interruption& interruption, int pieces, const Drive& drive) {
  const double start = state().time;
  std::fill(events_.begin(), events_.end(), 0L);
  lost_by_flow_ = 0;
  spans_ = repeated_ = 0;
  const Look look = [&] {
    if (const int signal = interruption ? interruption(std::nullopt) : 0) throw Interrupted("a signal asks for an end", signal);
  };
  look();
  if (contact_) contact_->begin_row(start);
  const bool is_prescribed = !system_.driven().empty() || (contact_ && contact_->has_moving_obstacles());
  shortest_window_ = (end - start) / kMostWindows;
  longest_window_ = (end - start) * kMostRowsOfWindow;
  for (int k = 0; k < pieces; ++k) {
    const double until = k + 1 == pieces ? end : start + (end - start) * (k + 1) / pieces;
    if (drive) drive(until);
    take_piece(until, is_prescribed, look);
  }
  if (share_) sum_up();
  if (contact_) contact_->end_row(end, share_ ? share_->communicator() : MPI_COMM_SELF);
}

}  // namespace traction
