#include "contact/vertex_obstacle.h"

#include <algorithm>
#include <cmath>

#include "contact/admissible_part.h"
#include "contact/passage.h"
#include "parallel/collective.h"

namespace traction {

namespace {

constexpr double kTurn = 0.1;    // angle in radians: if an obstacle turns by less, a vertex's path in its frame counts as straight
constexpr int kMostTurns = 100;  // largest number of such pieces in one step

}  // namespace

VertexObstacle::Surroundings VertexObstacle::surroundings(const State& state) const {
  Surroundings result{*this, frame_at(state)};
  if (!mesh()) return result;
  for (std::size_t k = 0; k < vertices_.size(); ++k) {
    std::uint64_t number = 0;
    for (const std::vector<int>& sheet : mesh()->sheets(result.frame.to_rest<double>(state.q[vertices_[k]]))) {
      result.sheets.push_back({k, number++, result.triangles.size(), mesh()->has_rim(sheet)});
      for (int triangle : sheet) result.triangles.push_back(mesh()->triangle(triangle));
    }
  }
  return result;
}

VertexObstacle::Surroundings VertexObstacle::close_surroundings(const State& state) const {
  if (!may_leave_out()) return surroundings(state);
  if (!is_listed(state)) list_close_pairs(state);
  Surroundings result{*this, frame_at(state)};
  result.close = close_;
  return result;
}

// Whether the list still has all pairs within reach. It was made of the pairs within twice the reach, and a gap changes by no more than the vertex moves.
bool VertexObstacle::is_listed(const State& state) const {
  if (!close_) return false;
  const double most = *reach_ * *reach_;
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    if (!((state.q[vertices_[i]] - listed_at_[i]).squaredNorm() < most)) return false;
  return true;
}

void VertexObstacle::list_close_pairs(const State& state) const {
  const Pose pose = frame_at(state);
  auto close = std::make_shared<std::vector<std::size_t>>();
  listed_at_.resize(vertices_.size());
  for (std::size_t i = 0; i < vertices_.size(); ++i) {
    listed_at_[i] = state.q[vertices_[i]];
    for (std::size_t s = 0; s < obstacle_.size(); ++s)
      if (!(ObstacleSample<double>(obstacle_[s], pose, listed_at_[i]).gap() > 2 * *reach_)) close->push_back(i * obstacle_.size() + s);
  }
  close_ = std::move(close);
}

std::optional<double> VertexObstacle::admissible_part(const ContactLaw& law, const State& state, const Field& displacement) const {
  const Pose pose = frame_at(state);
  double part = 1;  // negative if the start is not admissible
  for (std::size_t k = 0; k < vertices_.size(); ++k)
    for (const GapFunction& obstacle : obstacle_) {
      const int vertex = vertices_[k];
      const auto gap_after = [&](double part_done) {
        const Vec3 x = state.q[vertex] + part_done * displacement[vertex];
        return ObstacleSample<double>(obstacle, pose, x).gap() - law.offset - weights_[k].offset;
      };
      const double start = gap_after(0), distance = displacement[vertex].norm();
      const auto admissible = [&](double done) { return gap_after(done) >= least_gap(start, law.thickness); };
      part = start > 0 ? std::min(part, traction::admissible_part(depth_of(obstacle) / distance, admissible)) : -1;
    }
  part = minimum_over_ranks(communicator_, part);
  if (part < 0) return std::nullopt;
  return part;
}

std::optional<Vec3> VertexObstacle::passage(const ContactLaw& law, const State& start, const State& end) const {
  const double duration = end.time - start.time;
  const Pose first(motion_, start.time), last(motion_, end.time);
  const double angle = std::max(first.angular_velocity.norm(), last.angular_velocity.norm()) * duration;
  const int pieces = static_cast<int>(std::clamp(std::ceil(angle / kTurn), 1.0, static_cast<double>(kMostTurns)));
  std::vector<Pose> poses;
  for (int i = 0; i <= pieces; ++i) poses.emplace_back(motion_, i == pieces ? end.time : start.time + i * duration / pieces);
  std::optional<Vec3> found;
  std::vector<Vec3> path(poses.size());
  for (std::size_t k = 0; k < vertices_.size() && !found; ++k) {
    const Vec3 from = start.q[vertices_[k]], to = end.q[vertices_[k]];
    for (std::size_t i = 0; i < path.size(); ++i) path[i] = poses[i].to_rest<double>(from + static_cast<double>(i) / pieces * (to - from));
    for (const GapFunction& obstacle : obstacle_)
      if (!found && leads_through(obstacle, path, law.offset + weights_[k].offset)) found = from;
  }
  return first_over_ranks(communicator_, found);
}

}  // namespace traction
