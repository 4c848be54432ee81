#include "simulation/load_times.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace traction {

namespace {

// A Point has a time and a factor. A point on the straight line between its neighbours is no corner; the factor is constant before the first and after the
// last.
template <typename Point>
void add_corners(const std::vector<Point>& points, std::vector<double>& times) {
  const auto slope_after = [&](std::size_t i) {
    return i + 1 < points.size() ? (points[i + 1].factor - points[i].factor) / (points[i + 1].time - points[i].time) : 0.0;
  };
  double before = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double after = slope_after(i);
    if (std::abs(after - before) > 1e-9 * std::max(std::abs(after), std::abs(before))) times.push_back(points[i].time);
    before = after;
  }
}

// Sampling at an interval h changes the integral by at most h^2/8 times the change of slope at a corner, and h/2 times the change of a factor that changes
// faster than that.
template <typename Point>
double longest_sampling(const std::vector<Point>& points, double end) {
  constexpr double kError = 0.01;      // relative to the integral of the factor's size
  constexpr double kShortest = 1e-15;  // relative to the time of the run
  if (points.size() < 2) return std::numeric_limits<double>::infinity();
  double integral =
      std::abs(points.front().factor) * std::clamp(points.front().time, 0.0, end) + std::abs(points.back().factor) * std::max(end - points.back().time, 0.0);
  std::vector<std::pair<double, double>> corners;  // changes of slope [1/s] and of the factor
  double before = 0, rise = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool is_last = i + 1 == points.size();
    const double change = is_last ? 0 : points[i + 1].factor - points[i].factor, length = is_last ? 1 : points[i + 1].time - points[i].time;
    const double slope = change / length;
    if (!is_last) integral += (std::abs(points[i].factor) + std::abs(points[i + 1].factor)) / 2 * length;
    if (points[i].time > 0 && points[i].time < end) corners.emplace_back(std::abs(slope - before), std::max(std::abs(change), std::isfinite(rise) ? rise : 0));
    before = slope;
    rise = std::abs(change);
  }
  const auto error = [&](double interval) {
    double sum = 0;
    for (const auto& [slope, change] : corners) sum += std::min(interval * interval * slope / 8, interval * change / 2);
    return sum;
  };
  double interval = end;
  while (error(interval) > kError * integral && interval > kShortest * end) interval /= 2;
  return interval;
}

}  // namespace

double longest_sampling_of_loads(const Scene& scene) {
  double longest = longest_sampling(scene.gravity_over, scene.time.end);
  for (const Body& body : scene.bodies)
    for (const LoadSettings& load : body.loads) longest = std::min(longest, longest_sampling(load.over, scene.time.end));
  return longest;
}

std::vector<double> corners_of_loads(const Scene& scene) {
  std::vector<double> times;
  add_corners(scene.gravity_over, times);
  for (const Body& body : scene.bodies) {
    for (const LoadSettings& load : body.loads) add_corners(load.over, times);
    for (const VolumePenaltySettings& volume : body.volumes) add_corners(volume.inflation, times);
  }
  for (const JointSettings& joint : scene.joints)
    if (joint.motor) add_corners(joint.motor->over, times);
  std::erase_if(times, [&](double time) { return time <= 0 || time >= scene.time.end; });
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace traction
