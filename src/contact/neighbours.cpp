// Which features a search finds near each other that are neighbours along a surface or a rod, or through a body, and do not touch.

#include <algorithm>
#include <cmath>

#include "contact/feature_search.h"
#include "contact/features.h"

namespace traction {

namespace {

// Parts of a rod or a surface that are nearer to each other along it than this do not touch, in multiples of the distance at which contact begins. A rod that
// is bent to a circle across which it just touches itself has half of that circle between the two places.
constexpr double kAlong = EIGEN_PI / 2;
constexpr double kFacing = 0.5;  // cosine of the angle up to which a face faces in a direction

}  // namespace

// Whether two vertices or segments of rods are too near to each other along the same rod to touch; nothing if they are not both of rods. Rods that are near
// each other at rest, as strands of a rope are, touch.
std::optional<bool> FeatureSearch::are_neighbours_along_rod(const NearbyFeatures& found, const NearbyFeature& a, const NearbyFeature& b) const {
  const ContactSurface &one_surface = surfaces_[a.surface], &other_surface = surfaces_[b.surface];
  if (!(one_surface.twist_radius > 0 && other_surface.twist_radius > 0)) return std::nullopt;
  std::optional<double> least;
  for (const int one : a.points)
    for (const int other : b.points) {
      if (one < 0 || other < 0) continue;
      const std::optional<double> length = rest_.rods.between(found.global_of(one), found.global_of(other));
      if (length) least = std::min(least.value_or(*length), *length);
    }
  return least && *least < kAlong * (thickness_ + 2 * std::max(one_surface.offset, other_surface.offset));
}

// Only what elements and attachments connect can be neighbours along a surface.
bool FeatureSearch::may_be_neighbours(const NearbyFeature& a, const NearbyFeature& b) const {
  const int one = surfaces_[a.surface].body, other = surfaces_[b.surface].body;
  return one >= 0 && other >= 0 && (one == other || !rest_.pieces.empty()) && a.piece == b.piece;
}

bool FeatureSearch::is_connected_near(const NearbyFeature& a, const NearbyFeature& b, const Vec3& place) const {
  return surfaces_[a.surface].body == surfaces_[b.surface].body || rest_.attached.is_near(place, kAtAttachment * reach_between(a, b));
}

double FeatureSearch::reach_between(const NearbyFeature& a, const NearbyFeature& b) const {
  return thickness_ + surfaces_[a.surface].offset + surfaces_[b.surface].offset;
}

bool FeatureSearch::are_beside_each_other(const NearbyFeature& a, const NearbyFeature& b, const RestPlace& one, const RestPlace& other) const {
  const Vec3 way = other.position - one.position;
  if (!(way.norm() < kAlong * reach_between(a, b)) || one.normal.isZero(0) || other.normal.isZero(0)) return false;
  const auto faces = [&](const NearbyFeature& feature, const RestPlace& place, const Vec3& direction) {
    const double cosine = place.normal.normalized().dot(direction);
    return (surfaces_[feature.surface].is_shell ? std::abs(cosine) : cosine) > kFacing ||
           (!place.rim.isZero(0) && place.rim.normalized().dot(direction) > kFacing);
  };
  const Vec3 direction = way.normalized();
  return !faces(a, one, direction) && !faces(b, other, -direction);
}

// Neighbours along a surface, or where bodies are attached, are within reach of each other at rest, but do not touch.
void FeatureSearch::drop_neighbours(NearbyFeatures& found) const {
  const Field copies = found.copies_of(rest_.positions), copied_normals = found.copies_of(rest_.normals), copied_rims = found.copies_of(rest_.rims);
  const WorkClock::Shift shift(work_);
  const auto at_point = [&](const Field& own, const Field& copied) {
    return [&own, &copied, owned = found.owned()](int point) { return point < owned ? Vec3(own[point]) : Vec3(copied[point - owned]); };
  };
  const auto rest = at_point(rest_.positions, copies), normal = at_point(rest_.normals, copied_normals), rim = at_point(rest_.rims, copied_rims);
  // Where a feature ends at points that are all on rims.
  const auto rim_of = [&](std::span<const int> points) {
    Vec3 sum = Vec3::Zero();
    for (const int point : points) {
      if (rim(point).isZero(0)) return Vec3(Vec3::Zero());
      sum += rim(point);
    }
    return sum;
  };
  for (NearbyFeatures::Query& query : found.queries) {
    const NearbyFeature& own = query.feature;
    const Vec3 at = position_of(own.place, own.points, rest);
    std::erase_if(query.triangles, [&](int number) {
      const NearbyFeature& triangle = found.triangles[number];
      if (!may_be_neighbours(own, triangle)) return false;
      if (const std::optional<bool> neighbours = are_neighbours_along_rod(found, own, triangle)) return *neighbours;
      const auto [first, second, third] = triangle.corners();
      const std::array<Vec3, 3> corners{rest(first), rest(second), rest(third)};
      const ClosestPoint closest = closest_on_triangle(at, corners[0], corners[1], corners[2]);
      if (!(closest.distance < kAlong * reach_between(own, triangle)) || !is_connected_near(own, triangle, at)) return false;
      if (closest.distance < kAtRest * reach_between(own, triangle)) return true;
      RestPlace other{Vec3::Zero(), (corners[1] - corners[0]).cross(corners[2] - corners[0]), Vec3::Zero()};
      std::vector<int> ends;
      for (std::size_t i = 0; i < 3; ++i) {
        other.position += closest.shares[i] * corners[i];
        if (closest.corners[i]) ends.push_back(triangle.points[i]);
      }
      other.rim = rim_of(ends);
      const std::span<const int> own_points(own.points.data(), static_cast<std::size_t>(own.place.corners));
      return are_beside_each_other(own, triangle, {at, position_of(own.place, own.points, normal), rim_of(own_points)}, other);
    });
  }
  std::erase_if(found.edge_pairs, [&](const std::array<int, 2>& pair) {
    const NearbyFeature &a = found.edges[pair[0]], &b = found.edges[pair[1]];
    if (!may_be_neighbours(a, b)) return false;
    if (const std::optional<bool> neighbours = are_neighbours_along_rod(found, a, b)) return *neighbours;
    const std::array<Vec3, 4> x{rest(a.points[0]), rest(a.points[1]), rest(b.points[0]), rest(b.points[1])};
    const double distance = edge_distance(x);
    const Vec3 at = place_on_first_edge(x);
    if (!(distance < kAlong * reach_between(a, b)) || !is_connected_near(a, b, at)) return false;
    if (distance < kAtRest * reach_between(a, b)) return true;
    const auto place = [&](const NearbyFeature& edge, const Vec3& position) {
      return RestPlace{position, normal(edge.points[0]) + normal(edge.points[1]), rim_of(std::span(edge.points).first(2))};
    };
    return are_beside_each_other(a, b, place(a, at), place(b, place_on_first_edge(std::array{x[2], x[3], x[0], x[1]})));
  });
}

}  // namespace traction
