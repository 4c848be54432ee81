#include "contact/feature_search.h"

#include <algorithm>
#include <utility>

#include "contact/broad_phase.h"
#include "contact/features.h"
#include "parallel/collective.h"
#include "parallel/log_event.h"

namespace traction {

namespace {

constexpr double kMargin = 0.5;     // least margin in multiples of the reach; a larger margin makes searches rarer and each of them costlier
constexpr double kForesight = 2.5;  // multiple of the last displacement that is the margin of the next search
constexpr double kMostMargin = 16;  // largest margin in multiples of the reach
constexpr double kMostEdges = 0.5;  // the same in multiples of a mean edge, if that is less: pairs grow with the square of the margin over the edge

double largest_offset(const std::vector<ContactSurface>& surfaces) {
  double largest = 0;
  for (const ContactSurface& surface : surfaces)
    if (!surface.is_obstacle) largest = std::max(largest, surface.offset);
  return largest;
}

}  // namespace

struct FeatureSearch::Paths {
  const Field &start, &end;
  std::vector<Vec3> obstacle_start, obstacle_end;
};

PetscInt NearbyFeatures::global_of(int point) const {
  if (point < owned_) return first_owned_ + point;
  const std::size_t copy = static_cast<std::size_t>(point - owned_);
  return copy < vertices_.size() ? vertices_[copy] : -1;
}

Field NearbyFeatures::copies_of(const Field& field) const {
  Field result(copies());
  scatter_->forward(field.values(), result.values().first(3 * static_cast<std::size_t>(scatter_->count())));
  return result;
}

void NearbyFeatures::add_back(const Field& copies, Field& field) const {
  scatter_->add_back(copies.values().first(3 * static_cast<std::size_t>(scatter_->count())), field.values());
}

FeatureSearch::FeatureSearch(std::shared_ptr<const Halo> halo, std::vector<ContactSurface> surfaces, SurfacePairs pairs, RestShape rest, Driven driven,
                             double thickness)
    : halo_(std::move(halo)),
      surfaces_(std::move(surfaces)),
      pairs_(std::move(pairs)),
      rest_(std::move(rest)),
      driven_(std::move(driven)),
      thickness_(thickness),
      reach_(thickness + 2 * largest_offset(surfaces_)) {
  for (Field* field : {&rest_.normals, &rest_.rims})
    if (field->values().empty()) *field = Field(static_cast<int>(rest_.positions.values().size() / 3));
  for (const ContactSurface& surface : surfaces_) {
    first_point_.push_back(obstacle_points_);
    obstacle_points_ += static_cast<int>(surface.points.size());
    if (surface.is_obstacle) continue;
    for (const SurfaceVertex& vertex : surface.vertices) watched_.push_back(vertex.vertex);
    for (const SurfaceEdge& edge : surface.edges) watched_.insert(watched_.end(), edge.ends.begin(), edge.ends.end());
    for (const auto& triangle : surface.triangles) watched_.insert(watched_.end(), triangle.begin(), triangle.end());
  }
  std::array<double, 2> edges{};  // length and number
  for (const ContactSurface& surface : surfaces_)
    if (!surface.is_obstacle)
      for (const SurfaceEdge& edge : surface.edges) {
        edges[0] += edge.length;
        edges[1] += 1;
      }
  sum_over_ranks(halo_->communicator(), edges);
  if (edges[1] > 0) mean_edge_ = edges[0] / edges[1];
  std::sort(watched_.begin(), watched_.end());
  watched_.erase(std::unique(watched_.begin(), watched_.end()), watched_.end());
}

std::vector<Vec3> FeatureSearch::obstacle_positions(double time) const {
  std::vector<Vec3> positions;
  for (const ContactSurface& surface : surfaces_) {
    if (!surface.is_obstacle) continue;
    const Pose pose(surface.motion, time);
    for (const Vec3& x : surface.points) positions.push_back(pose.to_world(x));
  }
  return positions;
}

std::vector<Vec3> FeatureSearch::obstacle_velocities(const State& state) const {
  std::vector<Vec3> velocities;
  for (const ContactSurface& surface : surfaces_) {
    if (!surface.is_obstacle) continue;
    const Pose pose(surface.motion, state);
    for (const Vec3& x : surface.points) velocities.push_back(pose.velocity_at<double>(pose.to_world(x)));
  }
  return velocities;
}

// The largest displacement of anything that touches. Collective.
double FeatureSearch::moved(const Field& from, const std::vector<Vec3>& obstacles, const State& to) const {
  double largest = 0;
  for (int vertex : watched_) largest = std::max(largest, (to.q[vertex] - from[vertex]).norm());  // NaN is ignored
  const std::vector<Vec3> now = obstacle_positions(to.time);
  for (std::size_t i = 0; i < now.size(); ++i) largest = std::max(largest, (now[i] - obstacles[i]).norm());
  return maximum_over_ranks(halo_->communicator(), largest);
}

// Two points that move towards each other come closer by twice the displacement of one. Collective.
bool FeatureSearch::suffices(const std::optional<Found>& found, const State& state) const {
  return found && 2 * moved(found->at, found->obstacles, state) <= found->margin;
}

FeatureSearch::Found FeatureSearch::search_around(const State& state, double margin) const {
  std::vector<Vec3> obstacles = obstacle_positions(state.time);
  auto nearby = search({state.q, state.q, obstacles, obstacles}, (reach_ + margin) / 2);
  return {std::move(nearby), state.q, std::move(obstacles), margin};
}

// The margin of a search that follows a displacement since the one before.
double FeatureSearch::margin_after(double distance) const {
  return std::clamp(kForesight * distance, kMargin * reach_, std::max(kMargin * reach_, std::min(kMostMargin * reach_, kMostEdges * mean_edge_)));
}

void FeatureSearch::update(const State& state) {
  static const LogEvent event("ContactSearch");
  const LogEvent::Scope timed(event);
  if (suffices(last_, state)) return;
  if (suffices(ahead_, state)) {
    last_ = std::exchange(ahead_, {});
  } else {
    ahead_.reset();
    last_ = search_around(state, last_ ? margin_after(moved(last_->at, last_->obstacles, state)) : kMargin * reach_);
    ++searches_;
  }
  nearby_ = last_->nearby;
}

bool FeatureSearch::is_moved_from_outside(const State& start, const State& end) const {
  bool moves = obstacle_points_ > 0 && obstacle_positions(start.time) != obstacle_positions(end.time);
  for (int vertex : watched_) moves = moves || (driven_.ever[vertex] && start.q[vertex] != end.q[vertex]);
  return maximum_over_ranks(halo_->communicator(), moves) > 0;
}

std::shared_ptr<const NearbyFeatures> FeatureSearch::along(const State& start, const State& end) {
  for (const std::optional<Found>* found : {&last_, &ahead_})
    if (suffices(*found, start) && suffices(*found, end)) return (*found)->nearby;
  if (last_) {
    const double margin = margin_after(moved(last_->at, last_->obstacles, start));
    if (2 * moved(start.q, obstacle_positions(start.time), end) <= margin) {
      ahead_ = search_around(start, margin);
      ++searches_;
      return ahead_->nearby;
    }
  }
  return search({start.q, end.q, obstacle_positions(start.time), obstacle_positions(end.time)}, reach_ / 2);
}

FeatureSearch::Primitive FeatureSearch::primitive(int surface, std::span<const int> points, const Paths& paths, double inflation) const {
  Primitive result{surface, Primitive::vertex, false, {-1, -1, -1}, 0, 1, 0, 1, false, 0, {}, {}};
  const bool is_obstacle = surfaces_[surface].is_obstacle;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const int point = is_obstacle ? first_point_[surface] + points[i] : points[i];
    result.is_free = result.is_free || (!is_obstacle && !driven_.for_good[point]);
    result.points[i] = is_obstacle ? halo_->global_count() + point : halo_->to_global(point);
    result.box.include(is_obstacle ? paths.obstacle_start[point] : Vec3(paths.start[point]));
    result.box.include(is_obstacle ? paths.obstacle_end[point] : Vec3(paths.end[point]));
  }
  if (!is_obstacle && !rest_.pieces.empty()) result.piece = rest_.pieces[points[0]];
  result.box.grow(inflation + (is_obstacle ? surfaces_[surface].offset : 0));
  return result;
}

