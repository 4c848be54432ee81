// How several ranks share the events of a loop.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "asynchronous/event_loop.h"
#include "errors.h"
#include "parallel/collective.h"

namespace traction {

namespace {

constexpr long kSpansBetweenLooks = 64;  // number of spans between two looks at signals
constexpr double kShorter = 0.85;        // after a span has failed, the next one is this fraction of the part that succeeded
constexpr double kShortest = 0.7;        // but it is at least this fraction of the span that has failed
constexpr int kMostShortSpans = 8;       // short spans before another share is chosen
constexpr double kLonger = 1.03;         // a span that has not failed is followed by one of this multiple
constexpr double kLeastSpan = 0.05;      // in shortest steps; the share is chosen anew if spans cannot be longer than this
constexpr double kFirstSpan = 1;         // in multiples of the median step of potentials
constexpr double kOtherLinks = 0.2;      // vertices are divided anew when the number of links has changed by this part
constexpr int kRings = 8;                // least number of rings of the share

}  // namespace

void EventLoop::share(MPI_Comm communicator) {
  std::vector<double> steps, rates;
  for (const Clock& clock : clocks_) {
    steps.push_back(clock.step);
    rates.push_back(1 / clock.step);
  }
  share_ = std::make_unique<RankShare>(communicator, potentials_, std::move(rates), static_cast<int>(system_.mass().size()));
  if (!steps.empty()) {
    std::nth_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2), steps.end());
    span_ = kFirstSpan * steps[steps.size() / 2];
    shortest_ = *std::min_element(steps.begin(), steps.end());
  } else span_ = Knowledge::kForever;
  rings_ = kRings;
  queue_.clear();
}

bool EventLoop::depends_on_unknown(int potential, double time) const {
  if (!share_ || potentials_.is_common(potential)) return false;
  const auto stencil = potentials_.stencil(potential);
  const bool reads_velocities = potentials_.reads_velocities(potential);
  return std::any_of(stencil.begin(), stencil.end(), [&](int vertex) {
    const double until = knowledge_.until(vertex);
    return until < time || (reads_velocities && until == time);
  });
}

void EventLoop::lose(std::span<const int> vertices, double time) {
  for (const int vertex : vertices)
    if (knowledge_.forget(vertex, time) && contact_) contact_->after_loss(vertex, time);
}

// Every rank chooses the vertices that it computes: its own and some rings around them. Before that, the vertices are divided among the ranks if they have not
// been yet or, if `may_divide`, the number of links by contact has changed much. Collective.
void EventLoop::choose_share(double now, bool may_divide) {
  std::vector<RankShare::Link> links;
  on_all_ranks(share_->communicator(), [&] {
    if (contact_) {
      contact_->find_candidates(now, window_end_);
      links = contact_->near_candidates(now);
    }
    const auto count = static_cast<double>(links.size()), before = static_cast<double>(links_);
    if (!share_->is_divided() || (may_divide && std::abs(count - before) > kOtherLinks * std::max(count, before))) {
      share_->divide(links);
      knowledge_.set_owned(share_->owned());
      links_ = links.size();
    }
    knowledge_.set_share(share_->with_rings(rings_, links));
    if (contact_) contact_->begin_window(now, window_end_);
  });
  reset_clocks(now);
  require_copies();
  chosen_at_ = now;
}

// The rank needs copies of the vertices of its share, and of those that may touch them.
void EventLoop::require_copies() {
  std::vector<char> needed(system_.mass().size(), 0);
  for (std::size_t i = 0; i < needed.size(); ++i) needed[i] = knowledge_.in_share(static_cast<int>(i));
  if (contact_)
    for (const int vertex : contact_->outside()) needed[static_cast<std::size_t>(vertex)] = 1;
  share_->require(needed);
}

std::pair<double, std::string> EventLoop::take_own_events(double end) {
  if (fault_) return *fault_;
  double time = 0;
  try {
    while ((time = queue_.next_time()) <= end && !knowledge_.has_failed()) take_event();
  } catch (const std::exception& error) {
    return {time, error.what()};
  }
  return {Knowledge::kForever, ""};
}

void EventLoop::do_between_spans(double now, const std::function<void()>& action) {
  try {
    action();
  } catch (const std::exception& error) {
    if (!fault_) fault_ = {now, error.what()};
  }
}

// The first times of an error, of an assumption that does not hold, of an owner that does not know a vertex, and of `other`. Collective.
std::array<double, 4> EventLoop::earliest_over_ranks(double error, double other) const {
  std::array<double, 4> times{error, knowledge_.failed_at(), knowledge_.lost_own_at(), other};
  MPI_Allreduce(MPI_IN_PLACE, times.data(), 4, MPI_DOUBLE, MPI_MIN, share_->communicator());
  return times;
}

