#include "forces/joint_settings.h"

#include <cmath>
#include <numbers>

#include "math/time_table.h"

namespace traction {

void JointMotorSettings::complete(const Given& given) const {
  const char* found = nullptr;
  for (const char* key : {"angle", "displacement", "speed", "torque", "force"}) {
    if (!given.has(key)) continue;
    if (found) given.fail(key, std::string("the motor has its '") + found + "' already; remove one of the two");
    found = key;
  }
  if (!found)
    given.fail({}, "is a motor without a drive; give its 'angle', 'speed' or 'torque' in a hinge, its 'displacement', 'speed' or 'force' in a slider");
  if (stiffness && (torque || force)) given.fail("stiffness", std::string("goes with a prescribed motion; remove it, or the '") + found + "'");
  check_times_ascend(given, "over", over);
}

void JointSettings::complete(const Given& given) {
  constexpr const char* kGround = "ground";
  if (between.size() > 2) given.fail("between", "names more than two bodies; give each pair a joint of its own");
  if (between.front() == kGround) given.fail("between", "begins with the ground; name the body first");
  if (between.size() == 2 && between.back() == kGround) between.pop_back();
  if (between.size() == 2 && between.front() == between.back())
    given.fail("between", "names one body twice; a joint needs two, or a body alone for the ground");
  if (has_axis() && !axis) given.fail("axis", "is missing; give the direction of the " + std::string(word_of(kind)) + "'s axis");
  for (const char* key : {"axis", "motor", "spring"})
    if (!has_axis() && given.has(key)) given.fail(key, "goes with a hinge or a slider; remove it, or change the joint's kind");
  const bool is_hinge = kind == JointKind::hinge;
  for (const char* key : {"motor.angle", "motor.torque"})
    if (!is_hinge && given.has(key)) given.fail(key, "goes with a hinge; a slider's motor has a 'displacement', 'speed' or 'force'");
  for (const char* key : {"motor.displacement", "motor.force"})
    if (is_hinge && given.has(key)) given.fail(key, "goes with a slider; a hinge's motor has an 'angle', 'speed' or 'torque'");
  if (is_hinge && spring && std::abs(spring->rest) >= std::numbers::pi)
    given.fail("spring.rest",
               "is half a turn or more from where the bodies are placed, so that the spring would turn them the other way; a hinge's spring acts "
               "within half a turn to both sides of its rest");
  if (motor && motor->angle.value_or(motor->displacement.value_or(0)) * factor_at(motor->over, 0.0) != 0)
    given.fail(is_hinge ? "motor.angle" : "motor.displacement",
               "begins away from 0, where the bodies are placed, so that the motor jumps; give 'over' with a factor of 0 at the start");
}

}  // namespace traction