std::vector<FeatureSearch::Primitive> FeatureSearch::own_primitives(const Paths& paths, double inflation) const {
  std::vector<Primitive> result;
  std::size_t count = 0;
  for (const ContactSurface& surface : surfaces_) count += surface.vertices.size() + surface.places.size() + surface.edges.size() + surface.triangles.size();
  result.reserve(count);  // growing would copy what may be a tenth of a gigabyte
  for (int s = 0; s < pairs_.surfaces(); ++s) {
    const ContactSurface& surface = surfaces_[s];
    const auto add = [&](Primitive::Kind kind, std::span<const int> points) -> Primitive& {
      Primitive& added = result.emplace_back(primitive(s, points, paths, inflation));
      added.kind = kind;
      return added;
    };
    for (const SurfaceVertex& vertex : surface.vertices) {
      Primitive& added = add(Primitive::vertex, {&vertex.vertex, 1});
      added.weight = vertex.weight;
      added.area = vertex.area;
      added.sharpness = vertex.sharpness;
      added.number = static_cast<int>(&vertex - surface.vertices.data());
    }
    for (const SurfacePlace& place : surface.places) {
      Primitive& added = add(Primitive::place, {place.points.data(), static_cast<std::size_t>(place.place.corners)});
      added.weight = place.weight;
      added.area = place.area;
      added.number = static_cast<int>(&place - surface.places.data());
      added.box = {};
      for (const Field* q : {&paths.start, &paths.end}) added.box.include(position_of(place.place, place.points, [q](int point) { return Vec3((*q)[point]); }));
      added.box.grow(inflation);
    }
    for (const SurfaceEdge& edge : surface.edges) {
      Primitive& added = add(Primitive::edge, edge.ends);
      added.weight = edge.weight;
      added.area = edge.area;
      added.sharpness = edge.sharpness;
      added.is_lone = edge.is_lone;
      if (!surface.is_obstacle)
        for (std::size_t i = 0; i < std::min(edge.turns.size(), added.turns.size()); ++i) {
          const auto& [points, weight] = edge.turns[i];
          std::transform(points.begin(), points.end(), added.turns[i].points.begin(), [&](int point) { return halo_->to_global(point); });
          added.turns[i].weight = weight;
        }
      const auto turns = added.turns;
      if (edge.is_lone) add(Primitive::triangle, edge.ends).turns = turns;
    }
    for (std::size_t t = 0; t < surface.triangles.size(); ++t)
      if (Primitive& added = add(Primitive::triangle, surface.triangles[t]); !surface.borders.empty()) added.border = surface.borders[t];
  }
  return result;
}

std::shared_ptr<const NearbyFeatures> FeatureSearch::search(const Paths& paths, double inflation) const {
  auto found = everything_near(paths, inflation);
  drop_neighbours(*found);
  return found;
}

std::shared_ptr<NearbyFeatures> FeatureSearch::everything_near(const Paths& paths, double inflation) const { return BroadPhase(*this, paths, inflation).run(); }

std::shared_ptr<NearbyFeatures> FeatureSearch::near_at_rest() const {
  const std::vector<Vec3> obstacles = obstacle_positions(0);
  return everything_near({rest_.positions, rest_.positions, obstacles, obstacles}, kAtRest * reach_ / 2);
}

}  // namespace traction
