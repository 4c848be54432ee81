// Reports of layered contact: sums over rows, and faults at the start.
#include "asynchronous/layered_contact.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "parallel/collective.h"

namespace traction {

namespace {

constexpr double kCoplanar = 1e-10;  // relative to the lengths of edges

}  // namespace

std::vector<LayeredContact::Summary> LayeredContact::summarize(double time, double row) const {
  std::vector<Summary> result(setup_.laws.size());
  for (const Pair& pair : pairs_) {
    if (!pair.close || !counts_here(pair)) continue;
    Summary& summary = result[static_cast<std::size_t>(pair.law)];
    const double gap = approach(pair, positions(pair, time)).distance - pair.offset;
    summary.least_gap = std::min(summary.least_gap, gap);
    if (!(gap < law(pair).thickness)) continue;
    ++summary.pairs;
    summary.energy += law(pair).energy(gap);
    summary.layers = std::max(summary.layers, law(pair).layers(gap));
  }
  for (std::size_t l = 0; l < result.size(); ++l) result[l].force = sums_.on_first_sides[l] / row;
  return result;
}

void LayeredContact::end_row(double end, MPI_Comm communicator) {
  std::vector<double> sums{static_cast<double>(sums_.counts.layers), static_cast<double>(sums_.counts.certificates), static_cast<double>(sums_.counts.courses),
                           sums_.lost_by_restitution, sums_.lost_by_friction};
  const auto each = [&](const auto& action) {  // every number that is a sum
    for (auto* list : {&sums_.on_first_sides, &sums_.on_vertices})
      for (Vec3& vector : *list)
        for (int axis = 0; axis < 3; ++axis) action(vector[axis]);
  };
  each([&](double value) { sums.push_back(value); });
  sum_over_ranks(communicator, sums);
  sums_.counts = {static_cast<long>(sums[0]), static_cast<long>(sums[1]), static_cast<long>(sums[2])};
  sums_.lost_by_restitution = sums[3];
  sums_.lost_by_friction = sums[4];
  std::size_t next = 5;
  each([&](double& value) { value = sums[next++]; });
  summaries_ = summarize(end, end - row_start_);
  for (Summary& summary : summaries_) {
    std::array<double, 2> added{summary.energy, static_cast<double>(summary.pairs)};
    sum_over_ranks(communicator, added);
    summary.energy = added[0];
    summary.pairs = static_cast<long>(added[1]);
    summary.least_gap = minimum_over_ranks(communicator, summary.least_gap);
    summary.layers = static_cast<int>(maximum_over_ranks(communicator, summary.layers));
  }
}

std::string LayeredContact::name_of_point(int point, double time) const {
  std::string name = "?";
  for (const ContactSetup::Surface& surface : setup_.surfaces)
    if (std::find(surface.vertices.begin(), surface.vertices.end(), point) != surface.vertices.end()) name = surface.name;
  for (const ContactSetup::Wall& wall : setup_.walls)
    if (name == "?" && std::find(wall.vertices.begin(), wall.vertices.end(), point) != wall.vertices.end()) name = wall.body;
  const Vec3 x = points_.position(point, time);
  return fmt::format("'{}' at ({:.4g}, {:.4g}, {:.4g})", name, x.x(), x.y(), x.z());
}

std::string LayeredContact::name_of_other(const Pair& pair, double time) const {
  return pair.wall < 0 ? name_of_point(pair.points[3], time) : fmt::format("'{}'", setup_.walls[static_cast<std::size_t>(pair.wall)].name);
}

std::optional<LayeredContact::Fault> LayeredContact::fault_at_start(double time) {
  window_end_ = time;
  for (int point = 0; point < points_.count(); ++point)
    if (touches_[static_cast<std::size_t>(point)]) begin_course(point, time);
  std::optional<Fault> fault;
  const auto examine = [&](const Pair& pair) {
    const double gap = approach(pair, positions(pair, time)).distance - pair.offset;
    if (gap > law(pair).thickness || fault) return;
    fault = {fmt::format("{} and {} are {:.4g} m apart, no more than the thickness of {:.4g} m of contact '{}'", name_of_point(pair.points[0], time),
                         name_of_other(pair, time), gap, law(pair).thickness, law(pair).name),
             "move them apart, or make the contact thinner", pair.law};
  };
  search_.start([&](int point) { return box_of(point); },
                [&](const Candidate& candidate) {
                  const Pair pair = pair_of(candidate);
                  if (!immobile(pair)) examine(pair);
                });
  for (std::size_t w = 0; w < setup_.walls.size(); ++w)
    for (const int vertex : setup_.walls[w].vertices)
      if (const Pair pair = pair_of(static_cast<int>(w), vertex); !immobile(pair)) examine(pair);
  search_.for_each_edge_and_triangle([&](const std::array<int, 2>& edge, const std::array<int, 3>& triangle) {
    const Vec3 a = points_.position(edge[0], time), d = points_.position(edge[1], time) - a, p = points_.position(triangle[0], time);
    const Vec3 e = points_.position(triangle[1], time) - p, f = points_.position(triangle[2], time) - p, h = d.cross(f);
    const double determinant = e.dot(h);
    if (std::abs(determinant) <= kCoplanar * d.norm() * e.norm() * f.norm()) return;
    const Vec3 r = a - p, q = r.cross(e);
    const double u = r.dot(h) / determinant, v = d.dot(q) / determinant, t = f.dot(q) / determinant;
    if (u < 0 || v < 0 || u + v > 1 || t < 0 || t > 1) return;
    fault = {fmt::format("{} and {} pass through each other", name_of_point(edge[0], time), name_of_point(triangle[0], time)), "move them apart", 0};
  });
  return fault;
}

}  // namespace traction
