#include "contact/edges_and_faces.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "contact/pair_turns.h"
#include "contact/tally.h"
#include "parallel/collective.h"

namespace traction {

namespace {

constexpr double kKept = 0.1;  // one step of an iteration keeps this share of every gap, so that it does not end where the guard's force is excessively large
constexpr double kNotClosed = 1e-3;   // share of every gap that is kept along the path of a whole step
constexpr double kLeastGap = 1e-8;    // in thicknesses: a smaller gap may be due to rounding, so that the right side is unknown
constexpr int kSheetsOfSurface = 64;  // step between the numbers of surfaces' sheets

// A feature by the numbers of its points, in order, -1 after the last.
using FeatureKey = std::array<int, 3>;

FeatureKey key_of(const std::array<int, 3>& points, const std::array<bool, 3>& corners) {
  FeatureKey key{-1, -1, -1};
  int count = 0;
  for (int i = 0; i < 3; ++i) {
    if (!corners[i]) continue;
    int place = count++;
    for (; place > 0 && key[place - 1] > points[i]; --place) key[place] = key[place - 1];
    key[place] = points[i];
  }
  return key;
}

int size_of(const FeatureKey& key) { return key[1] < 0 ? 1 : key[2] < 0 ? 2 : 3; }

bool is_turning_round(const ContactSurface& surface) {
  return surface.is_obstacle && surface.offset > 0 &&
         std::any_of(surface.motion.begin(), surface.motion.end(), [](const MotionSettings& motion) { return !motion.angular_velocity.isZero(0); });
}

// For each surface the mean area of its vertices and places; 0 for obstacles. Collective.
std::vector<double> mean_areas(MPI_Comm communicator, const std::vector<ContactSurface>& surfaces) {
  std::vector<double> sums;
  for (const ContactSurface& surface : surfaces) {
    double area = 0;
    for (const SurfaceVertex& vertex : surface.vertices) area += vertex.part * vertex.area;
    for (const SurfacePlace& place : surface.places) area += place.area;
    sums.insert(sums.end(), {surface.is_obstacle ? 0 : area, static_cast<double>(surface.vertices.size() + surface.places.size())});
  }
  sum_over_ranks(communicator, sums);
  std::vector<double> means;
  for (std::size_t i = 0; i < sums.size(); i += 2) means.push_back(sums[i] > 0 ? sums[i] / sums[i + 1] : 0);
  return means;
}

}  // namespace

EdgesAndFaces::EdgesAndFaces(FeatureSearch search, double thickness, HeldSpins spins)
    : search_(std::move(search)), spins_(std::move(spins)), thickness_(thickness), areas_(communicator(), mean_areas(communicator(), search_.surfaces())) {
  for (std::size_t s = 0; s < search_.surfaces().size(); ++s)
    if (is_turning_round(search_.surfaces()[s])) turning_.push_back(static_cast<int>(s));
  int moving = 0;
  for (const ContactSurface& surface : search_.surfaces())
    if (surface.is_obstacle) moving_.insert(moving_.end(), surface.points.size(), surface.motion.empty() ? -1 : moving++);
}

std::vector<const Motion*> EdgesAndFaces::motions() const {
  std::vector<const Motion*> motions;
  for (const ContactSurface& surface : search_.surfaces())
    if (surface.is_obstacle && !surface.motion.empty()) motions.push_back(&surface.motion);
  return motions;
}

EdgesAndFaces::Positions EdgesAndFaces::positions(const NearbyFeatures& nearby, const Field& q, const std::vector<Vec3>& obstacles) const {
  Positions result{q, nearby.copies_of(q), nearby.owned()};
  for (std::size_t i = 0; i < obstacles.size(); ++i) result.copies[nearby.first_obstacle_copy() + static_cast<int>(i)] = obstacles[i];
  return result;
}

void EdgesAndFaces::add_place_pairs(const NearbyFeatures& nearby, const NearbyFeatures::Query& query, const Positions& at, std::vector<Pair>& pairs) const {
  const NearbyFeature& own = query.feature;
  const Vec3 x = position_of(own.place, own.points, at);
  std::vector<NearFeature> near;
  for (int number : query.triangles) {
    const NearbyFeature& feature = nearby.triangles[number];
    if (own.is_place() && pressing_side(own.surface, feature.surface) == PressingSide::other) continue;  // corners alone carry what is pressed
    const auto [a, b, c] = feature.corners();
    const std::array<Vec3, 4> points{x, at(a), at(b), at(c)};
    const double reach = thickness_ + offset(own.surface, feature.surface);
    if (!(box_distance(points, 1) < reach)) continue;
    const ClosestPoint closest = feature.is_segment() ? closest_on_edge(x, points[1], points[2]) : closest_on_triangle(x, points[1], points[2], points[3]);
    if (closest.distance < reach) near.push_back({&feature, closest});
  }
  const auto source = [](const NearFeature& each) { return std::pair(each.feature->surface, each.feature->is_segment()); };
  std::stable_sort(near.begin(), near.end(), [&](const NearFeature& one, const NearFeature& two) { return source(one) < source(two); });
  for (auto first = near.begin(); first != near.end();) {  // a surface's triangles, or its lone edges
    const std::pair from = source(*first);
    const auto last = std::find_if(first, near.end(), [&](const NearFeature& each) { return source(each) != from; });
    std::vector<NearFeature> features(first, last);
    int number = from.first * kSheetsOfSurface;
    while (!features.empty()) add_sheet_pair(own, from.first, from.second, number++, take_sheet(features), at, pairs);
    first = last;
  }
}

// Takes the features that are connected with the first one by common points.
std::vector<EdgesAndFaces::NearFeature> EdgesAndFaces::take_sheet(std::vector<NearFeature>& near) {
  std::vector<NearFeature> sheet{near[0]};
  near.erase(near.begin());
  for (std::size_t i = 0; i < sheet.size() && !near.empty(); ++i) {
    const std::array<int, 3>& points = sheet[i].feature->points;
    const auto is_apart = [&](const NearFeature& each) {
      return std::none_of(points.begin(), points.end(), [&](int point) {
        return point >= 0 && std::find(each.feature->points.begin(), each.feature->points.end(), point) != each.feature->points.end();
      });
    };
    const auto joined = std::stable_partition(near.begin(), near.end(), is_apart);
    sheet.insert(sheet.end(), joined, near.end());
    near.erase(joined, near.end());
  }
  return sheet;
}

// Counts parts by inclusion and exclusion for a sheet near a place (docs/theory/contact.md, "Edges and faces"). Each triangle within reach counts 1 for the
// feature in which its closest point lies; an edge between n of them adds 1 - n to its own feature; a vertex adds the number that makes its sum 1. In a wire,
// segments play the role of a sheet's triangles, and have no edges between them. Where the sheet continues in another contact, both contacts share what edges
// and vertices add.
void EdgesAndFaces::add_sheet_pair(const NearbyFeature& own, int surface, bool is_wire, int number, const std::vector<NearFeature>& near, const Positions& at,
                                   std::vector<Pair>& pairs) const {
  const Vec3 x = position_of(own.place, own.points, at);
  const double pair_offset = offset(own.surface, surface), reach = thickness_ + pair_offset;
  constexpr double kRounding = 1e-9;
  Tally<FeatureKey> counts;
  for (const auto& [feature, closest] : near) counts.add(key_of(feature->points, closest.corners), 1);
  if (near.size() > 1 || near[0].feature->border.is_any()) {
    Tally<std::pair<int, int>> edges;  // number of triangles at each edge; 1.5 if another contact has the second
    Tally<int> corners;                // number of triangles or segments at each vertex, minus the exclusions of edges and minus the wanted sum
    for (const auto& [feature, closest] : near)
      for (int i = 0; i < (is_wire ? 2 : 3); ++i) {
        if (!is_wire) edges.add(std::minmax(feature->points[i], feature->points[(i + 1) % 3]), feature->border.edges[i] ? 1.5 : 1);
        corners.add(feature->points[i], 1, -feature->border.corners[i]);
      }
    for (const auto& [ends, count] : edges.sums()) {
      if (count <= 1) continue;
      corners.add(ends.first, 1 - count);
      corners.add(ends.second, 1 - count);
      const ClosestPoint closest = closest_on_edge(x, at(ends.first), at(ends.second));
      if (closest.distance < reach) counts.add(key_of({ends.first, ends.second, -1}, closest.corners), 1 - count);
    }
    for (const auto& [corner, excess] : corners.sums())
      if (std::abs(excess) > kRounding && (x - at(corner)).norm() < reach) counts.add({corner, -1, -1}, -excess);
  }
  const auto first_side = static_cast<std::size_t>(own.place.corners);
  Pair pair;
  pair.points.assign(own.points.begin(), own.points.begin() + own.place.corners);
  pair.share = 0;
  for (const auto& [key, count] : counts.sums()) {
    if (std::abs(count) <= kRounding) continue;
    pair.share += count;
    PairedFeatures& part = pair.parts.emplace_back();
    part.kind = static_cast<FeaturePair>(size_of(key) - 1);
    part.place = own.place;
    part.count = count;
    for (int i = 0; i < size_of(key); ++i) part.second[i] = index_of_point(pair.points, first_side, key[i]);
  }
  if (pair.parts.empty()) return;
  // A ball that reaches the faces all around a corner, but not the corner itself, cuts a ring out of the sheet: in a pit, or around a sharp tip. The counts of
  // a ring have the sum 0. At a border with other contacts, which count the place, counts have that sum, too.
  const double divisor = pair.share > kRounding ? pair.share : 1;
  const bool is_at_border = std::any_of(near.begin(), near.end(), [](const NearFeature& each) { return each.feature->border.is_any(); });
  if (!(pair.share > kRounding)) pair.share = is_at_border ? 0 : 1;
  for (PairedFeatures& part : pair.parts) part.count /= divisor;  // parts of one pair count 1 together
  pair.touching_points = pair.points.size();
  if (search_.surfaces()[own.surface].turns() || search_.surfaces()[surface].turns()) {
    std::vector<const NearbyFeature*> features;
    for (const NearFeature& each : near) features.push_back(each.feature);
    for (PairedFeatures& part : pair.parts) add_turns(search_.surfaces(), own, features, pair.points, part);
  }
  const PressingSide pressing = pressing_side(own.surface, surface);
  const bool is_pressed = pressing == PressingSide::other;
  // Places on faces meet no wires, so a vertex there also carries the share that it gives to places elsewhere. A vertex that is pressed carries as a corner.
  const double half = pressing == PressingSide::both ? 0.5 : 1, part = half * (is_wire || is_pressed ? 1 : own.part);
  const double sharpness = is_pressed ? own.sharpness : 1;
  // A corner carries no more than a place of what it touches. An obstacle's corners have such an area.
  const bool is_too_large = is_pressed && !search_.surfaces()[own.surface].is_obstacle && own.area > areas_.mean_area(surface);
  const double own_area = is_too_large ? areas_.mean_area(surface) : own.area, own_weight = is_too_large ? own.weight * own_area / own.area : own.weight;
  const double weight = std::min(own_weight, own_area * most_per_area(own.surface, surface));
  const double area = part * own_area, covered = pair.share * area * sharpness;  // where corners are flat they have a guard alone, and no area
  pair.side = search_.pairs().side(own.surface, surface);
  pair.weight = {divisor * part * weight * sharpness, own.is_place() ? 0.0 : divisor * half * weight, 1, covered, pair.share * area, pair_offset, covered};
  pair.turning = turning_side(own.surface, surface);
  pair.surface = own.surface;
  pair.other = surface;
  pair.sheet = number;
  pairs.push_back(std::move(pair));
}

double EdgesAndFaces::most_per_area(int own, int other) const {
  const ContactSurface &one = search_.surfaces()[static_cast<std::size_t>(own)], &two = search_.surfaces()[static_cast<std::size_t>(other)];
  if (has_material(own)) return std::numeric_limits<double>::infinity();
  // A surface without a material of its own presses no harder than what it touches.
  if (has_material(other)) return two.most_per_area;
  return one.is_obstacle ? two.rigid_per_area : one.rigid_per_area;
}

PressingSide EdgesAndFaces::pressing_side(int own, int other) const {
  const ContactSurface &one = search_.surfaces()[static_cast<std::size_t>(own)], &two = search_.surfaces()[static_cast<std::size_t>(other)];
  if (one.is_obstacle) return PressingSide::other;
  if (two.is_obstacle) return PressingSide::own;
  return traction::pressing_side(one.scale, two.scale);
}

TurningSide EdgesAndFaces::turning_side(int first, int second) const {
  for (std::size_t i = 0; i < turning_.size(); ++i)
    if (turning_[i] == first || turning_[i] == second) return {static_cast<int>(i), search_.surfaces()[turning_[i]].offset};
  return {};
}

// Edges act in place of the vertices, or the places between them, along them, and have the share of one of these. But no edge has less than its own share:
// where coarse bodies are divided into many small places, an edge on an edge would be so soft that any load rested in the guard.
EdgesAndFaces::EdgeShare EdgesAndFaces::edge_share(const NearbyFeature& edge, int other) const {
  constexpr double kVertex = 3;  // a vertex of a regular mesh has three times the share of an edge there
  const ContactSurface& own = search_.surfaces()[static_cast<std::size_t>(edge.surface)];
  const PressingSide pressing = pressing_side(edge.surface, other);
  if (pressing == PressingSide::other) {
    const double most = own.is_obstacle ? kVertex : areas_.mean_area(other) / edge.area;
    return {std::clamp(most, 1.0, kVertex), kVertex, 1};
  }
  if (pressing == PressingSide::both) return {own.divisions > 1 ? 1 : kVertex / 2, kVertex / 2, 1};
  return {kVertex, kVertex, own.divisions};
}

void EdgesAndFaces::add_edge_pair(const NearbyFeature& first, const NearbyFeature& second, const Positions& at, std::vector<Pair>& pairs) const {
  const std::array<Vec3, 4> x{at(first.points[0]), at(first.points[1]), at(second.points[0]), at(second.points[1])};
  const double gap_offset = offset(first.surface, second.surface);
  if (!(box_distance(x, 2) < thickness_ + gap_offset)) return;
  const LinePair<double> lines(x);
  if (!(lines.t > 0 && lines.t < 1 && lines.u > 0 && lines.u < 1 && lines.square > 0)) return;
  if (!(lines.gap() < thickness_ + gap_offset)) return;
  // Along a wire nothing takes over the force that edges of flat faces omit, because it has no triangles.
  const bool is_wire = first.is_lone || second.is_lone;
  const bool is_rigid = !has_material(first.surface) && !has_material(second.surface);
  const auto weight_of = [&](const NearbyFeature& edge, int other) {
    return is_rigid ? std::min(edge.weight, edge.area * most_per_area(edge.surface, other)) : edge.weight;
  };
  const EdgeShare whole{}, one = is_wire ? whole : edge_share(first, second.surface), two = is_wire ? whole : edge_share(second, first.surface);
  const double first_weight = weight_of(first, second.surface), second_weight = weight_of(second, first.surface);
  const double guard = std::min(first_weight * one.guard, second_weight * two.guard);
  const double penalty = std::min(first_weight * one.part, second_weight * two.part) * (is_wire ? 1 : std::min(first.sharpness, second.sharpness));
  const double area = std::min(first.area * one.part, second.area * two.part);
  Pair pair;
  pair.points = {first.points[0], first.points[1], second.points[0], second.points[1]};
  pair.touching_points = 4;
  pair.side = search_.pairs().side(first.surface, second.surface);
  pair.weight = {penalty, guard, 1, is_wire ? area : 0, area, gap_offset, is_wire ? area : 0};
  pair.turning = turning_side(first.surface, second.surface);
  pair.surface = first.surface;
  pair.other = second.surface;
  pair.share = 1;
  pair.sheet = -1;
  PairedFeatures& edges = pair.parts.emplace_back();
  edges.kind = FeaturePair::edge_edge;
  edges.second = {2, 3};
  // Places carry as much as the pair where it has no more than the share of one.
  if (area <= areas_.mean_area(first.surface)) edges.divisions[0] = one.divisions;
  if (area <= areas_.mean_area(second.surface)) edges.divisions[1] = two.divisions;
  add_turns(search_.surfaces(), first, {&second}, pair.points, edges);
  pairs.push_back(std::move(pair));
}

void EdgesAndFaces::begin_step(const State& state) {
  std::vector<Pair> pairs = pairs_at(state);
  SideAreas::Halves halves = halves_of(pairs);
  add_continued_halves(state, halves);
  areas_.measure(halves);
  scale_areas(pairs);
  pairs_ = std::make_shared<const std::vector<Pair>>(std::move(pairs));
}

void EdgesAndFaces::prepare(const State& state) {
  std::vector<Pair> pairs = pairs_at(state);
  scale_areas(pairs);
  pairs_ = std::make_shared<const std::vector<Pair>>(std::move(pairs));
}

// All pairs near a state, with unscaled areas.
std::vector<EdgesAndFaces::Pair> EdgesAndFaces::pairs_at(const State& state) {
  search_.update(state);
  const NearbyFeatures& nearby = *search_.nearby();
  const Positions at = positions(nearby, state.q, search_.obstacle_positions(state.time));
  const WorkClock::Shift shift(work_);
  std::vector<Pair> pairs;
  for (const NearbyFeatures::Query& query : nearby.queries) add_place_pairs(nearby, query, at, pairs);
  for (const auto& [first, second] : nearby.edge_pairs) add_edge_pair(nearby.edges[first], nearby.edges[second], at, pairs);
  return pairs;
}

// Places that touch the faces of another body, whose own surface has faces, too.
SideAreas::Halves EdgesAndFaces::halves_of(const std::vector<Pair>& pairs) const {
  const auto is_rod = [&](int surface) { return search_.surfaces()[surface].twist_radius > 0; };
  SideAreas::Halves halves;
  for (const Pair& pair : pairs) {
    if (pair.sheet < 0 || pair.surface == pair.other || is_rod(pair.surface) || is_rod(pair.other)) continue;
    if (pressing_side(pair.surface, pair.other) != PressingSide::both) continue;  // as with obstacles
    SideAreas::Half& half = halves[{pair.surface, pair.other}];
    half.area += pair.weight.covered;
    half.stiffness += pair.weight.penalty;
    half.places += pair.share;
  }
  return halves;
}

void EdgesAndFaces::add_continued_halves(const State& state, SideAreas::Halves& halves) const {
  for (EdgesAndFaces* other : continued_) {
    const auto own_number = [&](int theirs) {  // the number of the same body's faces
      const std::vector<ContactSurface>&own = search_.surfaces(), &others = other->search_.surfaces();
      const auto is_it = [&](const ContactSurface& each) { return each.body == others[static_cast<std::size_t>(theirs)].body && each.twist_radius == 0; };
      return static_cast<int>(std::find_if(own.begin(), own.end(), is_it) - own.begin());
    };
    for (const auto& [surfaces, more] : other->halves_of(other->pairs_at(state))) {
      SideAreas::Half& half = halves[{own_number(surfaces.first), own_number(surfaces.second)}];
      half.continued += more.area;
      half.places += more.places;
    }
  }
}

void EdgesAndFaces::scale_areas(std::vector<Pair>& pairs) const {
  for (Pair& pair : pairs) {
    if (pair.sheet < 0) continue;
    const double factor = areas_.factor(pair.surface, pair.other), both = areas_.mean_stiffness(pair.surface, pair.other);
    if (both > 0 && pair.weight.covered > 0) pair.weight.carried = pair.weight.penalty / pair.weight.covered / both;
    pair.weight.area *= factor;
    pair.weight.covered *= factor;
  }
}

ObstacleTurns EdgesAndFaces::frame_at(const State& state) const {
  ObstacleTurns turns;
  for (const int surface : turning_) turns.angular_velocities.push_back(Pose(search_.surfaces()[surface].motion, state).angular_velocity);
  return turns;
}

EdgesAndFaces::Surroundings EdgesAndFaces::surroundings(const State& state) const {
  Surroundings result;
  result.family_ = this;
  result.nearby_ = search_.nearby();
  result.pairs_ = pairs_;
  result.frame = frame_at(state);
  result.q = result.positions_at(state);
  result.v = result.velocities_at(state);
  result.spins = spins_.at(state);
  return result;
}

Field EdgesAndFaces::Surroundings::positions_at(const State& state) const {
  return family_->positions(*nearby_, state.q, family_->search_.obstacle_positions(state.time)).copies;
}

Field EdgesAndFaces::Surroundings::velocities_at(const State& state) const {
  const std::vector<Vec3> of_obstacles = family_->search_.obstacle_velocities(state);
  const std::map<int, double> now = family_->spins_.at(state);
  if (now.empty()) return family_->positions(*nearby_, state.v, of_obstacles).copies;
  return family_->positions(*nearby_, with_spins(now, state.v), of_obstacles).copies;
}

ObstacleArm EdgesAndFaces::Surroundings::arm_of_friction(std::size_t k, std::span<const Vec3> x) const {
  const Pair& pair = (*pairs_)[k];
  if (pair.turning.obstacle < 0) return {};
  const int first = obstacle_of(pair.points[0]), second = obstacle_of(pair.points[static_cast<std::size_t>(pair.touching_points) - 1]);
  const Vec3 arm = pair.turning.radius * sample<double>(k, x).gradient();
  return first >= 0 ? ObstacleArm{first, -arm, true} : ObstacleArm{second, arm, false};
}

bool EdgesAndFaces::Surroundings::acts_on_first(std::size_t k, std::size_t point) const {
  const Pair& pair = (*pairs_)[k];
  if (point < pair.touching_points) return point < static_cast<std::size_t>(pair.parts[0].first_side());
  const auto turns = [number = static_cast<int>(point)](const SurfaceTurn& turn) {
    return turn.on_first_side && (turn.points[0] == number || turn.points[1] == number || (!turn.is_segment() && turn.points[2] == number));
  };
  return std::any_of(pair.parts.begin(), pair.parts.end(),
                     [&](const PairedFeatures& part) { return std::any_of(part.turns.begin(), part.turns.end(), turns); });
}

// A hash of the two edges, or of the place and its sheet, in the global numbering; the parts of a sheet that are near change from step to step. Two pairs in
// contact hardly ever share a key; if they do they share a direction of friction in a linearization that need not be exact.
std::uint64_t EdgesAndFaces::Surroundings::key(std::size_t k) const {
  const Pair& pair = (*pairs_)[k];
  auto key = static_cast<std::uint64_t>(pair.sheet + 1);
  const auto mix = [&key](std::uint64_t value) { key ^= value + 0x9e3779b97f4a7c15ull + (key << 6) + (key >> 2); };
  for (double share : pair.parts[0].place.shares) mix(std::bit_cast<std::uint64_t>(share));
  const std::size_t points = pair.sheet < 0 ? pair.touching_points : static_cast<std::size_t>(pair.parts[0].first_side());
  for (std::size_t i = 0; i < points; ++i) {
    const PetscInt global = global_of(pair.points[i]);
    mix(static_cast<std::uint64_t>(global >= 0 ? global : -1 - pair.points[i]));
  }
  return key;
}

std::optional<double> EdgesAndFaces::clear_part(const ContactLaw& law, const State& start, const State& end, double kept) {
  const std::shared_ptr<const NearbyFeatures> nearby = search_.along(start, end);
  const Positions from = positions(*nearby, start.q, search_.obstacle_positions(start.time)),
                  to = positions(*nearby, end.q, search_.obstacle_positions(end.time));
  double part = 1;
  {
    const WorkClock::Shift shift(work_);
    const auto bound = [&](const std::array<int, 4>& points, int first_side, double pair_offset) {
      std::array<Vec3, 4> x, displacement;
      for (int i = 0; i < 4; ++i) {
        x[i] = from(points[i]);
        displacement[i] = to(points[i]) - x[i];
      }
      const double outside = law.offset + pair_offset - law.largest_overlap();
      if (largest_approach(displacement, first_side) < box_distance(x, first_side) - outside - kept * law.thickness) return;  // the pair stays apart
      const double gap = feature_distance(x, first_side) - outside;
      if (!(gap > 0)) part = -1;
      else if (gap < kLeastGap * law.thickness) part = std::min(part, 0.0);
      else part = std::min(part, admissible_advance(x, displacement, first_side, outside + kept * std::min(gap, law.thickness), std::max(part, 0.0)));
    };
    for (const NearbyFeatures::Query& query : nearby->queries) {
      if (query.feature.is_place()) continue;  // a place cannot pass through anything before its edges and corners do
      for (int number : query.triangles) {
        const NearbyFeature& triangle = nearby->triangles[number];
        const auto [a, b, c] = triangle.corners();
        bound({query.feature.points[0], a, b, c}, 1, offset(query.feature.surface, triangle.surface));
      }
    }
    for (const auto& [first, second] : nearby->edge_pairs) {
      const NearbyFeature &a = nearby->edges[first], &b = nearby->edges[second];
      bound({a.points[0], a.points[1], b.points[0], b.points[1]}, 2, offset(a.surface, b.surface));
    }
  }
  part = minimum_over_ranks(communicator(), part);
  return part < 0 ? std::nullopt : std::optional<double>(part);
}

std::optional<double> EdgesAndFaces::admissible_part(const ContactLaw& law, const State& state, const Field& displacement) {
  State end = state;
  end.q.array() += displacement.array();
  return clear_part(law, state, end, kKept);
}

// If nothing is moved from outside, bounded steps have kept every path clear, from guess to solution.
bool EdgesAndFaces::is_clear(const ContactLaw& law, const State& start, const State& end, bool bounded) {
  return (bounded && !search_.is_moved_from_outside(start, end)) || clear_part(law, start, end, kNotClosed) == 1.0;
}

}  // namespace traction
