// Where a body starts, and how fast.
#pragma once

#include "math/tensor.h"
#include "settings/declaration.h"

namespace traction {

struct RotationSettings {
  static constexpr SettingsDescription kDescription{"rotation", "Rotation about the centroid, before the translation."};
  SETTING(Vec3, axis, Vec3::UnitZ(), "Axis.", direction);
  SETTING(double, angle, 0, "Angle.", unit("degrees"));
};

struct InitialSettings {
  static constexpr SettingsDescription kDescription{"initial", "Where the body starts, and how fast."};
  SETTING(RotationSettings, rotate, {}, "");
  SETTING(Vec3, translate, Vec3::Zero(), "Translation.", unit("m"));
  SETTING(Vec3, velocity, Vec3::Zero(), "Velocity.", unit("m/s"));
  SETTING(Vec3, angular_velocity, Vec3::Zero(), "Angular velocity about the mass centroid.", unit("rad/s"));
};

}  // namespace traction
