#include "simulation/load_times.h"

#include <algorithm>
#include <cmath>

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

}  // namespace

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
