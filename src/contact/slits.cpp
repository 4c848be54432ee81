#include <array>
#include <cmath>
#include <map>

#include "contact/feature_search.h"
#include "contact/features.h"
#include "parallel/collective.h"

namespace traction {

namespace {

constexpr double kFacing = 0.9;  // cosine of the angle up to which a face faces in a direction

using Slits = std::map<int, FeatureSearch::Slit>;

void note(Slits& narrowest, const FeatureSearch::Slit& slit) {
  const auto [known, is_new] = narrowest.try_emplace(slit.body, slit);
  if (!is_new && slit.width < known->second.width) known->second = slit;
}

// The narrowest slits on all ranks; among equally narrow ones that of the lowest rank. Collective.
std::vector<FeatureSearch::Slit> narrowest_everywhere(MPI_Comm communicator, const Slits& mine) {
  constexpr std::size_t kNumbers = 6;
  std::vector<double> numbers;
  for (const auto& [body, slit] : mine)
    numbers.insert(numbers.end(), {static_cast<double>(slit.body), slit.width, slit.reach, slit.at.x(), slit.at.y(), slit.at.z()});
  numbers = concatenated_over_ranks(communicator, numbers);
  Slits all;
  for (std::size_t i = 0; i < numbers.size(); i += kNumbers)
    note(all, {static_cast<int>(numbers[i]), numbers[i + 1], numbers[i + 2], {numbers[i + 3], numbers[i + 4], numbers[i + 5]}});
  std::vector<FeatureSearch::Slit> result;
  for (const auto& [body, slit] : all) result.push_back(slit);
  return result;
}

}  // namespace

// A vertex faces a triangle if both normals lie along the straight line between them: outward where there is a body behind them, either way for shells.
std::vector<FeatureSearch::Slit> FeatureSearch::slits() const {
  const auto found = near_at_rest();
  const Field copies = found->copies_of(rest_.positions);
  const auto rest = [&](int point) { return point < found->owned() ? Vec3(rest_.positions[point]) : Vec3(copies[point - found->owned()]); };
  Slits narrowest;
  for (const NearbyFeatures::Query& query : found->queries) {
    const NearbyFeature& vertex = query.feature;
    if (vertex.is_place() || surfaces_[vertex.surface].is_obstacle) continue;
    const Vec3 x = rest(vertex.points[0]), normal = rest_.normals[vertex.points[0]];
    for (const int number : query.triangles) {
      const NearbyFeature& triangle = found->triangles[number];
      const int body = surfaces_[vertex.surface].body;
      if (surfaces_[triangle.surface].body != body) continue;  // neighbours only where one carries the other
      if (!may_be_neighbours(vertex, triangle) || triangle.is_segment()) continue;
      const std::array<Vec3, 3> corners{rest(triangle.points[0]), rest(triangle.points[1]), rest(triangle.points[2])};
      const ClosestPoint closest = closest_on_triangle(x, corners[0], corners[1], corners[2]);
      const double reach = reach_between(vertex, triangle);
      if (!(closest.distance < kAtRest * reach)) continue;
      Vec3 to_triangle = -x;
      for (std::size_t i = 0; i < 3; ++i) to_triangle += closest.shares[i] * corners[i];
      const Vec3 other = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
      double own_cosine = normal.dot(to_triangle) / closest.distance, other_cosine = -other.dot(to_triangle) / closest.distance;
      if (surfaces_[vertex.surface].is_shell) {
        own_cosine = std::abs(own_cosine);
        other_cosine = std::abs(other_cosine);
      }
      if (!(own_cosine > kFacing && other_cosine > kFacing)) continue;
      note(narrowest, {body, closest.distance, reach, x});
    }
  }
  return narrowest_everywhere(halo_->communicator(), narrowest);
}

}  // namespace traction
