#include "dynamics/pushed_guess.h"

#include <algorithm>

#include "parallel/collective.h"

namespace traction {

namespace {

constexpr std::size_t kMostPoints = 300;  // number of points for each kind, body and rank; more would not change a smooth motion

// A vertex whose motion is known.
struct MovingPoint {
  Vec3 place;         // at the start [m]
  Vec3 displacement;  // [m]
};

// A sample of the points of all ranks, the same on all of them. Collective.
std::vector<MovingPoint> sample_over_ranks(MPI_Comm communicator, const std::vector<MovingPoint>& own) {
  const std::size_t stride = 1 + own.size() / kMostPoints;
  std::vector<double> values;
  for (std::size_t k = 0; k < own.size(); k += stride)
    for (const Vec3& vector : {own[k].place, own[k].displacement}) values.insert(values.end(), vector.data(), vector.data() + 3);
  const std::vector<double> all = concatenated_over_ranks(communicator, values);
  std::vector<MovingPoint> points;
  for (std::size_t k = 0; k < all.size(); k += 6) points.push_back({Eigen::Map<const Vec3>(&all[k]), Eigen::Map<const Vec3>(&all[k + 3])});
  return points;
}

Vec3 mean_displacement(const std::vector<MovingPoint>& points, const Vec3& place) {
  double weights = 0;
  Vec3 sum = Vec3::Zero();
  for (const MovingPoint& point : points) {
    const double square = (place - point.place).squaredNorm();
    if (square == 0) return point.displacement;
    weights += 1 / square;
    sum += point.displacement / square;
  }
  return sum / weights;
}

}  // namespace

bool move_with_pushes(const System& system, const std::vector<std::shared_ptr<ContactGroup>>& contacts, const State& start, double dt, double factor,
                      Field& positions) {
  State moving = start, end = start;
  end.time += dt;
  system.set_driven_positions(end);
  moving.v.array() = (end.q.array() - start.q.array()) / dt;
  if (start.mean) moving.mean = MeanVelocity{end.time, -dt};  // obstacles go where they will be, too
  Field pushes(system.halo().local()), counts(system.halo().local());
  for (const auto& contact : contacts) contact->for_each_term([&](const auto& term) { term->add_pushes(moving, pushes, counts); });

  bool pushed = false;
  positions.array() = end.q.array();
  const HeldVertices& held = system.held();
  for (std::size_t b = 0; b < system.bodies().size(); ++b) {
    std::vector<MovingPoint> known, found;
    for (const int vertex : system.places()[b]) {
      if (held.whole()[vertex]) known.push_back({start.q[vertex], end.q[vertex] - start.q[vertex]});
      else if (counts[vertex].x() > 0) found.push_back({start.q[vertex], factor * dt / counts[vertex].x() * pushes[vertex]});
    }
    const std::vector<MovingPoint> pushing = sample_over_ranks(system.communicator(), found);
    if (pushing.empty()) continue;
    pushed = true;
    std::vector<MovingPoint> points = sample_over_ranks(system.communicator(), known);
    points.insert(points.end(), pushing.begin(), pushing.end());
    for (const int vertex : system.bodies()[b]) {
      if (held.whole()[vertex]) continue;
      const Vec3 displacement = counts[vertex].x() > 0 ? Vec3(factor * dt / counts[vertex].x() * pushes[vertex]) : mean_displacement(points, start.q[vertex]);
      positions[vertex] = start.q[vertex] + displacement;
    }
  }
  return pushed;
}

}  // namespace traction
