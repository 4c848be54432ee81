#include "mesh/rods.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <vector>

#include "errors.h"
#include "math/position_text.h"

namespace traction {

namespace {

constexpr double kFold = 1e-6;  // segments lie on each other if 1 + the cosine of the angle between them is below this

// A segment as a chain passes it.
struct Link {
  int segment;
  std::array<int, 2> ends;
};

class Chains {
 public:
  Chains(const Mesh& mesh, const std::map<int, std::optional<Vec3>>& segments) : mesh_(mesh), segments_(segments) {
    for (const auto& [segment, direction] : segments)
      for (const int end : mesh.segments[segment]) {
        std::vector<int>& met = at_[end];
        met.push_back(segment);
        if (met.size() > 2)
          throw InputError(fmt::format("{}: more than two segments of a rod meet at {}; a rod does not branch. Make the branch a rod of its own body",
                                       mesh.source, position_text(mesh.vertices[end])));
      }
  }

  // The chains, each in the direction of its first listed segment. `is_closed`: whether the last link leads to the first.
  template <typename Action>
  void for_each(Action action) {
    for (const auto& [vertex, met] : at_)
      if (met.size() == 1 && !used_.contains(met[0])) pass_on(walk(vertex, met[0]), false, action);
    for (const auto& [segment, direction] : segments_)
      if (!used_.contains(segment)) pass_on(walk(mesh_.segments[segment][0], segment), true, action);
  }

 private:
  std::vector<Link> walk(int vertex, int segment) {
    std::vector<Link> links;
    while (used_.emplace(segment, true).second) {
      const auto [a, b] = mesh_.segments[segment];
      links.push_back({segment, {vertex, vertex == a ? b : a}});
      vertex = links.back().ends[1];
      const std::vector<int>& met = at_.at(vertex);
      if (met.size() == 1) break;
      segment = met[0] == segment ? met[1] : met[0];
    }
    return links;
  }

  template <typename Action>
  void pass_on(std::vector<Link> links, bool is_closed, Action action) const {
    const auto first = std::min_element(links.begin(), links.end(), [](const Link& a, const Link& b) { return a.segment < b.segment; });
    if (first->ends != mesh_.segments[first->segment]) {
      std::reverse(links.begin(), links.end());
      for (Link& link : links) std::swap(link.ends[0], link.ends[1]);
    }
    action(links, is_closed);
  }

