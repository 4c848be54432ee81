#include "asynchronous/layered_contact.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "errors.h"

namespace traction {

namespace {

constexpr double kTolerance = 0.5;    // a course's, relative to the thinnest contact
constexpr double kLeaveAt = 0.5;      // share of the tolerance beyond which a point gets a new course
constexpr double kFarAgain = 2;       // multiple of the distance at which a pair became close
constexpr double kEdgesOfWindow = 2;  // mean edges that a point may move in a window
constexpr int kMostWindows = 10000;   // per row
constexpr int kMostLayers = 1500;     // per pair: eta is then 16 % of the thickness, and the layers' step a 58 thousandth of the first one's
constexpr double kRounding = 1e-14;   // relative to positions
constexpr double kCoplanar = 1e-10;   // relative to the lengths of edges
constexpr double kInfinite = EventQueue::kNever;

void erase(std::vector<int>& list, int value) {
  const auto found = std::find(list.begin(), list.end(), value);
  if (found == list.end()) return;
  *found = list.back();
  list.pop_back();
}

}  // namespace

LayeredContact::LayeredContact(ContactSetup setup, MovingVertices& vertices, int vertex_count, EventQueue& queue, int first_event)
    : setup_(std::move(setup)),
      points_(setup_, vertices, vertex_count),
      queue_(queue),
      first_event_(first_event),
      search_(setup_, vertex_count + static_cast<int>(setup_.obstacle_points.size())),
      courses_(static_cast<std::size_t>(points_.count())),
      touches_(static_cast<std::size_t>(points_.count()), 0),
      far_of_(static_cast<std::size_t>(points_.count())),
      close_of_(far_of_),
      impulses_on_vertices_(static_cast<std::size_t>(vertex_count), Vec3::Zero()),
      impulses_(setup_.laws.size(), Vec3::Zero()) {
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

void LayeredContact::begin_row(double start, double end) {
  points_.move_obstacles(start, end);
  row_start_ = start;
  counts_.layers = counts_.certificates = counts_.courses = 0;
  lost_by_restitution_ = lost_by_friction_ = 0;
  std::fill(impulses_.begin(), impulses_.end(), Vec3::Zero());
  std::fill(impulses_on_vertices_.begin(), impulses_on_vertices_.end(), Vec3::Zero());
}

int LayeredContact::windows_of_row(double start, double end) const {
  double fastest = 0;
  for (int point = 0; point < points_.count(); ++point)
    if (touches_[static_cast<std::size_t>(point)]) fastest = std::max(fastest, points_.velocity(point).norm());
  const double windows = std::ceil(fastest * (end - start) / (kEdgesOfWindow * mean_edge_));
  return static_cast<int>(std::clamp(windows, 1.0, static_cast<double>(kMostWindows)));
}

void LayeredContact::begin_window(double start, double end) {
  for (std::size_t p = 0; p < pairs_.size(); ++p) queue_.remove(event_of(static_cast<int>(p)));
  pairs_.clear();
  for (auto* lists : {&far_of_, &close_of_})
    for (auto& list : *lists) list.clear();
  window_end_ = end;
  counts_.close = 0;
  for (int point = 0; point < points_.count(); ++point)
    if (touches_[static_cast<std::size_t>(point)]) begin_course(point, start);
  search_.start([&](int point) { return box_of(point); }, [&](const Candidate& candidate) { add_pair(pair_of(candidate), start); });
  for (std::size_t w = 0; w < setup_.walls.size(); ++w)
    for (const int vertex : setup_.walls[w].vertices) add_pair(pair_of(static_cast<int>(w), vertex), start);
  counts_.pairs = static_cast<long>(pairs_.size());
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
  pair.mass = effective_mass(pair);
  return pair;
}

void LayeredContact::add_pair(Pair pair, double time) {
  if (immobile(pair)) return;
  const int number = static_cast<int>(pairs_.size());
  for (int a = 0; a < pair.size(); ++a) far_of_[static_cast<std::size_t>(pair.points[a])].push_back(number);
  pairs_.push_back(std::move(pair));
  certify_far(number, time);
}

// --- courses of points

void LayeredContact::begin_course(int point, double time) {
  courses_[static_cast<std::size_t>(point)] = {points_.position(point, time), points_.velocity(point), time};
  queue_.remove(first_event_ + point);  // it leaves its course only when its velocity changes
}

void LayeredContact::schedule_course(int point, double time, bool only_earlier) {
  if (!points_.is_vertex(point)) return;
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
  ++counts_.courses;
  const Course& course = courses_[static_cast<std::size_t>(point)];
  if ((points_.position(point, time) - course.at(time)).norm() < kLeaveAt * tolerance_) return schedule_course(point, time, false);
  begin_course(point, time);
  search_.change_point(
      point, [&](int at) { return box_of(at); }, [&](const Candidate& candidate) { add_pair(pair_of(candidate), time); });
  const std::vector<int> far = far_of_[static_cast<std::size_t>(point)];  // a copy: some may become close
  for (const int number : far)
    if (!pairs_[static_cast<std::size_t>(number)].close) certify_far(number, time);
}

// --- certificates

FourPoints LayeredContact::positions(const Pair& pair, double time) const {
  FourPoints x;
  for (int a = 0; a < pair.size(); ++a) x[a] = points_.position(pair.points[a], time);
  return x;
}

FourPoints LayeredContact::velocities(const Pair& pair) const {
  FourPoints v;
  for (int a = 0; a < pair.size(); ++a) v[a] = points_.velocity(pair.points[a]);
  return v;
}

LayeredContact::Approach LayeredContact::approach(const Pair& pair, const FourPoints& x) const {
  if (pair.kind == PairKind::vertex_wall) {
    const GapSample<double> sample = gap_at(setup_.walls[static_cast<std::size_t>(pair.wall)].gap, x[0]);
    return {sample.gap, sample.normal, {1, 0, 0, 0}};
  }
  const ClosestPair closest = closest_pair(pair.kind, x);
  return {closest.distance, closest.normal, closest.weights};
}

// Until when both sides are certified to be this distance apart.
double LayeredContact::certified_time(const Pair& pair, const FourPoints& x, const FourPoints& v, double distance, double time) const {
  if (pair.kind == PairKind::vertex_wall) return time + time_above_gap(setup_.walls[static_cast<std::size_t>(pair.wall)].gap, x[0], v[0], distance);
  return time + time_within_slab(pair.kind, x, v, pair.normal, distance);
}

void LayeredContact::certify_far(int number, double time) {
  Pair& pair = pairs_[static_cast<std::size_t>(number)];
  FourPoints x, v;
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
  pair.certified = certified_time(pair, x, v, distance, time);
  if (pair.certified > window_end_) return queue_.remove(event_of(number));
  if (pair.certified - time < step(pair, 1)) return make_close(number, time);
  queue_.set(event_of(number), pair.certified);
}

void LayeredContact::make_close(int number, double time) {
  Pair& pair = pairs_[static_cast<std::size_t>(number)];
  pair.close = true;
  ++counts_.close;
  for (int a = 0; a < pair.size(); ++a) {
    erase(far_of_[static_cast<std::size_t>(pair.points[a])], number);
    close_of_[static_cast<std::size_t>(pair.points[a])].push_back(number);
  }
  renew(number, time);
  schedule(number);
}

void LayeredContact::make_far(int number, double time) {
  Pair& pair = pairs_[static_cast<std::size_t>(number)];
  pair.close = false;
  for (int a = 0; a < pair.size(); ++a) {
    erase(close_of_[static_cast<std::size_t>(pair.points[a])], number);
    far_of_[static_cast<std::size_t>(pair.points[a])].push_back(number);
  }
  certify_far(number, time);
}

// The slab as it is, for new velocities.
void LayeredContact::certify_close(int number, double time) {
  Pair& pair = pairs_[static_cast<std::size_t>(number)];
  pair.certified = certified_time(pair, positions(pair, time), velocities(pair), law(pair).eta(pair.layers() + 1) + pair.offset, time);
  schedule(number);
}

// A new slab; layers that will be needed before they act for the first time become active.
void LayeredContact::renew(int number, double time) {
  Pair& pair = pairs_[static_cast<std::size_t>(number)];
  const FourPoints x = positions(pair, time), v = velocities(pair);
  const Approach now = approach(pair, x);
  if (!(now.distance > pair.offset))
    throw SolverError(fmt::format("at t = {:.9g} s contact '{}' lets {} and {} meet: prescribed motions drive them into each other", time, law(pair).name,
                                  name_of_point(pair.points[0], time), name_of_other(pair, time)));
  pair.normal = now.normal;
  for (;;) {
    const int next = pair.layers() + 1;
    pair.certified = certified_time(pair, x, v, law(pair).eta(next) + pair.offset, time);
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

// --- events

void LayeredContact::take_event(int event, double time) {
  const int point = event - first_event_;
  if (point < points_.count()) return leave_course(point, time);
  const int number = point - points_.count();
  Pair& pair = pairs_[static_cast<std::size_t>(number)];
  if (!pair.close) {
    ++counts_.certificates;
    return certify_far(number, time);
  }
  if (pair.certified <= time) {
    ++counts_.certificates;
    const double far = law(pair).thickness + pair.offset + 2 * tolerance_;
    if (pair.ticks.empty() && approach(pair, positions(pair, time)).distance > kFarAgain * far) return make_far(number, time);
    renew(number, time);
    return schedule(number);
  }
  for (int layer = 1; layer <= pair.layers(); ++layer)
    if (clock(pair, layer).time() <= time) return act(number, layer, time);
}

void LayeredContact::act(int number, int layer, double time) {
  ++counts_.layers;
  Pair* pair = &pairs_[static_cast<std::size_t>(number)];
  ++pair->ticks[static_cast<std::size_t>(layer - 1)];
  const LayeredLaw& law = this->law(*pair);
  for (int a = 0; a < pair->size(); ++a) points_.drift(pair->points[a], time);
  const FourPoints x = positions(*pair, time), v = velocities(*pair);
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
        fmt::format("at t = {:.9g} s contact '{}' presses {} and {} against each other, and both are held across it: prescribed motions drive them", time,
                    law.name, name_of_point(pair->points[0], time), name_of_other(*pair, time)));
  if (compression > 0) {
    const double whole = step(*pair, layer) * law.r(layer) * compression;
    const double impulse = speed > 0 ? law.restitution * law.restitution * whole : whole;
    lost_by_restitution_ += (whole - impulse) * (speed + impulse * inverse_mass / 2);  // along the way that the two sides really go
    Vec3 total = impulse * now.normal;
    if (law.friction > 0) {
      const Vec3 sliding = relative - speed * now.normal;
      const double size = sliding.norm();
      double across = 0;  // inverse mass against an impulse along the sliding
      for (int a = 0; a < pair->size() && size > 0; ++a)
        if (now.weights[a] != 0) across += now.weights[a] * now.weights[a] * points_.inverse_mass(pair->points[a], sliding / size);
      if (across > 0) {
        const double friction = std::min(law.friction * impulse, size / across);  // P4 Sec. 7.2, but no more than stops the sliding
        total -= friction / size * sliding;
        lost_by_friction_ += friction * size - friction * friction * across / 2;
      }
    }
    std::array<int, 4> kicked;
    std::size_t count = 0;
    for (int a = 0; a < pair->size(); ++a) {
      if (now.weights[a] == 0) continue;
      points_.kick(pair->points[a], now.weights[a] * total);
      if (!points_.is_vertex(pair->points[a])) continue;
      impulses_on_vertices_[static_cast<std::size_t>(pair->points[a])] += now.weights[a] * total;
      kicked[count++] = pair->points[a];
    }
    impulses_[static_cast<std::size_t>(pair->law)] += pair->side * total;
    after_kicks(std::span(kicked).first(count), time);
    return schedule(number);
  }
  // The outermost active layer is let go when it would not act again soon.
  if (speed >= 0 && layer == pair->layers()) {
    const long tick = pair->ticks.back();
    pair->ticks.pop_back();
    pair->normal = now.normal;
    pair->certified = certified_time(*pair, x, v, law.eta(layer) + pair->offset, time);
    if (pair->certified - time < step(*pair, layer)) {
      pair->ticks.push_back(tick);
      pair->certified = certified_time(*pair, x, v, law.eta(layer + 1) + pair->offset, time);
    }
  }
  schedule(number);
}

void LayeredContact::after_kicks(std::span<const int> vertices, double time) {
  changed_.clear();
  for (const int vertex : vertices) {
    if (!touches_[static_cast<std::size_t>(vertex)]) continue;
    schedule_course(vertex, time, true);
    const auto& close = close_of_[static_cast<std::size_t>(vertex)];
    changed_.insert(changed_.end(), close.begin(), close.end());
  }
  std::sort(changed_.begin(), changed_.end());
  changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
  for (const int number : changed_) certify_close(number, time);
}

// --- what users see

std::vector<LayeredContact::Summary> LayeredContact::summaries(double time) const {
  std::vector<Summary> result(setup_.laws.size());
  for (const Pair& pair : pairs_) {
    if (!pair.close) continue;
    Summary& summary = result[static_cast<std::size_t>(pair.law)];
    const double gap = approach(pair, positions(pair, time)).distance - pair.offset;
    summary.least_gap = std::min(summary.least_gap, gap);
    if (!(gap < law(pair).thickness)) continue;
    ++summary.pairs;
    summary.energy += law(pair).energy(gap);
    summary.layers = std::max(summary.layers, law(pair).layers(gap));
  }
  for (std::size_t l = 0; l < result.size(); ++l)
    if (time > row_start_) result[l].force = impulses_[l] / (time - row_start_);
  return result;
}

std::string LayeredContact::name_of_point(int point, double time) const {
  std::string name = "?";
  for (const ContactSetup::Surface& surface : setup_.surfaces)
    if (std::find(surface.vertices.begin(), surface.vertices.end(), point) != surface.vertices.end()) name = surface.name;
  for (const ContactSetup::Wall& wall : setup_.walls)
    if (name == "?" && std::find(wall.vertices.begin(), wall.vertices.end(), point) != wall.vertices.end()) name = wall.body;
  const Vec3 x = points_.position(point, time);
  return fmt::format("'{}' at ({:.4g}, {:.4g}, {:.4g})", name, x.x(), x.y(), x.z());
}

std::string LayeredContact::name_of_other(const Pair& pair, double time) const {
  return pair.wall < 0 ? name_of_point(pair.points[3], time) : fmt::format("'{}'", setup_.walls[static_cast<std::size_t>(pair.wall)].name);
}

std::optional<LayeredContact::Fault> LayeredContact::fault_at_start(double time) {
  window_end_ = time;
  for (int point = 0; point < points_.count(); ++point)
    if (touches_[static_cast<std::size_t>(point)]) begin_course(point, time);
  std::optional<Fault> fault;
  const auto examine = [&](const Pair& pair) {
    const double gap = approach(pair, positions(pair, time)).distance - pair.offset;
    if (gap > law(pair).thickness || fault) return;
    fault = {fmt::format("{} and {} are {:.4g} m apart, no more than the thickness of {:.4g} m of contact '{}'", name_of_point(pair.points[0], time),
                         name_of_other(pair, time), gap, law(pair).thickness, law(pair).name),
             "move them apart, or make the contact thinner", pair.law};
  };
  search_.start([&](int point) { return box_of(point); },
                [&](const Candidate& candidate) {
                  const Pair pair = pair_of(candidate);
                  if (!immobile(pair)) examine(pair);
                });
  for (std::size_t w = 0; w < setup_.walls.size(); ++w)
    for (const int vertex : setup_.walls[w].vertices)
      if (const Pair pair = pair_of(static_cast<int>(w), vertex); !immobile(pair)) examine(pair);
  search_.for_each_edge_and_triangle([&](const std::array<int, 2>& edge, const std::array<int, 3>& triangle) {
    const Vec3 a = points_.position(edge[0], time), d = points_.position(edge[1], time) - a, p = points_.position(triangle[0], time);
    const Vec3 e = points_.position(triangle[1], time) - p, f = points_.position(triangle[2], time) - p, h = d.cross(f);
    const double determinant = e.dot(h);
    if (std::abs(determinant) <= kCoplanar * d.norm() * e.norm() * f.norm()) return;
    const Vec3 r = a - p, q = r.cross(e);
    const double u = r.dot(h) / determinant, v = d.dot(q) / determinant, t = f.dot(q) / determinant;
    if (u < 0 || v < 0 || u + v > 1 || t < 0 || t > 1) return;
    fault = {fmt::format("{} and {} pass through each other", name_of_point(edge[0], time), name_of_point(triangle[0], time)), "move them apart", 0};
  });
  return fault;
}

}  // namespace traction
