#include "contact/surface_crossings.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "math/box_tree.h"
#include "math/piercing.h"
#include "parallel/collective.h"
#include "parallel/rendezvous.h"

namespace traction {

namespace {

using Triangle = std::array<Vec3, 3>;

// A triangle as ranks send it to each other.
struct Sample {
  std::array<PetscInt, 3> vertices;  // global numbers
  std::array<double, 9> corners;
  int body;

  Vec3 corner(int k) const { return {corners[3 * k], corners[3 * k + 1], corners[3 * k + 2]}; }
  Triangle triangle() const { return {corner(0), corner(1), corner(2)}; }
  Vec3 position() const { return (corner(0) + corner(1) + corner(2)) / 3; }
};

// A hierarchy of triangles, which may be empty.
class TriangleTree {
 public:
  explicit TriangleTree(const std::vector<Triangle>& triangles) {
    std::vector<BoundingBox> boxes(triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t)
      for (const Vec3& corner : triangles[t]) boxes[t].include(corner);
    if (!boxes.empty()) tree_.emplace(std::move(boxes));
  }
  // Calls action(number) for each triangle whose box meets that of the edge from a to b.
  template <typename Action>
  void for_each_near(const Vec3& a, const Vec3& b, const Action& action) const {
    if (!tree_) return;
    BoundingBox box;
    box.include(a);
    box.include(b);
    tree_->for_each_overlap(box, action);
  }

 private:
  std::optional<BoxTree> tree_;
};

// Collects the deepest piercing of each pair of surfaces.
class DeepestCrossings {
 public:
  void test(int first, int second, const Vec3& a, const Vec3& b, const Triangle& triangle) {
    if (const auto piercing = find_piercing(a, b, triangle))
      add({std::min(first, second), std::max(first, second), piercing->depth, (b - a).norm(), piercing->place});
  }
  // Among equally deep ones the first in space counts, so that the place does not depend on the ranks.
  void add(const SurfaceCrossings::Crossing& crossing) {
    const auto [at, is_new] = found_.try_emplace({crossing.first, crossing.second}, crossing);
    const auto order = [](const SurfaceCrossings::Crossing& c) { return std::array{-c.depth, c.place.x(), c.place.y(), c.place.z(), c.edge}; };
    if (!is_new && order(crossing) < order(at->second)) at->second = crossing;
  }
  std::vector<SurfaceCrossings::Crossing> over_ranks(MPI_Comm communicator) const {
    constexpr std::size_t kNumbers = 7;
    std::vector<double> rows;
    for (const auto& [pair, c] : found_)
      rows.insert(rows.end(), {static_cast<double>(c.first), static_cast<double>(c.second), c.depth, c.edge, c.place.x(), c.place.y(), c.place.z()});
    rows = concatenated_over_ranks(communicator, rows);
    DeepestCrossings all;
    for (std::size_t row = 0; row < rows.size(); row += kNumbers)
      all.add({static_cast<int>(rows[row]), static_cast<int>(rows[row + 1]), rows[row + 2], rows[row + 3], {rows[row + 4], rows[row + 5], rows[row + 6]}});
    std::vector<SurfaceCrossings::Crossing> list;
    for (const auto& [pair, crossing] : all.found_) list.push_back(crossing);
    return list;
  }

 private:
  std::map<std::pair<int, int>, SurfaceCrossings::Crossing> found_;
};

std::array<std::array<int, 2>, 3> sides_of(const std::array<int, 3>& triangle) {
  std::array<std::array<int, 2>, 3> sides;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto [low, high] = std::minmax(triangle[i], triangle[(i + 1) % 3]);
    sides[i] = {low, high};
  }
  return sides;
}

// The triangles of bodies, on whatever ranks, that may be near an edge of this rank; its own are among them. Collective.
std::vector<Sample> nearby_triangles(const Halo& halo, const SurfaceCrossings::Bodies& bodies, const std::vector<std::array<int, 2>>& edges,
                                     const State& state) {
  std::vector<Sample> mine;
  double radius = 0;  // largest distance of a corner from its triangle's centroid [m]
  for (std::size_t t = 0; t < bodies.triangles.size(); ++t) {
    Sample& sample = mine.emplace_back();
    sample.body = bodies.body_of_triangle[t];
    for (int k = 0; k < 3; ++k) {
      sample.vertices[k] = halo.to_global(bodies.triangles[t][k]);
      Eigen::Map<Vec3>(sample.corners.data() + 3 * k) = state.q[bodies.triangles[t][k]];
    }
    for (const Vec3& corner : sample.triangle()) radius = std::max(radius, (corner - sample.position()).norm());
  }
  BoundingBox around;
  for (const auto& edge : edges)
    for (const int end : edge) around.include(state.q[end]);
  around.grow(maximum_over_ranks(halo.communicator(), radius));
  return find_in_box<Sample>(halo.communicator(), around, mine);
}

}  // namespace

