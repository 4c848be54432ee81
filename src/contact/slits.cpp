#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "contact/feature_search.h"
#include "contact/features.h"

namespace traction {

namespace {

constexpr double kFacing = 0.9;  // cosine of the angle up to which a face faces in a direction

// The narrowest slit of each body on all ranks; among equally narrow ones that of the lowest rank.
std::vector<FeatureSearch::Slit> narrowest_everywhere(MPI_Comm communicator, const std::vector<ContactSurface>& surfaces,
                                                      const std::map<int, FeatureSearch::Slit>& mine) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  std::set<int> bodies;
  for (const ContactSurface& surface : surfaces)
    if (surface.body >= 0) bodies.insert(surface.body);
  std::vector<FeatureSearch::Slit> result;
  for (const int body : bodies) {
    const auto own = mine.find(body);
    struct {
      double width;
      int rank;
    } least{own == mine.end() ? std::numeric_limits<double>::infinity() : own->second.width, rank};
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, communicator);
    if (std::isinf(least.width)) continue;
    Vec3 at = own == mine.end() ? Vec3::Zero() : own->second.at;
    MPI_Bcast(at.data(), 3, MPI_DOUBLE, least.rank, communicator);
    double reach = own == mine.end() ? 0 : own->second.reach;
    MPI_Bcast(&reach, 1, MPI_DOUBLE, least.rank, communicator);
    result.push_back({body, least.width, reach, at});
  }
  return result;
}

}  // namespace

// A vertex faces a triangle if both normals lie along the straight line between them: outward where there is a body behind them, either way for shells.
std::vector<FeatureSearch::Slit> FeatureSearch::slits() const {
  const auto found = near_at_rest();
  const Field copies = found->copies_of(rest_.positions);
  const auto rest = [&](int point) { return point < found->owned() ? Vec3(rest_.positions[point]) : Vec3(copies[point - found->owned()]); };
  std::map<int, Slit> narrowest;
  for (const NearbyFeatures::Query& query : found->queries) {
    const NearbyFeature& vertex = query.feature;
    const bool is_shell = surfaces_[vertex.surface].offset > 0;
    if (vertex.is_place() || surfaces_[vertex.surface].is_obstacle) continue;
    const Vec3 x = rest(vertex.points[0]), normal = rest_.normals[vertex.points[0]];
    for (const int number : query.triangles) {
      const NearbyFeature& triangle = found->triangles[number];
      if (surfaces_[vertex.surface].body != surfaces_[triangle.surface].body) continue;  // attached bodies lie on each other
      if (!may_be_neighbours(vertex, triangle) || triangle.is_segment()) continue;
      const std::array<Vec3, 3> corners{rest(triangle.points[0]), rest(triangle.points[1]), rest(triangle.points[2])};
      const ClosestPoint closest = closest_on_triangle(x, corners[0], corners[1], corners[2]);
      const double reach = reach_between(vertex, triangle);
      if (!(closest.distance < kAtRest * reach)) continue;
      Vec3 to_triangle = -x;
      for (std::size_t i = 0; i < 3; ++i) to_triangle += closest.shares[i] * corners[i];
      const Vec3 other = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
      double own_cosine = normal.dot(to_triangle) / closest.distance, other_cosine = -other.dot(to_triangle) / closest.distance;
      if (is_shell) {
        own_cosine = std::abs(own_cosine);
        other_cosine = std::abs(other_cosine);
      }
      if (!(own_cosine > kFacing && other_cosine > kFacing)) continue;
      const int body = surfaces_[vertex.surface].body;
      const auto [known, is_new] = narrowest.try_emplace(body, Slit{body, closest.distance, reach, x});
      if (!is_new && closest.distance < known->second.width) known->second = {body, closest.distance, reach, x};
    }
  }
  return narrowest_everywhere(halo_->communicator(), surfaces_, narrowest);
}

}  // namespace traction
