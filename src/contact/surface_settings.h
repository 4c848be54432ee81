// Settings of the smooth surface of a mesh.
#pragma once

#include "settings/declaration.h"

namespace traction {

/// Settings of the implicit surface (Larionov, Fan, Pai 2021).
struct ImplicitSurfaceSettings {
  static constexpr SettingsDescription kDescription{"implicit_surface", "The smooth implicit surface of the touched body."};
  SETTING(double, radius_multiplier, 1.5, "Reach of the smooth surface as a multiple of the mesh's largest distance from a triangle's centroid to a corner.",
          above(1), hint("or corners of triangles are out of their reach"));
  SETTING(double, interpolation, 1e-3, "How closely the smooth surface follows the triangles: the smaller, the closer.", at_least(1e-12),
          hint("a usual value is 1e-3"));
};

}  // namespace traction
