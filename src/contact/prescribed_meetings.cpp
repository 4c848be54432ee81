#include "contact/prescribed_meetings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "contact/features.h"
#include "contact/passage.h"
#include "parallel/collective.h"

namespace traction {

namespace {

constexpr double kTouching = 1e-3;   // in thicknesses: things that are nearer to each other touch
constexpr int kMostAdvances = 50;    // largest number of advances; each leaves a small part of the distance
constexpr double kSmallest = 1e-12;  // a remaining part of a step that is smaller counts as its end

}  // namespace

std::optional<Vec3> PrescribedMeetings::meeting(const std::array<Vec3, 4>& from, const std::array<Vec3, 4>& to, int first_side, double offset) const {
  const double least = offset + kTouching * thickness_;
  std::array<Vec3, 4> x = from, left;
  double part = 0;
  for (int i = 0; i < kMostAdvances; ++i) {
    if (box_distance(x, first_side) < least + thickness_) {
      const double distance = feature_distance(x, first_side);
      if (!(distance > (i == 0 ? least : least + kTouching * thickness_))) return i == 0 ? std::nullopt : std::optional<Vec3>(x[0]);
    }
    for (std::size_t k = 0; k < 4; ++k) left[k] = to[k] - x[k];
    part += (1 - part) * admissible_advance(x, left, first_side, least);
    if (part > 1 - kSmallest) return std::nullopt;
    for (std::size_t k = 0; k < 4; ++k) x[k] = from[k] + part * (to[k] - from[k]);
  }
  return x[0];
}

void PrescribedMeetings::find_features(const State& start, const State& end, std::vector<Meeting>& found) {
  if (!search_.is_moved_from_outside(start, end)) return;
  search_.update(start);
  const std::shared_ptr<const NearbyFeatures> nearby = search_.along(start, end);
  const auto copies_at = [&](const State& state) {
    Field copies = nearby->copies_of(state.q);
    const std::vector<Vec3> obstacles = search_.obstacle_positions(state.time);
    for (std::size_t i = 0; i < obstacles.size(); ++i) copies[nearby->first_obstacle_copy() + static_cast<int>(i)] = obstacles[i];
    return copies;
  };
  const Field before = copies_at(start), after = copies_at(end);
  const auto at = [&](const State& state, const Field& copies, int point) {
    return point < nearby->owned() ? Vec3(state.q[point]) : Vec3(copies[point - nearby->owned()]);
  };
  const int count = search_.pairs().surfaces();
  std::map<int, Vec3> mine;  // the place of a pair of surfaces
  const auto look = [&](int first, int second, const std::array<int, 4>& points, int first_side) {
    const int pair = std::min(first, second) * count + std::max(first, second);
    if (mine.contains(pair)) return;
    std::array<Vec3, 4> from, to;
    for (std::size_t i = 0; i < 4; ++i) {
      from[i] = at(start, before, points[i]);
      to[i] = at(end, after, points[i]);
    }
    if (const auto place = meeting(from, to, first_side, search_.surfaces()[first].offset + search_.surfaces()[second].offset)) mine.emplace(pair, *place);
  };
  for (const NearbyFeatures::Query& query : nearby->queries)
    for (const int number : query.triangles) {
      const NearbyFeature& triangle = nearby->triangles[number];
      const auto [a, b, c] = triangle.corners();
      look(query.feature.surface, triangle.surface, {query.feature.points[0], a, b, c}, 1);
    }
  for (const auto& [first, second] : nearby->edge_pairs) {
    const NearbyFeature &a = nearby->edges[first], &b = nearby->edges[second];
    look(a.surface, b.surface, {a.points[0], a.points[1], b.points[0], b.points[1]}, 2);
  }
  std::vector<double> marks(static_cast<std::size_t>(count * count), 0.0);
  for (const auto& [pair, place] : mine) marks[pair] = 1;
  sum_over_ranks(search_.halo().communicator(), marks);
  for (int pair = 0; pair < count * count; ++pair) {
    if (!(marks[pair] > 0)) continue;
    const auto own = mine.find(pair);
    const auto place = first_over_ranks(search_.halo().communicator(), own == mine.end() ? std::nullopt : std::optional<Vec3>(own->second));
    found.push_back({names_[pair / count], names_[pair % count], *place});
  }
}

void PrescribedMeetings::find_vertices(const State& start, const State& end, std::vector<Meeting>& found) {
  for (const Vertices& side : vertices_) {
    const Pose before(side.motion, start.time), after(side.motion, end.time);
    std::optional<Vec3> place;
    for (const int vertex : side.vertices)
      for (const GapFunction& gap : side.gaps) {
        if (place) break;
        const std::array<Vec3, 2> path{before.to_rest<double>(start.q[vertex]), after.to_rest<double>(end.q[vertex])};
        const auto gap_at = [&](const Vec3& x) { return std::visit([&](const auto& shape) { return shape(x).gap; }, gap) - side.offset; };
        const double least = kTouching * thickness_;
        if (gap_at(path[0]) > least && (gap_at(path[1]) <= least || leads_through(gap, path, side.offset))) place = end.q[vertex];
      }
    if (const auto first = first_over_ranks(search_.halo().communicator(), place)) found.push_back({side.body, side.obstacle, *first});
  }
}

std::vector<PrescribedMeetings::Meeting> PrescribedMeetings::find(const State& start, const State& end) {
  std::vector<Meeting> found;
  find_features(start, end, found);
  find_vertices(start, end, found);
  std::erase_if(found, [&](const Meeting& meeting) { return !found_.insert(std::minmax(meeting.first, meeting.second)).second; });
  return found;
}

std::vector<std::string> PrescribedMeetings::warnings(const State& start, const State& end) {
  std::vector<std::string> warnings;
  for (const Meeting& meeting : find(start, end)) {
    const std::string who =
        meeting.first == meeting.second ? fmt::format("two parts of '{}'", meeting.first) : fmt::format("'{}' and '{}'", meeting.first, meeting.second);
    warnings.push_back(fmt::format(
        "{} run into each other near ({:.4g}, {:.4g}, {:.4g}), where both are fixed or move as prescribed; contact '{}' moves neither, so they pass "
        "through each other. Change a motion, or leave one of them free there: fix or drive less of it, or hold it by springs",
        who, meeting.place.x(), meeting.place.y(), meeting.place.z(), contact_));
  }
  return warnings;
}

}  // namespace traction
