// Settings of obstacles, which bodies touch and which have no unknowns of their own.
#pragma once

#include <string>
#include <variant>

#include "contact/surface_settings.h"
#include "math/tensor.h"
#include "settings/declaration.h"
#include "settings/given.h"
#include "settings/source.h"
#include "system/motion_settings.h"

namespace traction {

/// A plane that bodies touch on the side of its normal.
struct PlaneSettings {
  static constexpr SettingsDescription kDescription{"plane", "A plane."};
  SETTING(Vec3, point, Vec3::Zero(), "A point of the plane.", unit("m"));
  SETTING(Vec3, normal, Vec3::UnitZ(), "Normal of the plane, which points towards the bodies.", direction);
};

/// A sphere that bodies touch from outside or inside.
struct SphereSettings {
  static constexpr SettingsDescription kDescription{"sphere", "A sphere."};
  SETTING(Vec3, center, Vec3::Zero(), "Centre.", unit("m"));
  SETTING(double, radius, 0, "Radius.", unit("m"), positive, required("give the radius in m"));
  SETTING(bool, inside, false, "Bodies live inside.");
};

/// An infinitely long cylinder that bodies touch from outside or inside.
struct CylinderSettings {
  static constexpr SettingsDescription kDescription{"cylinder", "An endless cylinder."};
  SETTING(Vec3, point, Vec3::Zero(), "A point of the axis.", unit("m"));
  SETTING(Vec3, axis, Vec3::UnitZ(), "Direction of the axis.", direction);
  SETTING(double, radius, 0, "Radius.", unit("m"), positive, required("give the radius in m"));
  SETTING(bool, inside, false, "Bodies live inside.");
};

/// An axis-aligned box that bodies touch from outside or inside.
struct BoxSettings {
  static constexpr SettingsDescription kDescription{"box", "An axis-aligned box."};
  SETTING(Vec3, lower, Vec3::Zero(), "Corner with the least coordinates.", unit("m"), required("give the corner with the least coordinates"));
  SETTING(Vec3, upper, Vec3::Zero(), "Corner with the greatest coordinates.", unit("m"), required("give the corner with the greatest coordinates"));
  SETTING(bool, inside, false, "Bodies live inside.");

  void complete(const Given& given) const {
    if ((lower.array() >= upper.array()).any())
      given.fail("upper", "must be above 'lower' in every coordinate; give the corners in that order, some distance apart");
  }
};

/// An obstacle whose shape is read from a file.
struct MeshObstacleSettings : ImplicitSurfaceSettings {
  static constexpr SettingsDescription kDescription{
      "mesh", "A mesh of triangles, normals out of the obstacle, or of segments (wires) and points (nails), or of all of these."};
  SETTING(std::string, file, {}, "Path of a .stl, .obj, .msh, .vtu or .vtk file, from the scene's folder.", path,
          required("name a .stl, .obj, .msh, .vtu or .vtk file"));
  SETTING(double, scale, 1, "Length of the mesh's unit.", unit("m"), positive);
  SETTINGS_OF(ImplicitSurfaceSettings);
};

/// An entry of a scene's surfaces: a shape without unknowns, and its motion.
struct Obstacle {
  static constexpr SettingsDescription kDescription{"surface", "An obstacle of one shape, still or moving."};
  using Shape = std::variant<PlaneSettings, SphereSettings, CylinderSettings, BoxSettings, MeshObstacleSettings>;
  std::string name;
  SETTING(Shape, shape, {}, "Its shape.");
  SETTING(Motion, motion, {}, "A motion, or a list of motions, each of which moves the result of the previous ones.", one_or_more);
  Source source;
};

/// Whether an obstacle has edges and faces, as a mesh and the outside of a box do.
inline bool has_faces(const Obstacle& obstacle) {
  if (const auto* box = std::get_if<BoxSettings>(&obstacle.shape)) return !box->inside;
  return std::holds_alternative<MeshObstacleSettings>(obstacle.shape);
}

}  // namespace traction
