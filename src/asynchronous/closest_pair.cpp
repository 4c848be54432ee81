#include "asynchronous/closest_pair.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/features.h"

namespace traction {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kParallel = 1e-24;  // squared sine of an angle between edges below which rounding alone decides where their lines are closest

ClosestPair between(const PairVectors& x, const std::array<double, 4>& weights) {
  ClosestPair result{0, Vec3::Zero(), weights};
  for (int a = 0; a < 4; ++a)
    if (weights[a] != 0) result.normal += weights[a] * x[a];
  result.distance = result.normal.norm();
  result.normal /= result.distance;
  return result;
}

// The same where the common normal of both sides is known, which stays exact where they are close.
ClosestPair across(const PairVectors& x, const std::array<double, 4>& weights, const Vec3& difference, const Vec3& normal) {
  const double height = difference.dot(normal) / normal.norm();
  if (height == 0) return between(x, weights);
  return {std::abs(height), normal.normalized() * (height < 0 ? -1.0 : 1.0), weights};
}

// The time after which a + b t + c t^2, positive at 0, is first zero.
double first_zero(double c, double b, double a) {
  const double discriminant = b * b - 4 * a * c;
  if (discriminant < 0) return kInfinite;
  const double q = -(b + std::copysign(std::sqrt(discriminant), b)) / 2;  // without cancellation
  double first = kInfinite;
  if (c != 0 && q / c >= 0) first = q / c;
  if (q != 0 && a / q >= 0) first = std::min(first, a / q);
  return first;
}

double time_of(const PlaneGap& plane, const Vec3& x, const Vec3& v, double gap) {
  const double height = plane(x).gap - gap, rate = plane.normal.dot(v);
  return rate < 0 ? height / -rate : kInfinite;
}

double round_time(const Vec3& radial, const Vec3& rate, double radius, double sign, double gap) {
  const double level = radius + sign * gap;  // distance from the center
  if (level <= 0) return 0;
  const double height = sign * (radial.squaredNorm() - level * level);
  if (!(height > 0)) return 0;  // negative because of rounding, although the gap is above the level
  return first_zero(sign * rate.squaredNorm(), sign * 2 * radial.dot(rate), height);
}

double time_of(const SphereGap& sphere, const Vec3& x, const Vec3& v, double gap) { return round_time(x - sphere.center, v, sphere.radius, sphere.sign, gap); }

double time_of(const CylinderGap& cylinder, const Vec3& x, const Vec3& v, double gap) {
  const Vec3 offset = x - cylinder.point;
  return round_time(offset - offset.dot(cylinder.axis) * cylinder.axis, v - v.dot(cylinder.axis) * cylinder.axis, cylinder.radius, cylinder.sign, gap);
}

// The gap of a shape changes by no more than the point moves.
template <typename Gap>
double by_speed(const Gap& wall, const Vec3& x, const Vec3& v, double gap) {
  const double speed = v.norm();
  return speed > 0 ? (wall(x).gap - gap) / speed : kInfinite;
}
double time_of(const BoxGap& box, const Vec3& x, const Vec3& v, double gap) { return by_speed(box, x, v, gap); }
double time_of(const MeshGap& mesh, const Vec3& x, const Vec3& v, double gap) { return by_speed(mesh, x, v, gap); }

}  // namespace

ClosestPair closest_pair(PairKind kind, const PairVectors& x) {
  if (kind == PairKind::vertex_triangle) {
    const ClosestPoint closest = closest_on_triangle(x[0], x[1], x[2], x[3]);
    const std::array<double, 4> weights{1, -closest.shares[0], -closest.shares[1], -closest.shares[2]};
    if (closest.corners == std::array{true, true, true}) return across(x, weights, x[0] - x[1], (x[2] - x[1]).cross(x[3] - x[1]));
    return between(x, weights);
  }
  const LinePair<double> lines(x);
  if (lines.sine_squared() > kParallel && lines.t > 0 && lines.t < 1 && lines.u > 0 && lines.u < 1)
    return across(x, {1 - lines.t, lines.t, lines.u - 1, -lines.u}, x[0] - x[2], lines.normal);
  std::array<double, 4> weights{};
  double least = kInfinite;
  for (int end = 0; end < 4; ++end) {
    const int other = end < 2 ? 2 : 0;
    const ClosestPoint closest = closest_on_edge(x[end], x[other], x[other + 1]);
    if (!(closest.distance < least)) continue;
    least = closest.distance;
    const double sign = end < 2 ? 1 : -1;
    weights.fill(0);
    weights[end] = sign;
    weights[other] = -sign * closest.shares[0];
    weights[other + 1] = -sign * closest.shares[1];
  }
  return between(x, weights);
}

double time_within_slab(PairKind kind, const PairVectors& x, const PairVectors& v, const Vec3& normal, double thickness, const std::array<double, 4>& spread) {
  double time = kInfinite;
  std::array<double, 4> height, rate;
  for (int a = 0; a < 4; ++a) {
    height[a] = normal.dot(x[a] - x[3]);
    rate[a] = normal.dot(v[a]);
  }
  const int first = first_side_of(kind);
  for (int a = 0; a < first; ++a)
    for (int b = first; b < 4; ++b) {
      const double left = height[a] - height[b] - thickness, closing = rate[b] - rate[a] + spread[a] + spread[b];
      if (!(left > 0)) return 0;
      if (closing > 0) time = std::min(time, left / closing);
    }
  return time;
}

double time_above_gap(const GapFunction& wall, const Vec3& x, const Vec3& v, double gap, double spread) {
  return std::visit(
      [&](const auto& shape) {
        const double left = shape(x).gap - gap;
        if (!(left > 0)) return 0.0;
        if (spread == 0) return std::max(0.0, time_of(shape, x, v, gap));
        // The motion at v may use up half of the remaining distance, and deviations from v the other half.
        return std::max(0.0, std::min(time_of(shape, x, v, gap + left / 2), left / 2 / spread));
      },
      wall);
}

GapSample<double> gap_at(const GapFunction& wall, const Vec3& x) {
  return std::visit([&](const auto& shape) { return shape(x); }, wall);
}

}  // namespace traction
