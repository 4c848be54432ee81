#include "contact/broad_phase.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "parallel/collective.h"

namespace traction {

namespace {

template <typename Primitive>
BoxTree tree_of(const std::vector<Primitive>& primitives) {
  std::vector<BoundingBox> boxes;
  boxes.reserve(primitives.size());
  for (const Primitive& each : primitives) boxes.push_back(each.box);
  return BoxTree(std::move(boxes));
}

}  // namespace

FeatureSearch::BroadPhase::BroadPhase(const FeatureSearch& search, const Paths& paths, double inflation) : search_(search), vertex_tree_({}) {
  MPI_Comm_rank(search.halo_->communicator(), &rank_);
  MPI_Comm_size(search.halo_->communicator(), &ranks_);
  const WorkClock::Shift shift(search.work_);
  const std::vector<Primitive> all = search.own_primitives(paths, inflation);
  std::array<std::size_t, 4> counts{};
  bodies_.reserve(all.size());
  for (const Primitive& own : all) {
    if (search.surfaces_[own.surface].is_obstacle) {
      obstacles_.push_back(own);
      if (own.kind == Primitive::vertex) obstacle_vertices_.push_back(own);
      continue;
    }
    bodies_.push_back(own);
    ++counts[own.kind];
    if (own.kind == Primitive::triangle) continue;
    mine_.include(own.box.lower);
    mine_.include(own.box.upper);
  }
  vertex_tree_ = tree_of(obstacle_vertices_);
  triangles_.reserve(counts[Primitive::triangle]);
  edges_.reserve(counts[Primitive::edge]);
}

std::shared_ptr<NearbyFeatures> FeatureSearch::BroadPhase::run() {
  exchange_candidates();
  {
    const WorkClock::Shift shift(search_.work_);
    find_pairs();
    list_wanted_points();
  }
  result_->scatter_.emplace(*search_.halo_, result_->vertices_, 3);
  fill_outcome();
  return std::move(result_);
}

void FeatureSearch::BroadPhase::sort_in(const Primitive& candidate) {
  if (candidate.kind == Primitive::triangle) triangles_.push_back(candidate);
  else if (candidate.kind == Primitive::edge) edges_.push_back(candidate);
}

// Edges and triangles go to the ranks that search near them.
void FeatureSearch::BroadPhase::exchange_candidates() {
  const MPI_Comm communicator = search_.halo_->communicator();
  const std::vector<BoundingBox> ranges = gather_boxes(communicator, mine_);
  std::vector<std::vector<char>> outgoing(ranks_);
  for (const Primitive& own : bodies_) {
    if (own.kind == Primitive::vertex || own.kind == Primitive::place) continue;
    std::set<int> receivers;
    for (int other = 0; other < ranks_; ++other)
      if (own.box.intersects(ranges[other])) receivers.insert(other);
    if (own.kind == Primitive::triangle) vertex_tree_.for_each_overlap(own.box, [&](int vertex) { receivers.insert(searcher_of(obstacle_vertices_[vertex])); });
    const char* bytes = reinterpret_cast<const char*>(&own);
    if (receivers.erase(rank_) > 0) sort_in(own);
    for (int receiver : receivers) outgoing[receiver].insert(outgoing[receiver].end(), bytes, bytes + sizeof(Primitive));
  }
  std::vector<int> receivers;
  std::vector<std::vector<char>> messages;
  for (int other = 0; other < ranks_; ++other)
    if (!outgoing[other].empty()) {
      receivers.push_back(other);
      messages.push_back(std::move(outgoing[other]));
    }
  for (const std::vector<char>& message : exchange_messages(communicator, receivers, messages)) {
    std::vector<Primitive> received(message.size() / sizeof(Primitive));
    std::memcpy(static_cast<void*>(received.data()), message.data(), message.size());
    for (const Primitive& found : received) sort_in(found);
  }
  for (const Primitive& obstacle : obstacles_) sort_in(obstacle);
}

bool FeatureSearch::BroadPhase::may_touch(const Primitive& a, const Primitive& b) const {
  return search_.pairs_(a.surface, b.surface) && (a.is_free || b.is_free) != search_.driven_.among_themselves;
}

void FeatureSearch::BroadPhase::find_triangles_near(const Primitive& place, const BoxTree& tree) {
  std::vector<int> found;
  tree.for_each_overlap(place.box, [&](int number) {
    const Primitive& triangle = triangles_[number];
    if (!may_touch(place, triangle) || (place.kind == Primitive::place && triangle.points[2] < 0)) return;
    const auto is_corner = [&](PetscInt point) {
      return point >= 0 && std::find(triangle.points.begin(), triangle.points.end(), point) != triangle.points.end();
    };
    if (std::none_of(place.points.begin(), place.points.end(), is_corner)) found.push_back(number);
  });
  if (found.empty()) return;
  std::sort(found.begin(), found.end(), [&](int a, int b) { return triangles_[a].points < triangles_[b].points; });
  queries_.emplace_back(&place, std::move(found));
}

void FeatureSearch::BroadPhase::find_edges_near(int own, const BoxTree& tree) {
  const Primitive& edge = bodies_[own];
  const auto ends = edge.ends();
  tree.for_each_overlap(edge.box, [&](int number) {
    const Primitive& other = edges_[number];
    const auto others = other.ends();
    const bool share_an_end = ends.first == others.first || ends.first == others.second || ends.second == others.first || ends.second == others.second;
    if (may_touch(edge, other) && !share_an_end && ends < others) edge_pairs_.push_back({own, number});
  });
}

void FeatureSearch::BroadPhase::find_pairs() {
  const BoxTree triangle_tree = tree_of(triangles_), edge_tree = tree_of(edges_);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (bodies_[i].kind == Primitive::edge) find_edges_near(static_cast<int>(i), edge_tree);
    else if (bodies_[i].kind != Primitive::triangle) find_triangles_near(bodies_[i], triangle_tree);
  }
  for (const Primitive& vertex : obstacle_vertices_)
    if (searcher_of(vertex) == rank_) find_triangles_near(vertex, triangle_tree);
  std::sort(edge_pairs_.begin(), edge_pairs_.end(), [&](const auto& x, const auto& y) {
    return std::pair(bodies_[x[0]].ends(), edges_[x[1]].ends()) < std::pair(bodies_[y[0]].ends(), edges_[y[1]].ends());
  });
}

