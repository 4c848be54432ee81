#include "app/joint_columns.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "parallel/collective.h"

namespace traction {

std::vector<std::string> JointColumns::names(const Scene& scene) {
  std::vector<std::string> columns;
  for (const JointSettings& joint : scene.joints) {
    for (const char* quantity : {".fx", ".fy", ".fz", ".mx", ".my", ".mz", ".gap"}) columns.push_back(joint.name + quantity);
    const bool is_hinge = joint.kind == JointKind::hinge;
    if (joint.has_axis()) columns.push_back(joint.name + (is_hinge ? ".angle" : ".displacement"));
    if (joint.motor)
      for (const char* quantity : {is_hinge ? ".motor_torque" : ".motor_force", ".motor_power"}) columns.push_back(joint.name + quantity);
  }
  return columns;
}

// How many times its largest gap a joint may open before the log warns, if its stiffness follows from estimated loads and not from the user.
constexpr double kTolerated = 10;

std::vector<double> JointColumns::values(const State& state) {
  std::vector<double> row;
  if (!simulation_.joints.joints) return row;
  const std::vector<JointReading> readings = simulation_.joints.joints->readings(state);
  for (std::size_t j = 0; j < readings.size(); ++j) {
    const JointSettings& joint = simulation_.scene.joints[j];
    const JointReading& reading = readings[j];
    row.insert(row.end(), reading.force.begin(), reading.force.end());
    row.insert(row.end(), reading.moment.begin(), reading.moment.end());
    row.push_back(reading.gap);
    if (joint.has_axis()) row.push_back(reading.coordinate);
    if (joint.motor) row.insert(row.end(), {reading.effort, reading.power});
    const double largest = joint.largest_gap * simulation_.joints.sizes[j];
    if (!(reading.gap > (joint.stiffness ? 1 : kTolerated) * largest) || !gaps_.is_due(joint.name, reading.gap)) continue;
    on_first_rank(simulation_.system->communicator(), [&] {
      spdlog::warn(
          "{}: at t = {:.6g} s the joint is open by {:.3g} m, more than {:.3g} m, its largest_gap of {:.3g} times the smaller body's size; give it a greater "
          "stiffness, or check what pulls at it",
          joint.source.text, state.time, reading.gap, largest, joint.largest_gap);
    });
  }
  return row;
}

}  // namespace traction
