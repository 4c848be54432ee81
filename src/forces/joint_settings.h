// Joints between bodies: the settings of a user.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "forces/load_settings.h"
#include "math/tensor.h"
#include "settings/declaration.h"
#include "settings/given.h"
#include "settings/source.h"

namespace traction {

enum class JointKind { ball, hinge, slider, fixed };
constexpr auto choices_of(JointKind) {
  return std::to_array<Choice<JointKind>>({{JointKind::ball, "ball", "The bodies turn in all directions about one point."},
                                           {JointKind::hinge, "hinge", "The bodies turn about one axis."},
                                           {JointKind::slider, "slider", "The bodies slide along one axis, and do not turn against each other."},
                                           {JointKind::fixed, "fixed", "The bodies move as one."}});
}

/// A motor in a hinge or a slider, which prescribes a motion or an effort.
struct JointMotorSettings {
  static constexpr SettingsDescription kDescription{
      "joint_motor", "A motor in a hinge (angle, speed or torque) or in a slider (displacement, speed or force).",
      R"([{"oneOf": [{"required": ["angle"]}, {"required": ["displacement"]}, {"required": ["speed"]}, {"required": ["torque"]}, {"required": ["force"]}]},
          {"if": {"required": ["stiffness"]}, "then": {"not": {"anyOf": [{"required": ["torque"]}, {"required": ["force"]}]}}}])"};
  SETTING(std::optional<double>, angle, {}, "Angle by which the hinge turns from where the bodies are placed; may be many turns.", unit("rad"));
  SETTING(std::optional<double>, displacement, {}, "Displacement of the slider from where the bodies are placed.", unit("m"));
  SETTING(std::optional<double>, speed, {}, "Angular velocity of the hinge, or velocity of the slider.", unit("rad/s or m/s"));
  SETTING(std::optional<double>, torque, {}, "Torque in the hinge.", unit("N m"));
  SETTING(std::optional<double>, force, {}, "Force in the slider.", unit("N"));
  SETTING(std::vector<LoadPoint>, over, {}, "A factor on the motor's value over time, linear between times, constant before and after.");
  SETTING(std::optional<double>, stiffness, {},
          "Stiffness by which a prescribed motion is held: torque or force per difference between the prescribed angle or displacement (or the integral of the "
          "prescribed speed) and the present one.",
          unit("N m/rad or N/m"), positive, default_is("that of the joint"));

  void complete(const Given& given) const;
};

/// A spring and damper along the free coordinate of a hinge or slider.
struct JointSpringSettings {
  static constexpr SettingsDescription kDescription{"joint_spring", "A spring and damper about the axis of a hinge, or along that of a slider.",
                                                    R"([{"anyOf": [{"required": ["stiffness"]}, {"required": ["damping"]}]}])"};
  SETTING(double, stiffness, 0, "Torque per angle, or force per displacement.", unit("N m/rad or N/m"), non_negative);
  SETTING(double, damping, 0, "Torque per angular velocity, or force per velocity.", unit("N m s/rad or N s/m"), non_negative);
  SETTING(double, rest, 0, "Angle or displacement at which the spring is relaxed; angles count up to half a turn to both sides of it.", unit("rad or m"));

  void complete(const Given& given) const {
    if (stiffness == 0 && damping == 0) given.fail({}, "has neither stiffness nor damping; give one of them, above zero");
  }
};

/// An entry of a scene's joints.
struct JointSettings {
  static constexpr SettingsDescription kDescription{
      "joint", "A joint between two bodies, or a body and the ground.",
      R"([{"if": {"properties": {"kind": {"enum": ["hinge", "slider"]}}}, "then": {"required": ["axis"]}, "else": {"not": {"anyOf": [{"required": ["axis"]}, {"required": ["motor"]}, {"required": ["spring"]}]}}},
          {"if": {"properties": {"kind": {"const": "hinge"}}}, "then": {"properties": {"motor": {"not": {"anyOf": [{"required": ["displacement"]}, {"required": ["force"]}]}}}}},
          {"if": {"properties": {"kind": {"const": "slider"}}}, "then": {"properties": {"motor": {"not": {"anyOf": [{"required": ["angle"]}, {"required": ["torque"]}]}}}}},
          {"properties": {"between": {"maxItems": 2}}}])"};
  std::string name;
  SETTING(JointKind, kind, JointKind::ball, "What the joint leaves free.", required("write ball, hinge, slider or fixed"));
  SETTING(std::vector<std::string>, between, {}, "Two bodies, or a body and `ground`, which does not move and may be left out.", one_or_more,
          required("name two bodies, or one that is joined to the ground"), not_empty("names no body; name two, or one that is joined to the ground"));
  SETTING(Vec3, at, Vec3::Zero(), "Place of the joint as the bodies are placed at the start.", unit("m"), required("give the place where the bodies meet"));
  SETTING(std::optional<Vec3>, axis, {}, "Axis of a hinge or slider at the start. Angles and displacements are those of the first body against the second.",
          direction);
  SETTING(std::optional<double>, stiffness, {}, "Force per gap of the springs that hold the joint together.", unit("N/m"), positive,
          default_is("so much that loads to be expected open the joint by less than `largest_gap`"));
  SETTING(double, largest_gap, 1e-6, "The log warns when the joint opens more, relative to the smaller body's size.", positive, below(0.1));
  SETTING(std::optional<JointMotorSettings>, motor, {}, "");
  SETTING(std::optional<JointSpringSettings>, spring, {}, "");
  Source source;

  bool has_axis() const { return kind == JointKind::hinge || kind == JointKind::slider; }
  bool to_ground() const { return between.size() < 2; }
  /// Removes `ground` from `between`.
  void complete(const Given& given);
};

}  // namespace traction
