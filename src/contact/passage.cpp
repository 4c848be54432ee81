#include "contact/passage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include "parallel/collective.h"

namespace traction {

namespace {

constexpr double kSmallestPiece = 0.01;  // in parts of half the obstacle's depth; a path that enters by less than a hundredth of it may be overlooked

// Smallest cosine between the normals of two triangles on the same side. The smooth surface of a curved mesh lies off its triangles, so a point that slides on
// it may enter at one triangle and leave at the next one.
constexpr double kSameSide = 0.5;

double length_of(std::span<const Vec3> path) {
  double sum = 0;
  for (std::size_t i = 1; i < path.size(); ++i) sum += (path[i] - path[i - 1]).norm();
  return sum;
}

// A signed distance changes by at most the distance that a point moves, so the point can always advance by the present gap (conservative advancement).
template <typename Gap>
bool leads_through_shape(const Gap& gap, double depth, std::span<const Vec3> path, double offset) {
  const double start = gap(path.front()).gap - offset, length = length_of(path);
  if (length < start || length - std::min(start, 0.0) <= depth) return false;
  std::optional<Vec3> entry;  // normal at the place of entry, while the point is inside the obstacle
  bool came_from_outside = start > 0;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const Vec3 way = path[i] - path[i - 1];
    const double distance = way.norm();
    double gone = 0;
    for (bool ends = false; !ends;) {
      ends = !(gone < distance);
      const GapSample<double> sample = gap(ends ? path[i] : Vec3(path[i - 1] + gone / distance * way));
      const double here = sample.gap - offset;
      if (here <= 0 && !entry) {
        entry = sample.normal;
      } else if (here > 0 && entry) {
        if (came_from_outside || sample.normal.dot(*entry) <= 0) return true;
        entry.reset();
      }
      if (here > 0) came_from_outside = true;
      gone += std::max(std::abs(here), kSmallestPiece * depth);
    }
  }
  return entry && gap(path.back()).normal.dot(*entry) <= 0;
}

// A path that crosses a triangle from its front goes in, and must end where the sheet that contains this triangle pushes it back.
bool leads_through_mesh(const MeshGap& mesh, std::span<const Vec3> path) {
  TriangleCrossings crossings;
  for (std::size_t i = 1; i < path.size(); ++i)
    for (const auto& [crossing, triangle] : mesh.surface->crossings(path[i - 1], path[i])) crossings.add(crossing, triangle);
  if (crossings.leads_through() || !crossings.entry()) return crossings.leads_through();
  std::vector<Corners<double>> corners;
  for (const std::vector<int>& sheet : mesh.surface->sheets(path.back())) {
    if (std::find(sheet.begin(), sheet.end(), crossings.triangle()) == sheet.end()) continue;
    for (int triangle : sheet) corners.push_back(mesh.surface->triangle(triangle));
    return SheetGap{mesh.surface->surface(), corners, mesh.surface->has_rim(sheet)}(path.back()).normal.dot(*crossings.entry()) <= 0;
  }
  return true;
}

}  // namespace

void TriangleCrossings::add(const Crossing& crossing, long triangle) {
  if (crossing.inwards) {
    if (entry_) return;
    entry_ = crossing.normal;
    triangle_ = triangle;
  } else if (entry_) {
    if (crossing.normal.dot(*entry_) < kSameSide) leads_through_ = true;
    entry_.reset();
  }
}

bool leads_through(const GapFunction& obstacle, std::span<const Vec3> path, double offset) {
  return std::visit(
      [&](const auto& gap) {
        if constexpr (std::is_same_v<std::decay_t<decltype(gap)>, MeshGap>) return leads_through_mesh(gap, path);
        else return leads_through_shape(gap, depth_of(obstacle), path, offset);
      },
      obstacle);
}

std::optional<Vec3> first_over_ranks(MPI_Comm communicator, const std::optional<Vec3>& place) {
  int rank = 0, size = 1;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &size);
  const double first = minimum_over_ranks(communicator, place ? rank : size);
  if (first == size) return {};
  std::array<double, 3> coordinates{};
  if (first == rank) coordinates = {place->x(), place->y(), place->z()};
  sum_over_ranks(communicator, coordinates);
  return Vec3(coordinates[0], coordinates[1], coordinates[2]);
}

}  // namespace traction