SurfaceCrossings::SurfaceCrossings(std::shared_ptr<const Halo> halo, Bodies bodies, std::vector<Obstacle> obstacles)
    : halo_(std::move(halo)), bodies_(std::move(bodies)), obstacles_(std::move(obstacles)) {
  std::set<std::pair<int, int>> known;
  for (std::size_t t = 0; t < bodies_.triangles.size(); ++t)
    for (const auto& side : sides_of(bodies_.triangles[t])) {
      if (!known.insert({side[0], side[1]}).second) continue;
      edges_.push_back(side);
      body_of_edge_.push_back(bodies_.body_of_triangle[t]);
    }
  edges_.insert(edges_.end(), bodies_.rods.begin(), bodies_.rods.end());
  body_of_edge_.insert(body_of_edge_.end(), bodies_.body_of_rod.begin(), bodies_.body_of_rod.end());
  for (Obstacle& obstacle : obstacles_) {
    known.clear();
    for (const auto& triangle : obstacle.triangles)
      for (const auto& side : sides_of(triangle))
        if (known.insert({side[0], side[1]}).second) obstacle.segments.push_back(side);
  }
}

std::vector<SurfaceCrossings::Crossing> SurfaceCrossings::find(const State& state) const {
  DeepestCrossings deepest;
  const std::vector<Sample> samples = nearby_triangles(*halo_, bodies_, edges_, state);
  std::vector<Triangle> triangles;
  for (const Sample& sample : samples) triangles.push_back(sample.triangle());
  const auto corners_at = [&](std::span<const std::array<int, 2>> edges, std::size_t e, const auto& position) {
    return std::array<Vec3, 2>{position(edges[e][0]), position(edges[e][1])};
  };
  const auto position = [&](int vertex) -> Vec3 { return state.q[vertex]; };
  const TriangleTree tree(triangles);
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    const std::array<PetscInt, 2> ends{halo_->to_global(edges_[e][0]), halo_->to_global(edges_[e][1])};
    const auto [a, b] = corners_at(edges_, e, position);
    tree.for_each_near(a, b, [&](int t) {
      const auto& corners = samples[t].vertices;
      if (std::find_first_of(corners.begin(), corners.end(), ends.begin(), ends.end()) != corners.end()) return;
      deepest.test(body_of_edge_[e], samples[t].body, a, b, triangles[t]);
    });
  }
  for (std::size_t o = 0; o < obstacles_.size(); ++o) {
    const Obstacle& obstacle = obstacles_[o];
    const int number = bodies_.count + static_cast<int>(o);
    const Pose pose(obstacle.motion, state.time);
    std::vector<Vec3> points;
    for (const Vec3& point : obstacle.points) points.push_back(pose.to_world<double>(point));
    const auto point_at = [&](int point) -> Vec3 { return points[point]; };
    for (std::size_t e = 0; e < obstacle.segments.size(); ++e) {
      const auto [a, b] = corners_at(obstacle.segments, e, point_at);
      tree.for_each_near(a, b, [&](int t) { deepest.test(samples[t].body, number, a, b, triangles[t]); });
    }
    std::vector<Triangle> faces;
    for (const auto& [i, j, k] : obstacle.triangles) faces.push_back({points[i], points[j], points[k]});
    const TriangleTree face_tree(faces);
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      const auto ends = corners_at(edges_, e, position);
      face_tree.for_each_near(ends[0], ends[1], [&](int t) { deepest.test(body_of_edge_[e], number, ends[0], ends[1], faces[t]); });
      for (const GapFunction& gap : obstacle.shape)
        for (const Vec3& x : ends) {
          const double depth = -std::visit([&](const auto& shape) { return shape(pose.to_rest<double>(x)).gap; }, gap);
          if (depth > 0) deepest.add({body_of_edge_[e], number, depth, (ends[1] - ends[0]).norm(), x});
        }
    }
  }
  return deepest.over_ranks(halo_->communicator());
}

}  // namespace traction
