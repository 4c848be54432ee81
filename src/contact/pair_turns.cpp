#include "contact/pair_turns.h"

#include <algorithm>

namespace traction {

namespace {

// Where two rods touch, the place is the middle between their surfaces, and a rod touches another body on that one's surface: forces on both then have no
// moment. Shells touch on their own surface, and so do rods on obstacles, so that they roll on it.
SurfaceTurn turn_of(const ContactSurface& own, const ContactSurface& other, bool on_first_side) {
  SurfaceTurn turn;
  turn.on_first_side = on_first_side;
  turn.twist_radius = own.twist_radius;
  turn.constant = own.offset;
  if (own.twist_radius > 0 && !other.is_obstacle) {
    const bool both = other.twist_radius > 0;
    turn.distance_share = both ? 0.5 : 1;
    turn.constant = both ? (own.offset - other.offset) / 2 : -other.offset;
  }
  return turn;
}

}  // namespace

int index_of_point(std::vector<int>& points, std::size_t first, int point) {
  const auto known = std::find(points.begin() + static_cast<std::ptrdiff_t>(first), points.end(), point);
  const auto index = static_cast<int>(known - points.begin());
  if (known == points.end()) points.push_back(point);
  return index;
}

void add_mean_turn(const TurnsAt& turns, SurfaceTurn turn, std::vector<int>& points, std::vector<SurfaceTurn>& added) {
  double sum = 0;
  for (const TurnAt& each : turns) sum += each.weight;
  for (const auto& [corners, weight] : turns) {
    turn.share = weight / sum;
    std::transform(corners.begin(), corners.end(), turn.points.begin(), [&](int point) { return index_of_point(points, 0, point); });
    added.push_back(turn);
  }
}

void add_turns(const std::vector<ContactSurface>& surfaces, const NearbyFeature& own, const std::vector<const NearbyFeature*>& near, std::vector<int>& points,
               PairedFeatures& part) {
  const auto contains_second_side = [&](const NearbyFeature& each) {
    for (int i = 0; i < second_side_of(part.kind); ++i)
      if (std::find(each.points.begin(), each.points.end(), points[static_cast<std::size_t>(part.second[i])]) == each.points.end()) return false;
    return true;
  };
  TurnsAt of_second;
  for (const NearbyFeature* each : near)
    if (!each->turns.empty() && contains_second_side(*each)) of_second.insert(of_second.end(), each->turns.begin(), each->turns.end());
  const ContactSurface &first = surfaces[static_cast<std::size_t>(own.surface)], &second = surfaces[static_cast<std::size_t>(near.front()->surface)];
  add_mean_turn(own.turns, turn_of(first, second, true), points, part.turns);
  add_mean_turn(of_second, turn_of(second, first, false), points, part.turns);
}

}  // namespace traction
