// The part of layered contact for ranks that share the events.
#include <algorithm>
#include <cmath>

#include "asynchronous/layered_contact.h"
#include "parallel/collective.h"

namespace traction {

namespace {

constexpr double kCourse = 0.8;   // share of the tolerance beyond which a point gets a new course after a span
constexpr double kNearAlso = 1;   // near pairs may be farther apart than contact reaches, by this multiple of the tolerance
constexpr double kMargin = 2;     // factor by which a velocity may change more in a span than in the spans before
constexpr double kFade = 0.5;     // part of the change allowed before that is still allowed
constexpr double kLeast = 1e-12;  // [m/s]

// The first time at or after another at which a clock ticks.
double first_tick(double step, double time) {
  Clock clock{step};
  clock.start_after(std::nextafter(time, -EventQueue::kNever));
  return clock.time();
}

}  // namespace

bool LayeredContact::is_in_share(const Pair& pair) const {
  for (int a = 0; a < pair.size(); ++a)
    if (points_.is_vertex(pair.points[a]) && knowledge_.in_share(pair.points[a])) return true;
  return false;
}

bool LayeredContact::counts_here(const Pair& pair) const {
  for (int a = 0; a < pair.size(); ++a)
    if (points_.is_vertex(pair.points[a])) return knowledge_.owns(pair.points[a]);
  return true;
}

bool LayeredContact::is_in_doubt(const Pair& pair, double time) const {
  for (int a = 0; a < pair.size(); ++a)
    if (is_unknown(pair.points[a], time)) return true;
  return false;
}

std::vector<std::array<int, 4>> LayeredContact::near_candidates(double now) const {
  std::vector<std::array<int, 4>> near;
  for (const Pair& pair : candidates_) {
    if (pair.kind == PairKind::vertex_wall) continue;
    std::array<BoundingBox, 2> sides;
    for (int a = 0; a < pair.size(); ++a) sides[a < first_side_of(pair.kind) ? 0 : 1].include(points_.position(pair.points[a], now));
    for (BoundingBox& side : sides) side.grow((law(pair).thickness + pair.offset) / 2 + kNearAlso * tolerance_);
    if (sides[0].intersects(sides[1])) near.push_back(pair.points);
  }
  return near;
}

void LayeredContact::begin_span(double now, const Field& velocities) {
  start_of_span_ = now;
  velocities_at_start_ = &velocities;
  in_span_ = true;
  sums_at_start_of_span_ = sums_;
  made_far_.clear();
  for (const int vertex : outside_) after_loss(vertex, now);
}

void LayeredContact::after_loss(int vertex, double time) {
  for (const int number : close_of_[static_cast<std::size_t>(vertex)]) doubt(number, time);
}

// Queues the first time at which layers might act on the known vertices of a close pair, whatever happens to its unknown ones. An unknown velocity differs from
// the last known one by no more than twice the allowed change.
void LayeredContact::doubt(int number, double time) {
  const Pair& pair = pairs_[static_cast<std::size_t>(number)];
  PairVectors x = positions(pair, time), v = velocities(pair);
  std::array<double, 4> spread{};
  bool any_known = false;
  for (int a = 0; a < pair.size(); ++a) any_known = any_known || (points_.is_vertex(pair.points[a]) && !is_unknown(pair.points[a], time));
  if (!any_known) return queue_.remove(event_of(number));
  const ClosestPair now = closest_pair(pair.kind, x);
  for (int a = 0; a < pair.size(); ++a) {
    const VelocityRange& range = ranges_[static_cast<std::size_t>(pair.points[a])];
    const bool is_known = !is_unknown(pair.points[a], time);
    spread[a] = is_known ? range.radius : 2 * allowed_change_;
    if (is_known) v[a] = range.center;
    else x[a] += (a < first_side_of(pair.kind) ? -1 : 1) * spread[a] * (time - std::max(start_of_span_, knowledge_.until(pair.points[a]))) * now.normal;
  }
  const auto apart_until = [&](int layer) {
    return now.distance > 0 ? time + time_within_slab(pair.kind, x, v, now.normal, law(pair).eta(layer) + pair.offset, spread) : time;
  };
  double acts = apart_until(pair.layers() + 1);
  for (int layer = 1; layer <= pair.layers(); ++layer) {
    const double until = apart_until(layer);
    if (until < acts && until <= window_end_) acts = std::min(acts, first_tick(step(pair, layer), until));
  }
  queue_.set(event_of(number), acts > window_end_ ? EventQueue::kNever : acts);
}

// Makes the known vertices of a pair in doubt unknown, too.
void LayeredContact::lose(int number, double time) {
  queue_.remove(event_of(number));
  const Pair& pair = pairs_[static_cast<std::size_t>(number)];
  const std::array<int, 4> points = pair.points;
  for (int a = 0; a < pair.size(); ++a)
    if (points_.is_vertex(points[a]) && knowledge_.forget(points[a], time)) after_loss(points[a], time);
}

void LayeredContact::look_at_change(int vertex, double time) {
  if (!knowledge_.owns(vertex) || knowledge_.has_failed()) return;
  const double change = (points_.velocity(vertex) - (*velocities_at_start_)[vertex]).norm();
  largest_change_ = std::max(largest_change_, change);
  if (change > allowed_change_) knowledge_.fail(time);
}

void LayeredContact::agree_on_changes(MPI_Comm communicator) {
  allowed_change_ = std::max({kLeast, kFade * allowed_change_, kMargin * maximum_over_ranks(communicator, largest_change_)});
  largest_change_ = 0;
}

// The layers of a close pair act at their next ticks.
void LayeredContact::revive(int number, double time) {
  Pair& pair = pairs_[static_cast<std::size_t>(number)];
  for (int layer = 1; layer <= pair.layers(); ++layer) {
    Clock clock{step(pair, layer)};
    clock.start_after(time);
    pair.ticks[static_cast<std::size_t>(layer - 1)] = clock.tick;
  }
  if (is_in_doubt(pair, time)) return;
  renew(number, time);
  schedule(number);
}

void LayeredContact::end_span(double end, std::span<const int> lost) {
  start_of_span_ = end;
  in_span_ = false;
  for (const auto& vertices : {lost, std::span<const int>(outside_)})
    for (const int vertex : vertices) stays_in_range(vertex);
  for (const auto& vertices : {lost, std::span<const int>(outside_)})
    for (const int vertex : vertices)
      for (const int number : close_of_[static_cast<std::size_t>(vertex)]) revive(number, end);
}

bool LayeredContact::should_leave_course(int point, double time) const {
  return touches_[static_cast<std::size_t>(point)] && points_.is_vertex(point) &&
         (points_.position(point, time) - courses_[static_cast<std::size_t>(point)].at(time)).norm() > kCourse * tolerance_;
}

bool LayeredContact::leaves_course(double time) const {
  for (int vertex = 0; points_.is_vertex(vertex); ++vertex)
    if (knowledge_.owns(vertex) && should_leave_course(vertex, time)) return true;
  return false;
}

void LayeredContact::renew_courses(double time) {
  for (int point = 0; points_.is_vertex(point); ++point) {
    if (!should_leave_course(point, time)) continue;
    sums_.counts.courses += knowledge_.owns(point);
    change_course(point, time);
  }
}

// Later results may come from wrong data, so ranges and layers begin anew.
void LayeredContact::repeat_span(double start) {
  sums_ = sums_at_start_of_span_;
  for (int point = 0; point < points_.count(); ++point) {
    if (!touches_[static_cast<std::size_t>(point)]) continue;
    VelocityRange& range = ranges_[static_cast<std::size_t>(point)];
    if (!std::isfinite(range.radius + range.center.sum())) range = {points_.velocity(point), 0};
    stays_in_range(point);
    schedule_course(point, start, false);
  }
  for (std::size_t p = 0; p < pairs_.size(); ++p)
    if (pairs_[p].close) {
      pairs_[p].ticks.clear();
      revive(static_cast<int>(p), start);
    }
  for (const int number : made_far_)
    if (!pairs_[static_cast<std::size_t>(number)].close) make_close(number, start);
  made_far_.clear();
}

}  // namespace traction
