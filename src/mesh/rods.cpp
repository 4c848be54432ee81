#include "mesh/rods.h"

#include <fmt/format.h>

#include <algorithm>
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

// Orthogonal to the tangent, of unit length.
Vec3 first_director(const Mesh& mesh, const Link& link, const std::optional<Vec3>& direction) {
  const Vec3 tangent = tangent_of(mesh, link);
  if (!direction) return tangent.unitOrthogonal();
  const Vec3 across = *direction - direction->dot(tangent) * tangent;
  constexpr double kAlong = 1e-3;  // sine of the angle
  if (across.norm() < kAlong)
    throw InputError(fmt::format("{}: the 'director' points along the rod's first segment at {}; give a direction across it", mesh.source,
                                 position_text(mesh.vertices[link.ends[0]])));
  return across.normalized();
}

}  // namespace

void add_rods(Mesh& mesh, const std::map<int, std::optional<Vec3>>& directions_of_segments) {
  std::map<int, int> rod_of_segment;
  Chains chains(mesh, directions_of_segments);
  chains.for_each([&](const std::vector<Link>& links, bool is_closed) {
    const int first_rod = static_cast<int>(mesh.rods.size());
    Vec3 tangent = tangent_of(mesh, links.front()), director = first_director(mesh, links.front(), directions_of_segments.at(links.front().segment));
    for (std::size_t k = 0; k < links.size(); ++k) {
      const Vec3 next = tangent_of(mesh, links[k]);
      if (1 + tangent.dot(next) < kFold)
        throw InputError(fmt::format("{}: a rod folds back on itself at {}; segments that follow each other must not point in opposite directions", mesh.source,
                                     position_text(mesh.vertices[links[k].ends[0]])));
      director -= (tangent + next) * (director.dot(next) / (1 + tangent.dot(next)));  // carried without twist
      director = (director - director.dot(next) * next).normalized();
      tangent = next;
      rod_of_segment[links[k].segment] = static_cast<int>(mesh.rods.size());
      mesh.rods.push_back({{links[k].ends[0], links[k].ends[1], static_cast<int>(mesh.vertices.size())}});
      mesh.vertices.push_back(director);
    }
    const int count = static_cast<int>(links.size());
    for (int k = 0; k < (is_closed && count > 2 ? count : count - 1); ++k) {
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
