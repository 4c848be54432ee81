#include "asynchronous/layered_contact.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "errors.h"

namespace traction {

namespace {

constexpr double kTolerance = 0.5;       // tolerance of a course, relative to the thinnest contact
constexpr double kLeaveAt = 0.5;         // share of the tolerance beyond which a point gets a new course
constexpr double kLeaveInSpanAt = 0.95;  // the same in a span that several ranks share, in which a point may not get a new course
constexpr double kEdgesOfWindow = 0.5;   // number of mean edges that a point may move in a window
constexpr int kMostLayers = 1500;        // per pair: eta is then 16 % of the thickness, and the layers' step a 58 thousandth of the first one's
constexpr double kRounding = 1e-14;      // relative to positions
constexpr double kInfinite = EventQueue::kNever;
constexpr std::uint64_t kWalls = std::uint64_t{1} << 60, kPairs = std::uint64_t{1} << 61;  // keys of the first pairs with walls, and of the first others

void erase(std::vector<int>& list, int value) {
  const auto found = std::find(list.begin(), list.end(), value);
  if (found == list.end()) return;
  *found = list.back();
  list.pop_back();
}

}  // namespace

LayeredContact::LayeredContact(ContactSetup setup, MovingVertices& vertices, int vertex_count, EventQueue& queue, int first_event, Knowledge& knowledge)
    : setup_(std::move(setup)),
      points_(setup_, vertices, vertex_count),
      queue_(queue),
      knowledge_(knowledge),
      first_event_(first_event),
      search_(setup_, vertex_count + static_cast<int>(setup_.obstacle_points.size())),
      courses_(static_cast<std::size_t>(points_.count())),
      ranges_(courses_.size()),
      touches_(static_cast<std::size_t>(points_.count()), 0),
      far_of_(static_cast<std::size_t>(points_.count())),
      close_of_(far_of_),
      summaries_(setup_.laws.size()) {
  sums_.on_vertices.resize(static_cast<std::size_t>(vertex_count), Vec3::Zero());
  sums_.on_first_sides.resize(setup_.laws.size(), Vec3::Zero());
  double thickness = 0, thinnest = kInfinite, offset = 0, length = 0;
  for (const LayeredLaw& law : setup_.laws) {
    thickness = std::max(thickness, law.thickness);
    thinnest = std::min(thinnest, law.thickness);
  }
  points_.move_obstacles(0, 1);
  long edges = 0;
  const auto touch = [&](int point) { touches_[static_cast<std::size_t>(point)] = 1; };
  for (const ContactSetup::Surface& surface : setup_.surfaces) {
    offset = std::max(offset, surface.offset);
    for (const auto& [a, b] : surface.edges) {
      if (a == b) continue;
      length += (points_.position(a, vertices.state().time) - points_.position(b, vertices.state().time)).norm();
      ++edges;
    }
    for (const int vertex : surface.vertices) touch(vertex);
    for (const auto& edge : surface.edges) std::for_each(edge.begin(), edge.end(), touch);
    for (const auto& triangle : surface.triangles) std::for_each(triangle.begin(), triangle.end(), touch);
  }
  for (const ContactSetup::Wall& wall : setup_.walls) {
    offset = std::max(offset, wall.offset);
    std::for_each(wall.vertices.begin(), wall.vertices.end(), touch);
  }
  reach_ = thickness + 2 * offset;
  tolerance_ = kTolerance * thinnest;
  mean_edge_ = edges > 0 ? length / static_cast<double>(edges) : kInfinite;
}

// --- windows

void LayeredContact::begin_row(double start) {
  row_start_ = start;
  sums_.counts = {};
  sums_.lost_by_restitution = sums_.lost_by_friction = 0;
  for (auto* sums : {&sums_.on_vertices, &sums_.on_first_sides}) std::fill(sums->begin(), sums->end(), Vec3::Zero());
}

double LayeredContact::window_length() const {
  double fastest = 0;
  for (int point = 0; point < points_.count(); ++point)
    if (touches_[static_cast<std::size_t>(point)]) fastest = std::max(fastest, points_.velocity(point).norm());
  return fastest > 0 ? kEdgesOfWindow * mean_edge_ / fastest : kInfinite;
}

bool LayeredContact::has_moving_obstacles() const {
  return std::any_of(setup_.motions.begin(), setup_.motions.end(), [](const Motion& motion) { return !motion.empty(); });
}

void LayeredContact::find_candidates(double start, double end) {
  candidates_.clear();
  window_end_ = end;
  for (int point = 0; point < points_.count(); ++point)
    if (touches_[static_cast<std::size_t>(point)]) begin_course(point, start);
  const auto add = [&](const Pair& pair) {
    if (!immobile(pair)) candidates_.push_back(pair);
  };
  search_.start([&](int point) { return box_of(point); }, [&](const Candidate& candidate) { add(pair_of(candidate)); });
  for (std::size_t w = 0; w < setup_.walls.size(); ++w)
    for (const int vertex : setup_.walls[w].vertices) add(pair_of(static_cast<int>(w), vertex));
}

void LayeredContact::begin_window(double start, double end) {
  for (std::size_t p = 0; p < pairs_.size(); ++p) queue_.remove(event_of(static_cast<int>(p)));
  pairs_.clear();
  for (auto* lists : {&far_of_, &close_of_})
    for (auto& list : *lists) list.clear();
  outside_.clear();
  start_of_span_ = start;
  window_end_ = end;
  for (int point = 0; point < points_.count(); ++point) ranges_[static_cast<std::size_t>(point)].center = points_.velocity(point);
  for (Pair& pair : candidates_) add_pair(std::move(pair), start);
  candidates_.clear();
}

BoundingBox LayeredContact::box_of(int point) const {
  const Course& course = courses_[static_cast<std::size_t>(point)];
  BoundingBox box;
  box.include(course.place);
  box.include(course.at(window_end_));
  box.grow(tolerance(point) + reach_ / 2 + kRounding * box.upper.cwiseAbs().cwiseMax(box.lower.cwiseAbs()).maxCoeff());
  return box;
}

bool LayeredContact::immobile(const Pair& pair) const {
  for (int a = 0; a < pair.size(); ++a)
    if (points_.inverse_mass(pair.points[a]) > 0) return false;
  return true;
}

double LayeredContact::effective_mass(const Pair& pair) const {
  std::array<double, 2> most{};
  for (int a = 0; a < pair.size(); ++a) {
    double& side = most[a < first_side_of(pair.kind) ? 0 : 1];
    side = std::max(side, points_.inverse_mass(pair.points[a]));
  }
  return 1 / (most[0] + most[1]);
}

LayeredContact::Pair LayeredContact::pair_of(const Candidate& candidate) const {
  const ContactSetup::Surface &first = setup_.surfaces[static_cast<std::size_t>(candidate.first_surface)],
                              &second = setup_.surfaces[static_cast<std::size_t>(candidate.second_surface)];
  Pair pair;
  pair.kind = candidate.kind;
  pair.points = candidate.points;
  pair.law = setup_.law_of(candidate.first_surface, candidate.second_surface);
  pair.offset = first.offset + second.offset;
  pair.side = setup_.side_of(candidate.first_surface, candidate.second_surface);
  pair.key = kPairs + candidate.key;
  pair.mass = effective_mass(pair);
  return pair;
}

LayeredContact::Pair LayeredContact::pair_of(int wall, int vertex) const {
  const ContactSetup::Wall& own = setup_.walls[static_cast<std::size_t>(wall)];
  Pair pair;
  pair.kind = PairKind::vertex_wall;
  pair.points = {vertex, -1, -1, -1};
  pair.law = own.law;
  pair.wall = wall;
  pair.offset = own.offset;
  pair.side = own.side;
  pair.key = kWalls + (static_cast<std::uint64_t>(wall) << 32) + static_cast<std::uint64_t>(vertex);
  pair.mass = effective_mass(pair);
  return pair;
}

void LayeredContact::add_pair(Pair pair, double time) {
  if (immobile(pair) || !is_in_share(pair)) return;
  const int number = static_cast<int>(pairs_.size());
  for (int a = 0; a < pair.size(); ++a) {
    const int point = pair.points[a];
    auto& far = far_of_[static_cast<std::size_t>(point)];
    if (points_.is_vertex(point) && !knowledge_.in_share(point) && far.empty() && close_of_[static_cast<std::size_t>(point)].empty()) outside_.push_back(point);
    far.push_back(number);
  }
  queue_.set_key(event_of(number), pair.key);
  pairs_.push_back(std::move(pair));
  certify_far(number, time);
}

// --- courses of points

void LayeredContact::begin_course(int point, double time) {
  courses_[static_cast<std::size_t>(point)] = {points_.position(point, time), points_.velocity(point), time};
  queue_.remove(first_event_ + point);  // it leaves its course only when its velocity changes
}

void LayeredContact::schedule_course(int point, double time, bool only_earlier) {
  if (!points_.is_vertex(point) || !knowledge_.owns(point)) return;
  const Course& course = courses_[static_cast<std::size_t>(point)];
  const double away = (points_.position(point, time) - course.at(time)).norm(), rate = (points_.velocity(point) - course.velocity).norm();
  const double leaves = rate > 0 ? time + std::max(0.0, tolerance_ - away) / rate : kInfinite;
  const int event = first_event_ + point;
  if (leaves > window_end_) {
    if (!only_earlier) queue_.remove(event);
    return;
  }
  if (!only_earlier || leaves < queue_.time_of(event)) queue_.set(event, leaves);
}

void LayeredContact::leave_course(int point, double time) {
  const Course& course = courses_[static_cast<std::size_t>(point)];
  const double away = (points_.position(point, time) - course.at(time)).norm();
  if (velocities_at_start_) {  // other ranks rely on this course until the span ends
    if (away < kLeaveInSpanAt * tolerance_) return schedule_course(point, time, false);
    queue_.remove(first_event_ + point);
    return knowledge_.fail(time);
  }
  ++sums_.counts.courses;
  if (away < kLeaveAt * tolerance_) return schedule_course(point, time, false);
  change_course(point, time);
}

void LayeredContact::change_course(int point, double time) {
  begin_course(point, time);
  search_.change_point(
      point, [&](int at) { return box_of(at); }, [&](const Candidate& candidate) { add_pair(pair_of(candidate), time); });
  const std::vector<int> far = far_of_[static_cast<std::size_t>(point)];  // a copy, because some pairs may become close
  for (const int number : far)
    if (!pairs_[static_cast<std::size_t>(number)].close) certify_far(number, time);
}

// --- certificates

PairVectors LayeredContact::positions(const Pair& pair, double time) const {
  PairVectors x;
  for (int a = 0; a < pair.size(); ++a) x[a] = points_.position(pair.points[a], time);
  return x;
}

PairVectors LayeredContact::velocities(const Pair& pair) const {
  PairVectors v;
  for (int a = 0; a < pair.size(); ++a) v[a] = points_.velocity(pair.points[a]);
  return v;
}

LayeredContact::Approach LayeredContact::approach(const Pair& pair, const PairVectors& x) const {
  if (pair.kind == PairKind::vertex_wall) {
    const GapSample<double> sample = gap_at(setup_.walls[static_cast<std::size_t>(pair.wall)].gap, x[0]);
    return {sample.gap, sample.normal, {1, 0, 0, 0}};
  }
  const ClosestPair closest = closest_pair(pair.kind, x);
  return {closest.distance, closest.normal, closest.weights};
}

// The time until which both sides are certainly farther apart than `distance`, if velocities differ from v by no more than `spread`.
double LayeredContact::certified_time(const Pair& pair, const PairVectors& x, const PairVectors& v, const std::array<double, 4>& spread, double distance,
                                      double time) const {
  if (pair.kind == PairKind::vertex_wall) return time + time_above_gap(setup_.walls[static_cast<std::size_t>(pair.wall)].gap, x[0], v[0], distance, spread[0]);
  return time + time_within_slab(pair.kind, x, v, pair.normal, distance, spread);
}

// The same while velocities stay within their ranges.
double LayeredContact::certified_time(const Pair& pair, const PairVectors& x, double distance, double time) const {
  PairVectors v;
  std::array<double, 4> spread{};
  for (int a = 0; a < pair.size(); ++a) {
    const VelocityRange& range = ranges_[static_cast<std::size_t>(pair.points[a])];
    v[a] = range.center;
    spread[a] = range.radius;
  }
  return certified_time(pair, x, v, spread, distance, time);
}

void LayeredContact::certify_far(int number, double time) {
  Pair& pair = pairs_[static_cast<std::size_t>(number)];
  PairVectors x, v;
  double slack = 0, other = 0;
  for (int a = 0; a < pair.size(); ++a) {
    const Course& course = courses_[static_cast<std::size_t>(pair.points[a])];
    x[a] = course.at(time);
    v[a] = course.velocity;
    double& side = a < first_side_of(pair.kind) ? slack : other;
    side = std::max(side, tolerance(pair.points[a]));
  }
  const double distance = law(pair).thickness + pair.offset + slack + other;
  pair.normal = approach(pair, x).normal;
  pair.certified = certified_time(pair, x, v, {}, distance, time);
  if (pair.certified > window_end_) return queue_.remove(event_of(number));
  if (pair.certified - time < step(pair, 1)) return make_close(number, time);
  queue_.set(event_of(number), pair.certified);
}

void LayeredContact::make_close(int number, double time) {
  Pair& pair = pairs_[static_cast<std::size_t>(number)];
  pair.close = true;
  for (int a = 0; a < pair.size(); ++a) {
    erase(far_of_[static_cast<std::size_t>(pair.points[a])], number);
    close_of_[static_cast<std::size_t>(pair.points[a])].push_back(number);
  }
  if (is_in_doubt(pair, time)) return doubt(number, time);
  renew(number, time);
  schedule(number);
}

void LayeredContact::make_far(int number, double time) {
  Pair& pair = pairs_[static_cast<std::size_t>(number)];
  pair.close = false;
  if (velocities_at_start_) made_far_.push_back(number);
  for (int a = 0; a < pair.size(); ++a) {
    erase(close_of_[static_cast<std::size_t>(pair.points[a])], number);
    far_of_[static_cast<std::size_t>(pair.points[a])].push_back(number);
  }
  certify_far(number, time);
}

// Certifies a close pair anew with its present slab, for new ranges of velocities.
void LayeredContact::certify_close(int number, double time) {
  Pair& pair = pairs_[static_cast<std::size_t>(number)];
  if (is_in_doubt(pair, time)) return doubt(number, time);
  pair.certified = certified_time(pair, positions(pair, time), law(pair).eta(pair.layers() + 1) + pair.offset, time);
  schedule(number);
}

// Measures a new slab. Layers that would be needed before they act for the first time become active.
void LayeredContact::renew(int number, double time) {
  Pair& pair = pairs_[static_cast<std::size_t>(number)];
  const PairVectors x = positions(pair, time);
  const Approach now = approach(pair, x);
  if (!(now.distance > pair.offset))
    throw SolverError(
        fmt::format("at t = {:.9g} s contact '{}' cannot keep {} and {} apart: prescribed motions drive them into each other; change one of these motions",
                    time, law(pair).name, name_of_point(pair.points[0], time), name_of_other(pair, time)));
  pair.normal = now.normal;
  for (;;) {
    const int next = pair.layers() + 1;
    pair.certified = certified_time(pair, x, law(pair).eta(next) + pair.offset, time);
    if (pair.certified - time >= step(pair, next)) return;
    if (next > kMostLayers)
      throw SolverError(
          fmt::format("at t = {:.9g} s contact '{}' presses with more than {} layers near {}: give it a greater stiffness or thickness, or look for prescribed "
                      "motions that drive things into each other",
                      time, law(pair).name, kMostLayers, name_of_point(pair.points[0], time)));
    Clock added{step(pair, next)};
    added.start_after(time);
    pair.ticks.push_back(added.tick);
  }
}

void LayeredContact::schedule(int number) {
  const Pair& pair = pairs_[static_cast<std::size_t>(number)];
  double time = pair.certified;
  for (int layer = 1; layer <= pair.layers(); ++layer) time = std::min(time, clock(pair, layer).time());
  queue_.set(event_of(number), time > window_end_ ? kInfinite : time);
}

}  // namespace traction
