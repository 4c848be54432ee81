#include "simulation/prescribed_motions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "errors.h"
#include "math/time_table.h"
#include "system/rigid_motion.h"

namespace traction {

namespace {

constexpr double kLargestTurn = EIGEN_PI / 2;  // the largest turn in a step that contact follows [rad]
constexpr double kLargestTwist = 3;            // the largest turn that a clamped rod follows, whose frames turn by less than half a turn [rad]
constexpr double kRounding = 1e-9;             // relative to times and angles
constexpr double kUndone = 0.5;                // a movement is lost between two steps if more than this part of it is undone before the second one

// A step at a time of the schedule.
struct Window {
  double begin, end, step;  // [s]
};

// The steps before or after which a motion changes, and the first of each piece of the schedule. Speeds rise only in ramps, so one of these steps has the
// largest turn of a motion. Error control and failures only shorten steps.
std::vector<Window> windows_of(const Motion& motions, const TimeSettings& time, double until) {
  std::vector<Window> windows;
  for (std::size_t i = 0; i < time.steps.size(); ++i) {
    const double first = time.steps[i].from, step = time.steps[i].step;
    const double last = std::min({i + 1 < time.steps.size() ? time.steps[i + 1].from : time.end, time.end, until});
    const auto add = [&](double begin, double end) {
      if (begin < last && end > first) windows.push_back({std::max(begin, first), std::min(end, last), step});
    };
    add(first, first + step);
    for (const MotionSettings& motion : motions)
      for (const double at : {motion.start, motion.start + motion.ramp, motion.stop.value_or(last)}) add(at, at + step), add(at - step, at);
  }
  return windows;
}

double progress(const MotionSettings& motion, const Window& window) { return motion_progress(motion, window.end) - motion_progress(motion, window.begin); }

// [rad]
double turn(const Motion& motions, const Window& window) {
  double angle = 0;
  for (const MotionSettings& motion : motions) angle += motion.angular_velocity.norm() * progress(motion, window);
  return angle;
}

double degrees(double radians) { return radians * 180 / EIGEN_PI; }

// Rounded down to three digits, so that the printed number can be used.
double rounded_down(double value) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - 2);
  return std::floor(value / unit * (1 + kRounding)) * unit;
}

// Throws if the motions turn by more than `limit` [rad] in a step. `why`: the end of a sentence.
void refuse_turns(const Motion& motions, const TimeSettings& time, double until, double limit, const std::string& source, const char* why) {
  double largest = 0;
  Window worst{};
  for (const Window& window : windows_of(motions, time, until))
    if (const double angle = turn(motions, window); angle > largest) largest = angle, worst = window;
  if (largest <= limit * (1 + kRounding)) return;
  throw InputError(fmt::format(
      "{}: the motion turns by {:.4g} degrees, {:.3g} rad, in a step of {:.3g} s from t = {:.3g} s on, and {}; give steps of {:.3g} s or less there", source,
      degrees(largest), largest, worst.step, worst.begin, why, rounded_down((worst.end - worst.begin) * limit / largest)));
}

// The largest turn of a hinge's motor in a step that begins at a step of the schedule or at a time of its table [rad], and that step.
std::pair<double, Window> largest_turn(const JointMotorSettings& motor, const TimeSettings& time) {
  std::pair<double, Window> largest;
  for (std::size_t i = 0; i < time.steps.size(); ++i) {
    const double step = time.steps[i].step, last = i + 1 < time.steps.size() ? time.steps[i + 1].from : time.end;
    std::vector<double> begins{time.steps[i].from};
    for (const LoadPoint& point : motor.over) begins.insert(begins.end(), {point.time, point.time - step});
    for (const double begin : begins) {
      const double end = std::min({begin + step, last, time.end});
      if (begin < time.steps[i].from || !(begin < end)) continue;
      const double before = factor_at(motor.over, begin), after = factor_at(motor.over, end);
      const double angle = motor.speed ? *motor.speed * (before + after) / 2 * (end - begin) : motor.angle.value_or(0) * (after - before);
      if (std::abs(angle) > largest.first) largest = {std::abs(angle), {begin, end, step}};
    }
  }
  return largest;
}

