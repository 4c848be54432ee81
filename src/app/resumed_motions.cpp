#include "app/resumed_motions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "errors.h"
#include "forces/joint_elements.h"
#include "parallel/collective.h"

namespace traction {

namespace {

constexpr double kSamePlace = 1e-6;  // relative to the size of all bodies together

// The corners of the box around all bodies. Collective.
std::array<Vec3, 8> corners_of_bodies(const System& system, const Field& q) {
  std::array<double, 6> extent;  // the greatest coordinates, and the least ones times -1
  extent.fill(std::numeric_limits<double>::lowest());
  for (const std::vector<int>& body : system.places())
    for (const int vertex : body)
      for (int i = 0; i < 3; ++i) {
        extent[i] = std::max(extent[i], q[vertex][i]);
        extent[3 + i] = std::max(extent[3 + i], -q[vertex][i]);
      }
  maximum_over_ranks(system.communicator(), extent);
  std::array<Vec3, 8> corners;
  for (unsigned c = 0; c < 8; ++c)
    for (unsigned i = 0; i < 3; ++i) corners[c][i] = (c >> i & 1u) ? extent[i] : -extent[3 + i];
  return corners;
}

// How far two poses of a shape lie apart as seen from a point, to which the shape's surface matters.
double shift_seen_from(const Obstacle::Shape& shape, const Pose& one, const Pose& other, const Vec3& point) {
  const Vec3 x = one.to_rest<double>(point), y = other.to_rest<double>(point);
  if (const auto* plane = std::get_if<PlaneSettings>(&shape)) return std::abs(plane->normal.dot(x - y));
  if (const auto* sphere = std::get_if<SphereSettings>(&shape)) return std::abs((x - sphere->center).norm() - (y - sphere->center).norm());
  if (const auto* cylinder = std::get_if<CylinderSettings>(&shape)) {
    const auto distance = [&](const Vec3& at) { return (at - cylinder->point).cross(cylinder->axis).norm(); };
    return std::abs(distance(x) - distance(y));
  }
  return (x - y).norm();
}

const Body* find_body(const Scene& scene, const std::string& name) {
  const auto found = std::ranges::find_if(scene.bodies, [&](const Body& body) { return body.name == name; });
  return found == scene.bodies.end() ? nullptr : &*found;
}

bool moves_alike(const DrivenSettings& one, const DrivenSettings& other) {
  return one.region == other.region && one.motion == other.motion && one.until == other.until && one.directions() == other.directions();
}

// The angle [rad] or displacement [m] that a joint's motor prescribes at a time; nothing if it prescribes none.
std::optional<double> prescribed_at(const JointSettings& joint, double time) {
  if (!joint.motor || joint.motor->torque || joint.motor->force) return std::nullopt;
  const JointMotorSettings& motor = *joint.motor;
  JointMotion<SliderDisplacement> motion{};
  motion.amount = motor.speed.value_or(motor.angle.value_or(motor.displacement.value_or(0)));
  motion.integrates = motor.speed.has_value();
  for (const LoadPoint& point : motor.over) motion.over.push_back({point.time, point.factor});
  return motion.at(time).rest;
}

// Throws InputError on all ranks if a motor's changed settings would move its joint at once. `allowed`: the largest jump of a slider [m]. Collective.
void refuse_jumps_of_motors(const Simulation& simulation, const Scene& before, double allowed) {
  const std::vector<JointSettings>& joints = simulation.scene.joints;
  if (joints.empty()) return;
  const double time = simulation.loop->state().time;
  const std::vector<JointReading> readings = simulation.joints.joints->readings(simulation.loop->state());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const JointSettings& joint = joints[j];
    const auto old = std::ranges::find_if(before.joints, [&](const JointSettings& one) { return one.name == joint.name; });
    const std::optional<double> is = prescribed_at(joint, time);
    if (old == before.joints.end() || !is) continue;
    const std::optional<double> was = prescribed_at(*old, time);
    const bool turns = joint.kind == JointKind::hinge;
    const double place = was.value_or(readings[j].coordinate), jump = turns ? HingeAngle::difference(*is, place) : *is - place;
    if (std::abs(jump) <= (turns ? kSamePlace : allowed)) continue;
    const std::string remedy =
        was ? fmt::format(
                  "Leave its value as it was, and change the factor on it from then on, over: [{}{{time: {:.9g}, factor: {:.9g}}}, {{time: ..., factor: ...}}]",
                  old->motor->over.empty() ? "" : "..., ", time, factor_at(old->motor->over, time))
            : fmt::format("Choose its value and 'over' so that it prescribes {:.9g} {} then, where the joint is", place, turns ? "rad" : "m");
    throw InputError(
        fmt::format("{}.motor: with its changed motor '{}' would jump by {:.3g} {} at t = {:.9g} s, where the run continues: what a motor prescribes "
                    "counts from t = 0, a speed too. {}, or start a new run",
                    joint.source.text, joint.name, std::abs(jump), turns ? "rad" : "m", time, remedy));
  }
}

}  // namespace

