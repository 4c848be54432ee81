// Obstacles: what bodies touch and what has no unknowns of its own.
#pragma once

#include <string>
#include <variant>

#include "contact/surface_settings.h"
#include "math/tensor.h"
#include "settings/source.h"
#include "system/motion_settings.h"

namespace traction {

struct PlaneSettings {
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();  // unit length after reading
};
struct SphereSettings {
  Vec3 center = Vec3::Zero();
  double radius = 0;
  bool inside = false;  // true: bodies live inside
};
struct CylinderSettings {  // of infinite length
  Vec3 point = Vec3::Zero();
  Vec3 axis = Vec3::UnitZ();  // unit length after reading
  double radius = 0;
  bool inside = false;
};
struct BoxSettings {  // axis-aligned
  Vec3 lower = Vec3::Zero();
  Vec3 upper = Vec3::Zero();
  bool inside = false;
};

struct MeshObstacleSettings {  // of triangles, normals out of the obstacle
  std::string file;            // absolute path: .stl or .obj
  double scale = 1;            // mesh units to metres
  ImplicitSurfaceSettings surface;
};

struct Obstacle {
  std::string name;
  std::variant<PlaneSettings, SphereSettings, CylinderSettings, BoxSettings, MeshObstacleSettings> shape;
  Motion motion;
  Source source;
};

}  // namespace traction