// Throws if, within one step, the motions move something and then undo more than half of that movement.
void refuse_oscillations(const Motion& motions, const TimeSettings& time, double until, const std::string& source) {
  const auto way = [&](double begin, double end) {
    Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();  // translations [m], then rotations [rad]
    for (const MotionSettings& motion : motions) {
      sum.head<3>() += progress(motion, {begin, end, 0}) * motion.velocity;
      sum.tail<3>() += progress(motion, {begin, end, 0}) * motion.angular_velocity;
    }
    return sum;
  };
  std::set<double> changes;
  for (const MotionSettings& motion : motions) {
    changes.insert(motion.start);
    if (motion.stop) changes.insert(*motion.stop);
  }
  for (const double begin : changes) {
    const auto next = changes.upper_bound(begin);
    if (next == changes.end()) break;
    const auto piece = std::find_if(time.steps.rbegin(), time.steps.rend(), [&](const StepSettings& one) { return one.from <= begin; });
    const double end = std::min({begin + piece->step, time.end, until});
    if (*next >= end) continue;
    const auto there = way(begin, *next), back = way(*next, end);
    if (there.head<3>().dot(back.head<3>()) >= -kUndone * there.head<3>().squaredNorm() &&
        there.tail<3>().dot(back.tail<3>()) >= -kUndone * there.tail<3>().squaredNorm())
      continue;
    throw InputError(fmt::format(
        "{}: the motion turns back at t = {:.6g} s, {:.3g} s after it began at {:.6g} s; steps of {:.3g} s miss a motion that goes and returns within "
        "one step. Give steps of {:.3g} s or less around that time",
        source, *next, *next - begin, begin, piece->step, rounded_down((*next - begin) / 2)));
  }
}

bool touches(const Scene& scene, const std::string& name) {
  if (scene.has_pressure_contact(name)) return true;
  return std::any_of(scene.contacts.begin(), scene.contacts.end(), [&](const ContactSettings& contact) {
    if (contact.all || contact.vertices.body == name) return true;
    const auto* other = std::get_if<BodySurface>(&contact.against);
    return (other ? other->body : std::get<std::string>(contact.against)) == name;
  });
}

}  // namespace

void refuse_fast_motions(const Scene& scene) {
  const auto refuse = [&](const Motion& motion, double until, const std::string& source) {
    refuse_turns(motion, scene.time, until, kLargestTurn, source,
                 "contact follows at most 90 degrees in each, because it takes the paths of points in a step for straight");
    refuse_oscillations(motion, scene.time, until, source);
  };
  for (const JointSettings& joint : scene.joints) {
    if (!joint.motor || joint.kind != JointKind::hinge) continue;
    if (const auto [angle, step] = largest_turn(*joint.motor, scene.time); angle > kLargestTurn * (1 + kRounding))
      throw InputError(fmt::format(
          "{}: the motor turns by {:.4g} degrees, {:.3g} rad, in a step of {:.3g} s from t = {:.3g} s on; joints follow at most 90 degrees in each, so give "
          "steps of {:.3g} s or less there",
          joint.source.text, degrees(angle), angle, step.step, step.begin, rounded_down((step.end - step.begin) * kLargestTurn / angle)));
  }
  std::set<std::string> clamps;  // bodies with which segments of rods turn
  for (const AttachmentSettings& attachment : scene.attachments)
    if (attachment.tangent) clamps.insert(attachment.to.body);
  for (const Obstacle& obstacle : scene.obstacles)
    if (touches(scene, obstacle.name)) refuse(obstacle.motion, std::numeric_limits<double>::infinity(), obstacle.source.text);
  for (const Body& body : scene.bodies)
    for (const DrivenSettings& driven : body.driven) {
      const double until = driven.until.value_or(std::numeric_limits<double>::infinity());
      if (!body.rod.empty() || clamps.contains(body.name))
        refuse_turns(driven.motion, scene.time, until, kLargestTwist, driven.source.text, "the twist of a rod is followed by less than half a turn in each");
      if (touches(scene, body.name)) refuse(driven.motion, until, driven.source.text);
    }
}

}  // namespace traction
