#include "contact/features.h"

#include <algorithm>

namespace traction {

namespace {

constexpr int kMaximumAdvances = 1000;
constexpr double kCloseEnough = 0.05;  // share of the remaining distance at which the advance ends

}  // namespace

ClosestPoint closest_on_edge(const Vec3& x, const Vec3& a, const Vec3& b) {
  const Vec3 e = b - a;
  const double along = (x - a).dot(e), square = e.squaredNorm();
  if (along <= 0) return {(x - a).norm(), {true, false, false}, {1, 0, 0}};
  if (along >= square) return {(x - b).norm(), {false, true, false}, {0, 1, 0}};
  const double t = along / square;
  return {(x - a - t * e).norm(), {true, true, false}, {1 - t, t, 0}};
}

ClosestPoint closest_on_triangle(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 e = b - a, f = c - a, r = x - a, normal = e.cross(f);
  const double square = normal.squaredNorm();
  const double share_b = r.cross(f).dot(normal), share_c = e.cross(r).dot(normal), share_a = square - share_b - share_c;
  if (share_a > 0 && share_b > 0 && share_c > 0)
    return {std::abs(r.dot(normal)) / std::sqrt(square), {true, true, true}, {share_a / square, share_b / square, share_c / square}};
  const std::array<const Vec3*, 3> corners{&a, &b, &c};
  const std::array<double, 3> opposite{share_c, share_a, share_b};  // shares for the edge from each corner to the next; at most 0 beyond this edge
  // The signs decide, not the distances: beside a corner all distances agree within 1e-8, but the triangles around it must agree where the closest point is, or
  // the forces of the pairs they count do not cancel.
  std::array<ClosestPoint, 3> on_edge;
  int closest = -1;
  for (int i = 0; i < 3; ++i) {
    on_edge[i] = closest_on_edge(x, *corners[i], *corners[(i + 1) % 3]);
    if (opposite[i] <= 0 && on_edge[i].corners[0] && on_edge[i].corners[1]) closest = i;
  }
  for (int i = 0; i < 3 && closest < 0; ++i)  // a corner that is the closest point of both of its edges
    if (!on_edge[i].corners[1] && !on_edge[(i + 2) % 3].corners[0]) closest = i;
  for (int i = 0; i < 3 && closest < 0; ++i)  // no corner was found because of rounding
    if (on_edge[i].distance <= std::min(on_edge[(i + 1) % 3].distance, on_edge[(i + 2) % 3].distance)) closest = i;
  ClosestPoint result{HUGE_VAL, {}, {}};
  if (closest < 0) return result;  // NaN
  result.distance = on_edge[closest].distance;
  for (int end = 0; end < 2; ++end) {
    result.corners[(closest + end) % 3] = on_edge[closest].corners[end];
    result.shares[(closest + end) % 3] = on_edge[closest].shares[end];
  }
  return result;
}

double edge_distance(std::span<const Vec3> x) {
  const LinePair<double> lines(x);
  if (lines.t > 0 && lines.t < 1 && lines.u > 0 && lines.u < 1) return lines.gap();
  return std::min({closest_on_edge(x[0], x[2], x[3]).distance, closest_on_edge(x[1], x[2], x[3]).distance, closest_on_edge(x[2], x[0], x[1]).distance,
                   closest_on_edge(x[3], x[0], x[1]).distance});
}

double feature_distance(std::span<const Vec3> x, int first_side) {
  return first_side == 1 ? closest_on_triangle(x[0], x[1], x[2], x[3]).distance : edge_distance(x);
}

Vec3 place_on_first_edge(std::span<const Vec3> x) {
  const LinePair<double> lines(x);
  if (lines.t > 0 && lines.t < 1 && lines.u > 0 && lines.u < 1) return x[0] + lines.t * (x[1] - x[0]);
  Vec3 place = x[0];
  double least = closest_on_edge(x[0], x[2], x[3]).distance;
  const auto note = [&](double distance, const Vec3& here) {
    if (!(distance < least)) return;
    least = distance;
    place = here;
  };
  note(closest_on_edge(x[1], x[2], x[3]).distance, x[1]);
  for (const Vec3& end : {x[2], x[3]}) {
    const ClosestPoint closest = closest_on_edge(end, x[0], x[1]);
    note(closest.distance, closest.shares[0] * x[0] + closest.shares[1] * x[1]);
  }
  return place;
}

double box_distance(std::span<const Vec3> x, int first_side) {
  const Vec3 lower_second = x[2].cwiseMin(x[3]).cwiseMin(first_side == 1 ? x[1] : x[2]),
             upper_second = x[2].cwiseMax(x[3]).cwiseMax(first_side == 1 ? x[1] : x[2]);
  const Vec3 lower_first = first_side == 1 ? x[0] : x[0].cwiseMin(x[1]), upper_first = first_side == 1 ? x[0] : x[0].cwiseMax(x[1]);
  return (lower_first - upper_second).cwiseMax(lower_second - upper_first).cwiseMax(Vec3::Zero()).norm();
}

double largest_approach(std::span<const Vec3> displacements, int first_side) {
  const Vec3 common = (displacements[0] + displacements[1] + displacements[2] + displacements[3]) / 4;
  std::array<double, 2> largest{};  // squared largest displacement of a point of either side, without the common motion
  for (int i = 0; i < 4; ++i) {
    double& side = largest[i < first_side ? 0 : 1];
    side = std::max(side, (displacements[i] - common).squaredNorm());
  }
  return std::sqrt(largest[0]) + std::sqrt(largest[1]);
}

double admissible_advance(std::span<const Vec3> x, std::span<const Vec3> displacements, int first_side, double least, double upper) {
  const double speed = largest_approach(displacements, first_side);
  if (!std::isfinite(speed)) return 0;
  const double start = feature_distance(x, first_side) - least;
  if (speed * upper <= start) return upper;
  if (!(start > 0)) return 0;
  std::array<Vec3, 4> moved;
  double reached = 0, left = start;
  for (int i = 0; i < kMaximumAdvances; ++i) {
    const double next = reached + left / speed;
    if (next >= upper) return upper;
    for (int point = 0; point < 4; ++point) moved[point] = x[point] + next * displacements[point];
    left = feature_distance(moved, first_side) - least;
    if (left < 0) return reached;  // because of rounding
    reached = next;
    if (left < kCloseEnough * start) return reached;
  }
  return reached;
}

}  // namespace traction