void refuse_jumps(const Simulation& simulation, const Scene& before) {
  const System& system = *simulation.system;
  const State& state = simulation.loop->state();
  const std::array<Vec3, 8> corners = corners_of_bodies(system, state.q);
  const double allowed = kSamePlace * (corners[7] - corners[0]).norm();
  const auto refuse = [&](const std::string& source, const std::string& name, double distance) {
    throw InputError(
        fmt::format("{}: with its changed motion '{}' would jump by {:.3g} m at t = {:.9g} s, where the run continues: motions count from t = 0. Leave the "
                    "motion as it was "
                    "until then and add another, motion: [{{...}}, {{..., start: {:.9g}}}], or start a new run",
                    source, name, distance, state.time, state.time));
  };
  const auto largest_over = [&](const auto& distance) {
    double largest = 0;
    for (const Vec3& corner : corners) largest = std::max(largest, distance(corner));
    return largest;
  };
  for (const Obstacle& obstacle : simulation.scene.obstacles) {
    const auto old = std::ranges::find_if(before.obstacles, [&](const Obstacle& one) { return one.name == obstacle.name; });
    if (old == before.obstacles.end() || old->motion == obstacle.motion) continue;
    const Pose was(old->motion, state.time), is(obstacle.motion, state.time);
    const double distance = largest_over([&](const Vec3& corner) { return shift_seen_from(obstacle.shape, was, is, corner); });
    if (distance > allowed) refuse(obstacle.source.text, obstacle.name, distance);
  }
  refuse_jumps_of_motors(simulation, before, allowed);
  for (const Body& body : simulation.scene.bodies) {
    const Body* old = find_body(before, body.name);
    if (!old) continue;
    for (std::size_t i = 0; i < body.driven.size(); ++i) {
      const DrivenSettings& driven = body.driven[i];
      const auto same = std::ranges::find_if(old->driven, [&](const DrivenSettings& one) { return moves_alike(one, driven); });
      if (same != old->driven.end() || driven.until.value_or(std::numeric_limits<double>::infinity()) <= state.time) continue;
      const std::string name = body.name + "." + driven.region;
      double distance = 0;
      for (const DrivenGroup& group : system.driven()) {
        if (group.name != name || group.motion != driven.motion) continue;
        const Pose pose(group.motion, state.time);
        for (std::size_t k = 0; k < group.vertices.size(); ++k) {
          const Vec3 x = state.q[group.vertices[k]];
          distance = std::max(distance, (group.imposed(k, x, pose.to_world<double>(group.starts[k])) - x).norm());
        }
      }
      distance = maximum_over_ranks(system.communicator(), distance);
      // A rod may turn about its own axis, which its vertices do not show.
      if (!body.rod.empty() && i < old->driven.size() && old->driven[i].region == driven.region) {
        const Pose was(old->driven[i].motion, state.time), is(driven.motion, state.time);
        distance = std::max(distance, largest_over([&](const Vec3& corner) { return (was.to_world<double>(corner) - is.to_world<double>(corner)).norm(); }));
      }
      if (distance > allowed) refuse(driven.source.text, name, distance);
    }
  }
}

}  // namespace traction
