// The events of layers and certificates.
#include "asynchronous/layered_contact.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "errors.h"

namespace traction {

namespace {

constexpr double kFarAgain = 2;     // a pair becomes far at this multiple of the distance at which it became close
constexpr double kNarrower = 0.05;  // part of a range of velocities by which it narrows
constexpr double kMostWider = 1;

}  // namespace

void LayeredContact::take_event(int event, double time) {
  const int point = event - first_event_;
  if (point < points_.count()) return leave_course(point, time);
  const int number = point - points_.count();
  Pair& pair = pairs_[static_cast<std::size_t>(number)];
  if (!pair.close) {
    ++sums_.counts.certificates;
    return certify_far(number, time);
  }
  if (is_in_doubt(pair, time)) return lose(number, time);
  if (pair.certified <= time) {
    ++sums_.counts.certificates;
    for (int a = 0; a < pair.size(); ++a) narrow_range(pair.points[a]);
    const double far = law(pair).thickness + pair.offset + 2 * tolerance_;
    if (pair.ticks.empty() && approach(pair, positions(pair, time)).distance > kFarAgain * far) return make_far(number, time);
    renew(number, time);
    return schedule(number);
  }
  for (int layer = 1; layer <= pair.layers(); ++layer)
    if (clock(pair, layer).time() <= time) return act(number, layer, time);
}

void LayeredContact::act(int number, int layer, double time) {
  Pair* pair = &pairs_[static_cast<std::size_t>(number)];
  const bool counts = counts_here(*pair);
  sums_.counts.layers += counts;
  ++pair->ticks[static_cast<std::size_t>(layer - 1)];
  const LayeredLaw& law = this->law(*pair);
  const PairVectors x = positions(*pair, time), v = velocities(*pair);
  const Approach now = approach(*pair, x);
  const double gap = now.distance - pair->offset, compression = law.eta(layer) - gap;
  Vec3 relative = Vec3::Zero();
  double inverse_mass = 0;  // against an impulse between the closest points
  for (int a = 0; a < pair->size(); ++a) {
    if (now.weights[a] == 0) continue;
    relative += now.weights[a] * v[a];
    inverse_mass += now.weights[a] * now.weights[a] * points_.inverse_mass(pair->points[a], now.normal);
  }
  const double speed = relative.dot(now.normal);  // at which they separate
  if (inverse_mass == 0 && speed < 0 && compression > 0)
    throw SolverError(
        fmt::format("at t = {:.9g} s contact '{}' presses {} and {} against each other, and both are held in the direction of the force: prescribed motions "
                    "drive them into each other; change one of these motions",
                    time, law.name, name_of_point(pair->points[0], time), name_of_other(*pair, time)));
  if (compression > 0) {
    const double whole = step(*pair, layer) * law.r(layer) * compression;
    const double impulse = speed > 0 ? law.restitution * law.restitution * whole : whole;
    if (counts) sums_.lost_by_restitution += (whole - impulse) * (speed + impulse * inverse_mass / 2);  // work along the path that the two sides take
    Vec3 total = impulse * now.normal;
    if (law.friction > 0) {
      const Vec3 sliding = relative - speed * now.normal;
      const double size = sliding.norm();
      double across = 0;  // inverse mass against an impulse along the sliding
      for (int a = 0; a < pair->size() && size > 0; ++a)
        if (now.weights[a] != 0) across += now.weights[a] * now.weights[a] * points_.inverse_mass(pair->points[a], sliding / size);
      if (across > 0) {
        const double friction = std::min(law.friction * impulse, size / across);  // P4 Sec. 7.2, but at most the impulse that stops the sliding
        total -= friction / size * sliding;
        if (counts) sums_.lost_by_friction += friction * size - friction * friction * across / 2;
      }
    }
    std::array<int, 4> kicked;
    std::size_t count = 0;
    for (int a = 0; a < pair->size(); ++a) {
      if (now.weights[a] == 0) continue;
      points_.drift(pair->points[a], time);
      points_.kick(pair->points[a], now.weights[a] * total);
      if (!points_.is_vertex(pair->points[a])) continue;
      if (knowledge_.owns(pair->points[a])) sums_.on_vertices[static_cast<std::size_t>(pair->points[a])] += now.weights[a] * total;
      kicked[count++] = pair->points[a];
    }
    if (counts) sums_.on_first_sides[static_cast<std::size_t>(pair->law)] += pair->side * total;
    after_kicks(std::span(kicked).first(count), time);
    return schedule(number);
  }
  // The outermost active layer is let go when it would not act again soon.
  if (speed >= 0 && layer == pair->layers()) {
    const long tick = pair->ticks.back();
    pair->ticks.pop_back();
    pair->normal = now.normal;
    pair->certified = certified_time(*pair, x, law.eta(layer) + pair->offset, time);
    if (pair->certified - time < step(*pair, layer)) {
      pair->ticks.push_back(tick);
      pair->certified = certified_time(*pair, x, law.eta(layer + 1) + pair->offset, time);
    }
  }
  schedule(number);
}

// Gives a point whose velocity is not within its range a new one, which is wider, and returns false. Leaving a range costs a new certificate for each close
// pair of the point, and a wide range makes certificates end early, which costs one each. Both happen about equally often if a range widens by as much as it
// narrows.
bool LayeredContact::stays_in_range(int point) {
  VelocityRange& range = ranges_[static_cast<std::size_t>(point)];
  const Vec3 velocity = points_.velocity(point);
  const double away = (velocity - range.center).norm();
  if (away <= range.radius) return true;
  const auto pairs = static_cast<double>(close_of_[static_cast<std::size_t>(point)].size());
  range = {velocity, std::max(away, range.radius * (1 + std::min(kMostWider, kNarrower * pairs)))};
  return false;
}

void LayeredContact::narrow_range(int point) {
  VelocityRange& range = ranges_[static_cast<std::size_t>(point)];
  const double narrower = range.radius * (1 - kNarrower);
  if ((points_.velocity(point) - range.center).norm() <= narrower) range.radius = narrower;
}

void LayeredContact::after_kicks(std::span<const int> vertices, double time) {
  changed_.clear();
  for (const int vertex : vertices) {
    if (!touches_[static_cast<std::size_t>(vertex)]) continue;
    schedule_course(vertex, time, true);
    if (in_span_) look_at_change(vertex, time);
    if (stays_in_range(vertex)) continue;
    const auto& close = close_of_[static_cast<std::size_t>(vertex)];
    changed_.insert(changed_.end(), close.begin(), close.end());
  }
  std::sort(changed_.begin(), changed_.end());
  changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
  for (const int number : changed_) certify_close(number, time);
}

}  // namespace traction
