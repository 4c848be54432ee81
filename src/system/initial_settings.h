// Settings of where a body starts, and how fast.
#pragma once

#include <optional>
#include <string>

#include "math/tensor.h"
#include "settings/declaration.h"
#include "settings/given.h"
#include "settings/source.h"

namespace traction {

/// A rotation of a body at the start.
struct RotationSettings {
  static constexpr SettingsDescription kDescription{"rotation", "Rotation about the centroid, or about a point, before the translation."};
  SETTING(Vec3, axis, Vec3::UnitZ(), "Axis.", direction);
  SETTING(double, angle, 0, "Angle.", unit("degrees"));
  SETTING(std::optional<Vec3>, about, {}, "A point on the axis, in the mesh's coordinates after `scale`.", unit("m"), default_is("the centroid"));
};

/// Where a body starts, and with which velocity.
struct InitialSettings {
  static constexpr SettingsDescription kDescription{"initial", "Where the body starts, and how fast.",
                                                    R"([{"if": {"required": ["velocities"]}, "then": {"required": ["positions"]}}])"};
  SETTING(std::string, positions, {},
          "Path of the positions in which the body starts, if they differ from its mesh, which remains the shape at rest: a .vtu or .vtk file in the mesh's "
          "order and unit, or a frame of another run.",
          path, ends_with(".vtu .vtk .hdf"), written_if(!self.positions.empty()));
  SETTING(bool, velocities, false, "Take velocities from that file, too; `velocity` and `angular_velocity` are added to them.",
          written_if(!self.positions.empty()));
  Source source, positions_source;
  SETTING(RotationSettings, rotate, {}, "");
  SETTING(Vec3, translate, Vec3::Zero(), "Translation.", unit("m"));
  SETTING(Vec3, velocity, Vec3::Zero(), "Velocity.", unit("m/s"));
  SETTING(Vec3, angular_velocity, Vec3::Zero(), "Angular velocity about the mass centroid.", unit("rad/s"));

  SETTING(
      bool, equilibrium, false,
      "Start where all forces on the body are in balance: weight, loads, pressure and contact. A body with a velocity keeps it. Friction carries as much as it "
      "can; what slides stays where it is.");
  Source equilibrium_source;

  void complete(const Given& given) {
    if (equilibrium) equilibrium_source.text = given.source("equilibrium");
    if (given.has("velocities") && positions.empty())
      given.fail("velocities", "'positions' is missing; give the file that contains the velocities, or remove 'velocities'");
    if (!positions.empty()) positions_source.text = given.source("positions");
  }
};

}  // namespace traction