void EventLoop::save_snapshot() {
  vertices_.save(start_of_span_);
  memory_at_start_of_span_.clear();
  for (const int p : potentials_.remembering()) {
    const std::span<double> memory = potentials_.memory(p);
    memory_at_start_of_span_.insert(memory_at_start_of_span_.end(), memory.begin(), memory.end());
  }
  events_at_start_of_span_ = events_;
  lost_at_start_of_span_ = lost_by_flow_;
}

void EventLoop::repeat_from_snapshot(double now) {
  vertices_.restore(start_of_span_);
  auto from = memory_at_start_of_span_.begin();
  for (const int p : potentials_.remembering())
    for (double& number : potentials_.memory(p)) number = *from++;
  events_ = events_at_start_of_span_;
  lost_by_flow_ = lost_at_start_of_span_;
  knowledge_.begin_span();
  reset_clocks(now);
  if (contact_) do_between_spans(now, [&] { contact_->repeat_span(now); });
}

double EventLoop::next_common_time() const {
  double time = EventQueue::kNever;
  for (const int p : common_) time = std::min(time, clocks_[static_cast<std::size_t>(p)].time());
  return time;
}

void EventLoop::take_common_events(double time) {
  for (const int p : common_)
    if (clocks_[static_cast<std::size_t>(p)].time() <= time) take_potential(p);
}

// All ranks have the same vertices where a window begins, and those that they need after every span.
void EventLoop::take_events_with_others(double until, const Look& look) {
  const MPI_Comm communicator = share_->communicator();
  double now = state().time;
  if (!contact_ && !share_->is_divided()) choose_share(now, true);
  while (now < until) {
    if (contact_ && now >= window_end_) {
      window_end_ = end_of_window(now);
      contact_->agree_on_changes(communicator);
      rings_ = kRings;
      choose_share(now, true);
      short_spans_ = 0;
    }
    if (++spans_ % kSpansBetweenLooks == 0) look();
    double end = std::min({until, now + span_, next_common_time(), contact_ ? window_end_ : until});
    save_snapshot();
    const int most_rings = static_cast<int>(system_.mass().size()) + 1;
    bool courses_end = false;
    for (;;) {
      knowledge_.begin_span();
      if (contact_) contact_->begin_span(now, start_of_span_.state.v);
      const auto [failed_at, message] = take_own_events(end);
      const bool leaves = contact_ && !knowledge_.has_failed() && contact_->leaves_course(end);
      const auto [error, failed, lost, leaving] = earliest_over_ranks(failed_at, leaves ? now : Knowledge::kForever);
      courses_end = leaving == now;
      if (error < std::min(failed, lost))
        on_all_ranks(communicator, [&, at = failed_at, &text = message, first = error] {
          if (at == first) throw SolverError(text);
        });
      if (std::min(failed, lost) == Knowledge::kForever) break;
      ++repeated_;
      repeat_from_snapshot(now);
      if (contact_) contact_->agree_on_changes(communicator);
      if (failed <= lost) {  // the span is repeated with larger changes allowed, or ends before a vertex leaves its course
        if (failed > now) end = std::nextafter(failed, now);
      } else if (const double done = lost - now; done > 0 && (done > kLeastSpan * shortest_ || ++short_spans_ <= kMostShortSpans || rings_ == most_rings)) {
        end = std::nextafter(lost, now);
        span_ = std::max(kShorter * done, kShortest * span_);
      } else {
        if (rings_ == most_rings) throw std::logic_error("a rank does not know its own vertices where a span begins");
        short_spans_ = 0;
        if (chosen_at_ == now || !contact_) rings_ = std::min(2 * rings_, most_rings);
        share_->gather(vertices_);
        save_snapshot();
        choose_share(now, false);
      }
    }
    const bool needs_all = courses_end || end == until || end == window_end_ || next_common_time() <= end;
    if (needs_all) share_->gather(vertices_);
    else share_->exchange(vertices_);
    const std::vector<int> lost = knowledge_.lost();
    knowledge_.begin_span();
    do_between_spans(end, [&] {
      if (contact_) contact_->end_span(end, lost);
      if (courses_end) contact_->renew_courses(end);
      take_common_events(end);
    });
    if (courses_end) require_copies();
    if (end == now + span_) span_ *= kLonger;
    now = end;
  }
  on_all_ranks(communicator, [&] {
    if (fault_) throw SolverError(fault_->second);
  });
}

void EventLoop::sum_up() {
  std::vector<double> sums(events_.begin(), events_.end());
  sum_over_ranks(share_->communicator(), sums);
  for (std::size_t k = 0; k < sums.size(); ++k) events_[k] = static_cast<long>(sums[k]);
  lost_by_flow_ = sum_over_ranks(share_->communicator(), lost_by_flow_);
}

}  // namespace traction
