#include "contact/vertex_surface.h"

#include <algorithm>
#include <limits>

#include "contact/admissible_part.h"
#include "parallel/collective.h"

namespace traction {

namespace {

// A vertex that goes so far at once, as part of the surface's reach, is not through the region behind the surface in which the gap is negative: for all that
// contact allows as thickness and reach that is at least 0.4 of the reach deep.
constexpr double kPartOfReach = 0.25;

}  // namespace

VertexSurface::VertexSurface(std::shared_ptr<const Halo> halo, ImplicitSurface surface, bool two_sided, Search search, std::vector<PairWeight> weights)
    : halo_(std::move(halo)), surface_(surface), two_sided_(two_sided), search_(std::move(search)), weights_(std::move(weights)) {
  if (two_sided_) sides_.assign(count(), 0);
}

void VertexSurface::update(const Field& positions) {
  search_.update(positions);
  find_sides(positions);
}

void VertexSurface::begin_step(const State& state) {
  if (two_sided_) {
    std::fill(sides_.begin(), sides_.end(), 0);
    start_ = state.q;
  }
  update(state.q);
}

// Decides for the vertices that have no side yet: where they were at the start of the step, seen from the triangles that are within reach at these positions.
// So one that a guess takes through the surface from beyond its reach is not lost.
void VertexSurface::find_sides(const Field& positions) {
  if (!two_sided_) return;
  const Search::Nearby& nearby = *search_.nearby();
  Field now(nearby.copies().count()), start(nearby.copies().count());
  nearby.copies().forward(positions.values(), now.values());
  nearby.copies().forward(start_.values(), start.values());
  const WorkClock::Shift shift(work_);
  std::vector<Vec3> points, corners;
  for (std::size_t k = 0; k < sides_.size(); ++k) {
    if (sides_[k] != 0) continue;
    points.assign(1, positions[vertex(k)]);
    corners.clear();
    for (int triangle : nearby.near(k))
      for (int copy : nearby.items()[triangle]) {
        points.push_back(now[copy]);
        corners.push_back(start[copy]);
      }
    const ImplicitSurfaceSample<double> sample(surface_, points[0], as_corners<double>(std::span<const Vec3>(points).subspan(1)));
    if (!sample.within_reach()) continue;
    double distance = 0;
    sample.for_each_corner([&](std::size_t i, int a, double share) {
      const Vec3* corner = &corners[3 * i];
      distance += share * (corner[1] - corner[0]).cross(corner[2] - corner[0]).normalized().dot(start_[vertex(k)] - corner[a]);
    });
    sides_[k] = distance < 0 ? -1 : 1;
  }
}

std::span<const int> VertexSurface::Surroundings::points(std::size_t k, std::vector<int>& buffer) const {
  const bool turned = family_->two_sided_ && family_->sides_[k] < 0;
  buffer.assign(1, family_->vertex(k));
  for (int triangle : nearby_->near(k)) {
    const std::array<int, 3>& corners = nearby_->items()[triangle];
    for (int copy : {corners[0], corners[turned ? 2 : 1], corners[turned ? 1 : 2]}) buffer.push_back(owned() + copy);
  }
  return buffer;
}

Field VertexSurface::Surroundings::copies_of(const Field& field) const {
  Field result(copies());
  nearby_->copies().forward(field.values(), result.values());
  return result;
}

VertexSurface::Surroundings VertexSurface::surroundings(const State& state) const {
  Surroundings result(*this);
  result.q = result.copies_of(state.q);
  result.v = result.copies_of(state.v);
  return result;
}

std::vector<double> VertexSurface::gaps_at(const Field& positions, double offset) {
  update(positions);
  const Surroundings near(*this);
  const Field copies = near.copies_of(positions);
  const WorkClock::Shift shift(work_);
  std::vector<double> gaps(count(), std::numeric_limits<double>::infinity());
  std::vector<int> buffer;
  std::vector<Vec3> x;
  for (std::size_t k = 0; k < gaps.size(); ++k) {
    x.assign(1, positions[vertex(k)]);
    for (int point : near.points(k, buffer).subspan(1)) x.push_back(copies[point - near.owned()]);
    const SurfaceSample<double> sample(surface_, x);
    if (sample.within_reach()) gaps[k] = sample.gap() - offset;
  }
  return gaps;
}

std::optional<double> VertexSurface::admissible_part(const ContactLaw& law, const State& state, const Field& displacement) {
  Field moved = state.q;
  const auto gaps_after = [&](double part) {
    moved.array() = state.q.array() + part * displacement.array();
    return gaps_at(moved, law.offset);
  };
  const std::vector<double> start = gaps_after(0);
  const auto spare = [&](const std::vector<double>& gaps) {  // of the vertex that has least
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < gaps.size(); ++k) least = std::min(least, gaps[k] - least_gap(start[k], law.thickness));
    return minimum_over_ranks(communicator(), least);
  };
  if (!(spare(start) > 0)) return std::nullopt;
  double distance = 0;  // that any vertex of either side goes; the two sides may go as far in opposite directions
  for (int vertex : search_.watched()) distance = std::max(distance, displacement[vertex].norm());
  distance = maximum_over_ranks(communicator(), distance);
  return traction::admissible_part(kPartOfReach * surface_.reach / (2 * distance), [&](double part) { return spare(gaps_after(part)) >= 0; });
}

}  // namespace traction
