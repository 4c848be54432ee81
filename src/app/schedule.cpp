#include "app/schedule.h"

#include <algorithm>
#include <cmath>

#include "simulation/load_times.h"

namespace traction {

namespace {

constexpr double kCountRounding = 1e-4;  // relative to a step: no step is inserted for less (dynamics/implicit_driver.cpp)
constexpr double kTimeRounding = 1e-9;   // relative rounding error of times, which are sums of steps

}  // namespace

std::vector<ScheduledPiece> scheduled_pieces(const TimeSettings& time, double begin, std::vector<double> ends) {
  for (const StepSettings& piece : time.steps) ends.push_back(piece.from);
  ends.push_back(time.end);
  std::sort(ends.begin(), ends.end());
  std::vector<ScheduledPiece> pieces;
  for (const double end : ends) {
    const double from = pieces.empty() ? begin : pieces.back().end;
    double step = time.steps.front().step;
    for (const StepSettings& piece : time.steps)
      if (piece.from <= from + kTimeRounding * piece.step) step = piece.step;
    if (end > time.end || !(end > from + kTimeRounding * step)) continue;
    pieces.push_back({from, end, std::max(1.0, std::ceil((end - from) / step - kCountRounding))});
  }
  return pieces;
}

std::vector<ScheduledPiece> scheduled_pieces(const Simulation& simulation) {
  const Scene& scene = simulation.scene;
  std::vector<double> ends;
  if (scene.time.integrator != Integrator::asynchronous) ends = corners_of_loads(scene);
  for (const DrivenGroup& group : simulation.system->driven())
    if (std::isfinite(group.until)) ends.push_back(group.until);
  return scheduled_pieces(scene.time, simulation.loop->state().time, std::move(ends));
}

double scheduled_steps(const std::vector<ScheduledPiece>& pieces) {
  double steps = 0;
  for (const ScheduledPiece& piece : pieces) steps += piece.steps;
  return steps;
}

double scheduled_frames(const std::vector<ScheduledPiece>& pieces, double every) {
  const auto due_until = [&](double time) { return std::floor(time / every * (1 + kTimeRounding)); };
  double frames = 0;
  for (const ScheduledPiece& piece : pieces) frames += every < piece.step() ? piece.steps : due_until(piece.end) - due_until(piece.begin);
  return frames;
}

}  // namespace traction