  const Mesh& mesh_;
  const std::map<int, std::optional<Vec3>>& segments_;
  std::map<int, std::vector<int>> at_;  // the segments at each vertex
  std::map<int, bool> used_;            // segments
};

Vec3 tangent_of(const Mesh& mesh, const Link& link) { return (mesh.vertices[link.ends[1]] - mesh.vertices[link.ends[0]]).normalized(); }

// The part of a direction that is orthogonal to a segment, of unit length.
Vec3 director_near(const Mesh& mesh, const Link& link, const Vec3& direction) {
  const Vec3 tangent = tangent_of(mesh, link);
  const Vec3 across = direction - direction.dot(tangent) * tangent;
  constexpr double kAlong = 1e-3;  // sine of the angle
  if (across.norm() < kAlong)
    throw InputError(fmt::format("{}: the 'director' points along the rod's segment at {}, the first one of its region; give a direction across it",
                                 mesh.source, position_text(mesh.vertices[link.ends[0]])));
  return across.normalized();
}

// Carries a director from a segment to the next or the previous one, without twist. `link`: the later of the two.
Vec3 carried(const Mesh& mesh, const Vec3& director, const Vec3& from, const Vec3& to, const Link& link) {
  if (1 + from.dot(to) < kFold)
    throw InputError(fmt::format("{}: a rod folds back on itself at {}; segments that follow each other must not point in opposite directions", mesh.source,
                                 position_text(mesh.vertices[link.ends[0]])));
  const Vec3 result = director - (from + to) * (director.dot(to) / (1 + from.dot(to)));
  return (result - result.dot(to) * to).normalized();
}

// Closes the directors of a ring, all carried without twist from that of the segment `fixed`, which stays. A director that is carried around a closed curve in
// this way comes back turned by an angle, unless the curve is plane. Each joint takes a part of the angle by its length.
void close_ring(const Mesh& mesh, const std::vector<Link>& links, std::size_t fixed, std::vector<Vec3>& directors) {
  const Vec3 tangent = tangent_of(mesh, links.front()), there = carried(mesh, directors.back(), tangent_of(mesh, links.back()), tangent, links.front());
  const double angle = std::atan2(tangent.dot(there.cross(directors.front())), there.dot(directors.front()));
  const auto length_of = [&](const Link& link) { return (mesh.vertices[link.ends[1]] - mesh.vertices[link.ends[0]]).norm(); };
  std::vector<double> middles;  // how far along the rod each segment has its middle
  double length = 0;
  for (const Link& link : links) {
    middles.push_back(length + length_of(link) / 2);
    length += length_of(link);
  }
  for (std::size_t k = 0; k < links.size(); ++k)
    directors[k] = Eigen::AngleAxisd(angle * (middles[k] - middles[fixed]) / length, tangent_of(mesh, links[k])) * directors[k];
}

// The directors of the segments of a chain, of which the first region that gives a direction decides. Other regions must agree.
std::vector<Vec3> directors_of(const Mesh& mesh, const std::vector<Link>& links, bool is_ring, const std::map<int, std::optional<Vec3>>& directions) {
  constexpr double kDisagreement = 1e-3;  // [rad]
  const auto direction = [&](const Link& link) -> const std::optional<Vec3>& { return directions.at(link.segment); };
  const auto first = std::find_if(links.begin(), links.end(), [&](const Link& link) { return direction(link).has_value(); });
  const std::size_t begin = first == links.end() ? 0 : static_cast<std::size_t>(first - links.begin());
  std::vector<Vec3> result(links.size());
  result[begin] = first == links.end() ? tangent_of(mesh, links[0]).unitOrthogonal() : director_near(mesh, *first, *direction(*first));
  for (std::size_t k = begin; k > 0; --k) result[k - 1] = carried(mesh, result[k], tangent_of(mesh, links[k]), tangent_of(mesh, links[k - 1]), links[k]);
  std::vector<Vec3> known;  // directions that have been compared
  if (first != links.end()) known.push_back(*direction(*first));
  for (std::size_t k = begin + 1; k < links.size(); ++k) {
    result[k] = carried(mesh, result[k - 1], tangent_of(mesh, links[k - 1]), tangent_of(mesh, links[k]), links[k]);
    const std::optional<Vec3>& own = direction(links[k]);
    if (!own || std::find(known.begin(), known.end(), *own) != known.end()) continue;
    known.push_back(*own);
    const double angle = std::acos(std::clamp(result[k].dot(director_near(mesh, links[k], *own)), -1.0, 1.0));
    if (angle > kDisagreement)
      throw InputError(
          fmt::format("{}: two regions of one rod give a 'director', and at {} the second one is {:.3g} degrees away from the first, which "
                      "follows the rod without twist; give it in one region alone",
                      mesh.source, position_text(mesh.vertices[links[k].ends[0]]), angle * 180 / EIGEN_PI));
  }
  if (is_ring) close_ring(mesh, links, begin, result);
  return result;
}

}  // namespace

void add_rods(Mesh& mesh, const std::map<int, std::optional<Vec3>>& directions_of_segments) {
  std::map<int, int> rod_of_segment;
  Chains chains(mesh, directions_of_segments);
  chains.for_each([&](const std::vector<Link>& links, bool is_closed) {
    const int first_rod = static_cast<int>(mesh.rods.size());
    const bool is_ring = is_closed && links.size() > 2;
    const std::vector<Vec3> directors = directors_of(mesh, links, is_ring, directions_of_segments);
    for (std::size_t k = 0; k < links.size(); ++k) {
      rod_of_segment[links[k].segment] = static_cast<int>(mesh.rods.size());
      mesh.rods.push_back({{links[k].ends[0], links[k].ends[1], static_cast<int>(mesh.vertices.size())}});
      mesh.vertices.push_back(directors[k]);
    }
    const int count = static_cast<int>(links.size());
    for (int k = 0; k < (is_ring ? count : count - 1); ++k) {
      const int a = first_rod + k, b = first_rod + (k + 1) % count;
      const auto &one = mesh.rods[a].vertices, &other = mesh.rods[b].vertices;
      mesh.joints.push_back({{one[0], one[1], other[1], one[2], other[2]}, {a, b}});
    }
  });
  for (Region& region : mesh.regions) {
    for (const int segment : region.segments)
      if (const auto found = rod_of_segment.find(segment); found != rod_of_segment.end()) region.rods.push_back(found->second);
    std::sort(region.rods.begin(), region.rods.end());
  }
}

}  // namespace traction
