#include "asynchronous/candidate_search.h"

#include <algorithm>

namespace traction {

namespace {

constexpr double kAtRest = 1.05;  // in multiples of the reach, as for other contact between edges and faces

}  // namespace

CandidateSearch::CandidateSearch(const ContactSetup& setup, int points) : setup_(setup), around_(static_cast<std::size_t>(points)) {
  const auto add = [&](Set set, const Feature& feature) {
    for (int i = 0; i < feature.size; ++i) around_[static_cast<std::size_t>(feature.points[i])].emplace_back(set, static_cast<int>(features_[set].size()));
    features_[set].push_back(feature);
  };
  for (std::size_t s = 0; s < setup.surfaces.size(); ++s) {
    const int surface = static_cast<int>(s);
    for (const int vertex : setup.surfaces[s].vertices) add(vertices, {{vertex, -1, -1}, 1, surface});
    for (const auto& [a, b] : setup.surfaces[s].edges) add(edges, {{a, b, -1}, 2, surface});
    for (const auto& triangle : setup.surfaces[s].triangles) add(triangles, {triangle, 3, surface});
  }
}

BoundingBox CandidateSearch::box(const Feature& feature, const BoxOf& box_of) const {
  BoundingBox result;
  for (int i = 0; i < feature.size; ++i) {
    const BoundingBox of_point = box_of(feature.points[i]);
    result.include(of_point.lower);
    result.include(of_point.upper);
  }
  return result;
}

void CandidateSearch::start(const BoxOf& box_of, const Found& found) {
  known_.clear();
  for (const Set set : {vertices, edges, triangles}) {
    std::vector<BoundingBox> boxes;
    for (const Feature& feature : features_[set]) boxes.push_back(box(feature, box_of));
    trees_[set] = GrowingTree(std::move(boxes));
  }
  for (int v = 0; v < static_cast<int>(features_[vertices].size()); ++v) find(vertices, v, true, found);
  for (int e = 0; e < static_cast<int>(features_[edges].size()); ++e) find(edges, e, false, found);
}

void CandidateSearch::change_point(int point, const BoxOf& box_of, const Found& found) {
  const auto& around = around_[static_cast<std::size_t>(point)];
  for (const auto& [set, number] : around) trees_[set].change(number, box(features_[set][static_cast<std::size_t>(number)], box_of));
  for (const auto& [set, number] : around) find(set, number, true, found);
}

// `all`: whether edges with lower numbers count, too.
void CandidateSearch::find(Set set, int number, bool all, const Found& found) {
  const Set other = set == vertices ? triangles : set == triangles ? vertices : edges;
  std::vector<int> near;  // in the order of their numbers, whatever the order of the tree
  trees_[other].for_each_overlap(trees_[set].box(number), [&](int candidate) {
    if (set != edges || all || candidate > number) near.push_back(candidate);
  });
  std::sort(near.begin(), near.end());
  for (const int candidate : near) meet(set, number, candidate, found);
}

bool CandidateSearch::may_meet(Set set, const Feature& a, const Feature& b) const {
  const int law = setup_.law_of(a.surface, b.surface);
  if (law < 0) return false;
  const auto is_nail = [&](const Feature& feature) { return set == edges && feature.points[0] == feature.points[1]; };
  const auto has_triangles = [&](const Feature& feature) { return !setup_.surfaces[static_cast<std::size_t>(feature.surface)].triangles.empty(); };
  if ((is_nail(a) && has_triangles(b)) || (is_nail(b) && has_triangles(a))) return false;  // a nail meets triangles as a vertex
  for (int i = 0; i < a.size; ++i)
    if (std::find(b.points.begin(), b.points.end(), a.points[i]) != b.points.end()) return false;
  const auto piece = [&](int point) { return point < static_cast<int>(setup_.pieces.size()) ? setup_.pieces[static_cast<std::size_t>(point)] : -1; };
  if (piece(a.points[0]) < 0 || piece(a.points[0]) != piece(b.points[0])) return true;
  const auto rest = [&](int point) { return setup_.rest[static_cast<std::size_t>(point)]; };
  const double reach = setup_.laws[static_cast<std::size_t>(law)].thickness + setup_.surfaces[static_cast<std::size_t>(a.surface)].offset +
                       setup_.surfaces[static_cast<std::size_t>(b.surface)].offset;
  double distance = 0;
  if (set == edges) distance = closest_pair(PairKind::edge_edge, {rest(a.points[0]), rest(a.points[1]), rest(b.points[0]), rest(b.points[1])}).distance;
  else distance = closest_pair(PairKind::vertex_triangle, {rest(a.points[0]), rest(b.points[0]), rest(b.points[1]), rest(b.points[2])}).distance;
  return distance > kAtRest * reach;
}

void CandidateSearch::meet(Set set, int first, int second, const Found& found) {
  if (set == triangles) return meet(vertices, second, first, found);
  if (set == edges && second < first) std::swap(first, second);
  const std::uint64_t key = (static_cast<std::uint64_t>(set == edges) << 60) | (static_cast<std::uint64_t>(first) << 30) | static_cast<std::uint64_t>(second);
  const Feature &a = features_[set][static_cast<std::size_t>(first)], &b = features_[set == vertices ? triangles : edges][static_cast<std::size_t>(second)];
  if (!known_.insert(key).second || !may_meet(set, a, b)) return;
  if (set == vertices) found({PairKind::vertex_triangle, {a.points[0], b.points[0], b.points[1], b.points[2]}, a.surface, b.surface, key});
  else found({PairKind::edge_edge, {a.points[0], a.points[1], b.points[0], b.points[1]}, a.surface, b.surface, key});
}

void CandidateSearch::for_each_edge_and_triangle(const std::function<void(const std::array<int, 2>&, const std::array<int, 3>&)>& found) const {
  for (std::size_t e = 0; e < features_[edges].size(); ++e) {
    const Feature& edge = features_[edges][e];
    trees_[triangles].for_each_overlap(trees_[edges].box(static_cast<int>(e)), [&](int t) {
      const Feature& triangle = features_[triangles][static_cast<std::size_t>(t)];
      for (int i = 0; i < 2; ++i)
        if (!may_meet(vertices, {{edge.points[i], -1, -1}, 1, edge.surface}, triangle)) return;
      found({edge.points[0], edge.points[1]}, triangle.points);
    });
  }
}

}  // namespace traction
