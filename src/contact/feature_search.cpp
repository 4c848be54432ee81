#include "contact/feature_search.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "contact/features.h"
#include "math/box_tree.h"
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

struct FeatureSearch::Primitive {
  struct Turn {  // see TurnAt
    std::array<PetscInt, 3> points{-1, -1, -1};
    double weight = 0;
  };
  enum Kind : std::uint8_t { vertex, place, edge, triangle };  // a triangle without a third point is a lone edge that vertices touch
  int surface;
  Kind kind;
  bool is_free;                    // neither driven nor part of an obstacle
  std::array<PetscInt, 3> points;  // global numbers; those of obstacles come after all vertices, -1: none
  int number;                      // index of a vertex or place in its surface's list
  double weight, area, sharpness;
  bool is_lone;
  PetscInt piece;
  std::array<Turn, 2> turns;  // by which an edge turns
  BoundingBox box;
  TriangleBorder border{};

  std::pair<PetscInt, PetscInt> ends() const { return std::minmax(points[0], points[1]); }
};

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

// Every vertex is searched on the rank that owns it, each vertex of an obstacle on one of the ranks in turn, every edge on the rank that has it in its surface.
// A pair of edges that two ranks find belongs to the edge with the lower numbers.
std::shared_ptr<NearbyFeatures> FeatureSearch::everything_near(const Paths& paths, double inflation) const {
  const MPI_Comm communicator = halo_->communicator();
  int rank = 0, ranks = 1;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &ranks);
  std::vector<Primitive> bodies, obstacles;
  BoundingBox mine;
  {
    const WorkClock::Shift shift(work_);
    const std::vector<Primitive> all = own_primitives(paths, inflation);
    bodies.reserve(all.size());
    for (const Primitive& own : all) {
      if (surfaces_[own.surface].is_obstacle) {
        obstacles.push_back(own);
        continue;
      }
      bodies.push_back(own);
      if (own.kind != Primitive::triangle) {
        mine.include(own.box.lower);
        mine.include(own.box.upper);
      }
    }
  }
  std::vector<Primitive> obstacle_vertices;
  std::vector<BoundingBox> boxes;
  for (const Primitive& obstacle : obstacles)
    if (obstacle.kind == Primitive::vertex) {
      obstacle_vertices.push_back(obstacle);
      boxes.push_back(obstacle.box);
    }
  const BoxTree vertex_tree(boxes);
  const auto searcher_of = [&](const Primitive& vertex) { return static_cast<int>(vertex.points[0] % ranks); };

  std::vector<Primitive> triangles, edges;  // candidates that may be near
  triangles.reserve(
      static_cast<std::size_t>(std::count_if(bodies.begin(), bodies.end(), [](const Primitive& own) { return own.kind == Primitive::triangle; })));
  edges.reserve(static_cast<std::size_t>(std::count_if(bodies.begin(), bodies.end(), [](const Primitive& own) { return own.kind == Primitive::edge; })));
  const auto sort_in = [&](const Primitive& found) {
    if (found.kind == Primitive::triangle) triangles.push_back(found);
    else if (found.kind == Primitive::edge) edges.push_back(found);
  };
  // Edges and triangles go to the ranks that search near them.
  const std::vector<BoundingBox> ranges = gather_boxes(communicator, mine);
  std::vector<std::vector<char>> outgoing(ranks);
  for (const Primitive& own : bodies) {
    if (own.kind == Primitive::vertex || own.kind == Primitive::place) continue;
    std::set<int> receivers;
    for (int other = 0; other < ranks; ++other)
      if (own.box.intersects(ranges[other])) receivers.insert(other);
    if (own.kind == Primitive::triangle) vertex_tree.for_each_overlap(own.box, [&](int vertex) { receivers.insert(searcher_of(obstacle_vertices[vertex])); });
    const char* bytes = reinterpret_cast<const char*>(&own);
    if (receivers.erase(rank) > 0) sort_in(own);
    for (int receiver : receivers) outgoing[receiver].insert(outgoing[receiver].end(), bytes, bytes + sizeof(Primitive));
  }
  std::vector<int> receivers;
  std::vector<std::vector<char>> messages;
  for (int other = 0; other < ranks; ++other)
    if (!outgoing[other].empty()) {
      receivers.push_back(other);
      messages.push_back(std::move(outgoing[other]));
    }
  for (const std::vector<char>& message : exchange_messages(communicator, receivers, messages)) {
    std::vector<Primitive> received(message.size() / sizeof(Primitive));
    std::memcpy(static_cast<void*>(received.data()), message.data(), message.size());
    for (const Primitive& found : received) sort_in(found);
  }
  for (const Primitive& obstacle : obstacles) sort_in(obstacle);

  auto result = std::make_shared<NearbyFeatures>();
  result->owned_ = halo_->owned();
  result->first_owned_ = halo_->first_owned();
  result->obstacle_points_ = obstacle_points_;
  const PetscInt vertices = halo_->global_count();
  // Vertices and places are searched where their surface is.
  const auto turns_of_place = [&](const Primitive& place) -> const TurnsAt& {
    static const TurnsAt none;
    const ContactSurface& surface = surfaces_[place.surface];
    return place.kind == Primitive::vertex ? surface.vertices[place.number].turns : place.kind == Primitive::place ? surface.places[place.number].turns : none;
  };
  std::vector<std::pair<const Primitive*, std::vector<int>>> queries;  // each with the numbers of triangles
  std::vector<std::array<int, 2>> edge_pairs;                          // indices into bodies' edges and edges
  {
    const WorkClock::Shift shift(work_);
    const auto tree_of = [](const std::vector<Primitive>& primitives) {
      std::vector<BoundingBox> all;
      for (const Primitive& each : primitives) all.push_back(each.box);
      return BoxTree(std::move(all));
    };
    const BoxTree triangle_tree = tree_of(triangles), edge_tree = tree_of(edges);
    const auto search_place = [&](const Primitive& place) {
      std::vector<int> found;
      triangle_tree.for_each_overlap(place.box, [&](int number) {
        const Primitive& triangle = triangles[number];
        if (!pairs_(place.surface, triangle.surface) || (place.is_free || triangle.is_free) == driven_.among_themselves) return;
        if (place.kind == Primitive::place && triangle.points[2] < 0) return;
        const auto is_corner = [&](PetscInt point) {
          return point >= 0 && std::find(triangle.points.begin(), triangle.points.end(), point) != triangle.points.end();
        };
        if (std::none_of(place.points.begin(), place.points.end(), is_corner)) found.push_back(number);
      });
      if (found.empty()) return;
      std::sort(found.begin(), found.end(), [&](int a, int b) { return triangles[a].points < triangles[b].points; });
      queries.emplace_back(&place, std::move(found));
    };
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Primitive& own = bodies[i];
      if (own.kind == Primitive::vertex || own.kind == Primitive::place) search_place(own);
      if (own.kind != Primitive::edge) continue;
      edge_tree.for_each_overlap(own.box, [&](int number) {
        const Primitive& other = edges[number];
        const auto [a, b] = own.ends();
        const auto [c, d] = other.ends();
        if (!pairs_(own.surface, other.surface) || (own.is_free || other.is_free) == driven_.among_themselves || a == c || a == d || b == c || b == d ||
            !(std::pair(a, b) < std::pair(c, d)))
          return;
        edge_pairs.push_back({static_cast<int>(i), number});
      });
    }
    for (const Primitive& vertex : obstacle_vertices)
      if (searcher_of(vertex) == rank) search_place(vertex);
    std::sort(edge_pairs.begin(), edge_pairs.end(), [&](const auto& x, const auto& y) {
      return std::pair(bodies[x[0]].ends(), edges[x[1]].ends()) < std::pair(bodies[y[0]].ends(), edges[y[1]].ends());
    });

    std::vector<PetscInt>& wanted = result->vertices_;
    const auto want = [&](const Primitive& primitive) {
      wanted.insert(wanted.end(), primitive.points.begin(), primitive.points.end());
      for (const Primitive::Turn& turn : primitive.turns) wanted.insert(wanted.end(), turn.points.begin(), turn.points.end());
      for (const TurnAt& turn : turns_of_place(primitive))
        for (const int point : turn.points) wanted.push_back(halo_->to_global(point));
    };
    for (const auto& [place, found] : queries) {
      want(*place);
      for (int number : found) want(triangles[number]);
    }
    for (const auto& [own, other] : edge_pairs)
      for (const Primitive* edge : {&bodies[own], &edges[other]}) want(*edge);
    std::erase_if(wanted, [&](PetscInt point) {
      return point < 0 || point >= vertices || (point >= result->first_owned_ && point < result->first_owned_ + result->owned_);
    });
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  }
  result->scatter_.emplace(*halo_, result->vertices_, 3);

  const auto number_of_point = [&](PetscInt point) {
    if (point < 0) return -1;
    if (point >= vertices) return static_cast<int>(result->owned_ + static_cast<PetscInt>(result->vertices_.size()) + point - vertices);
    if (point >= result->first_owned_ && point < result->first_owned_ + result->owned_) return static_cast<int>(point - result->first_owned_);
    return result->owned_ + static_cast<int>(std::lower_bound(result->vertices_.begin(), result->vertices_.end(), point) - result->vertices_.begin());
  };
  const auto feature = [&](const Primitive& primitive) {
    NearbyFeature made{primitive.surface, {-1, -1, -1}, primitive.weight, primitive.area, primitive.sharpness, 1, primitive.is_lone, {},
                       primitive.piece,   {},           primitive.border};
    std::transform(primitive.points.begin(), primitive.points.end(), made.points.begin(), number_of_point);
    for (const auto& [points, weight] : primitive.turns)
      if (points[0] >= 0) made.turns.push_back({{number_of_point(points[0]), number_of_point(points[1]), number_of_point(points[2])}, weight});
    for (TurnAt turn : turns_of_place(primitive)) {
      for (int& point : turn.points) point = number_of_point(halo_->to_global(point));
      made.turns.push_back(turn);
    }
    if (primitive.kind == Primitive::triangle && surfaces_[primitive.surface].turns_by_faces) made.turns = {{made.points, 1}};
    return made;
  };
  // The index of a feature in the outcome's list. A feature is appended when it first occurs.
  const auto number_of = [&](const Primitive& primitive, int& number, std::vector<NearbyFeature>& list) {
    if (number < 0) {
      number = static_cast<int>(list.size());
      list.push_back(feature(primitive));
    }
    return number;
  };
  std::vector<int> triangle_numbers(triangles.size(), -1), own_numbers(bodies.size(), -1), edge_numbers(edges.size(), -1);
  for (const auto& [place, found] : queries) {
    NearbyFeatures::Query& query = result->queries.emplace_back();
    query.feature = feature(*place);
    const ContactSurface& surface = surfaces_[place->surface];
    if (place->kind == Primitive::place) query.feature.place = surface.places[place->number].place;
    else query.feature.part = surface.vertices[place->number].part;
    for (int number : found) query.triangles.push_back(number_of(triangles[number], triangle_numbers[number], result->triangles));
  }
  for (const auto& [own, other] : edge_pairs) {
    const int first = number_of(bodies[own], own_numbers[own], result->edges);
    result->edge_pairs.push_back({first, number_of(edges[other], edge_numbers[other], result->edges)});
  }
  return result;
}

std::shared_ptr<NearbyFeatures> FeatureSearch::near_at_rest() const {
  const std::vector<Vec3> obstacles = obstacle_positions(0);
  return everything_near({rest_.positions, rest_.positions, obstacles, obstacles}, kAtRest * reach_ / 2);
}

}  // namespace traction