bool FeatureSearch::BroadPhase::is_owned(PetscInt point) const { return point >= result_->first_owned_ && point < result_->first_owned_ + result_->owned_; }

// Vertices and places are searched where their surface is.
const TurnsAt& FeatureSearch::BroadPhase::turns_of_place(const Primitive& place) const {
  static const TurnsAt none;
  const ContactSurface& surface = search_.surfaces_[place.surface];
  if (place.kind == Primitive::vertex) return surface.vertices[place.number].turns;
  return place.kind == Primitive::place ? surface.places[place.number].turns : none;
}

// Lists the vertices of other ranks of which the outcome needs copies.
void FeatureSearch::BroadPhase::list_wanted_points() {
  const Halo& halo = *search_.halo_;
  result_->owned_ = halo.owned();
  result_->first_owned_ = halo.first_owned();
  result_->obstacle_points_ = search_.obstacle_points_;
  std::vector<PetscInt>& wanted = result_->vertices_;
  const auto want = [&](const Primitive& primitive) {
    wanted.insert(wanted.end(), primitive.points.begin(), primitive.points.end());
    for (const Primitive::Turn& turn : primitive.turns) wanted.insert(wanted.end(), turn.points.begin(), turn.points.end());
    for (const TurnAt& turn : turns_of_place(primitive))
      for (const int point : turn.points) wanted.push_back(halo.to_global(point));
  };
  for (const auto& [place, found] : queries_) {
    want(*place);
    for (int number : found) want(triangles_[number]);
  }
  for (const auto& [own, other] : edge_pairs_)
    for (const Primitive* edge : {&bodies_[own], &edges_[other]}) want(*edge);
  std::erase_if(wanted, [&](PetscInt point) { return point < 0 || point >= halo.global_count() || is_owned(point); });
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
}

int FeatureSearch::BroadPhase::number_of_point(PetscInt point) const {
  const PetscInt vertices = search_.halo_->global_count();
  const std::vector<PetscInt>& copies = result_->vertices_;
  if (point < 0) return -1;
  if (point >= vertices) return static_cast<int>(result_->owned_ + static_cast<PetscInt>(copies.size()) + point - vertices);
  if (is_owned(point)) return static_cast<int>(point - result_->first_owned_);
  return result_->owned_ + static_cast<int>(std::lower_bound(copies.begin(), copies.end(), point) - copies.begin());
}

NearbyFeature FeatureSearch::BroadPhase::feature(const Primitive& primitive) const {
  NearbyFeature made{primitive.surface, {-1, -1, -1}, primitive.weight, primitive.area, primitive.sharpness, 1, primitive.is_lone, {},
                     primitive.piece,   {},           primitive.border};
  std::transform(primitive.points.begin(), primitive.points.end(), made.points.begin(), [&](PetscInt point) { return number_of_point(point); });
  for (const auto& [points, weight] : primitive.turns)
    if (points[0] >= 0) made.turns.push_back({{number_of_point(points[0]), number_of_point(points[1]), number_of_point(points[2])}, weight});
  for (TurnAt turn : turns_of_place(primitive)) {
    for (int& point : turn.points) point = number_of_point(search_.halo_->to_global(point));
    made.turns.push_back(turn);
  }
  if (primitive.kind == Primitive::triangle && search_.surfaces_[primitive.surface].turns_by_faces) made.turns = {{made.points, 1}};
  return made;
}

void FeatureSearch::BroadPhase::fill_outcome() {
  // The index of a feature in the outcome's list. A feature is appended when it first occurs.
  const auto number_of = [&](const Primitive& primitive, int& number, std::vector<NearbyFeature>& list) {
    if (number < 0) {
      number = static_cast<int>(list.size());
      list.push_back(feature(primitive));
    }
    return number;
  };
  std::vector<int> triangle_numbers(triangles_.size(), -1), own_numbers(bodies_.size(), -1), edge_numbers(edges_.size(), -1);
  for (const auto& [place, found] : queries_) {
    NearbyFeatures::Query& query = result_->queries.emplace_back();
    query.feature = feature(*place);
    const ContactSurface& surface = search_.surfaces_[place->surface];
    if (place->kind == Primitive::place) query.feature.place = surface.places[place->number].place;
    else query.feature.part = surface.vertices[place->number].part;
    for (int number : found) query.triangles.push_back(number_of(triangles_[number], triangle_numbers[number], result_->triangles));
  }
  for (const auto& [own, other] : edge_pairs_) {
    const int first = number_of(bodies_[own], own_numbers[own], result_->edges);
    result_->edge_pairs.push_back({first, number_of(edges_[other], edge_numbers[other], result_->edges)});
  }
}

}  // namespace traction
