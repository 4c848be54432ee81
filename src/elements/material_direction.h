// Directions of anisotropic materials at rest, by a vector or about an axis (docs/materials.md, "Directions").
#pragma once

#include <cmath>
#include <optional>

#include "math/tensor.h"
#include "settings/declaration.h"
#include "settings/given.h"

namespace traction {

/// A direction at each point of a body, in the coordinates of its mesh.
struct MaterialDirection {
  /// Conditions between settings, for the schema of everything that has a direction.
  static constexpr const char* kRules = R"([{"not": {"required": ["direction", "axis"]}}])";
  SETTING(std::optional<Vec3>, everywhere, {}, "The same direction everywhere, in the coordinates of the mesh; it turns with the body's `initial.rotate`.",
          key("direction"), direction);
  SETTING(std::optional<Vec3>, axis, {}, "Instead of `direction`: an axis about which directions are given by an `angle`, or are radial.", direction);
  SETTING(Vec3, through, Vec3::Zero(), "A point of the axis, in the coordinates of the mesh.", unit("m"), written_if(self.axis.has_value()));
  SETTING(double, angle, 0, "Angle from the circumference about the axis towards the axis: 0 is circumferential, 90 axial.", unit("degrees"), at_least(-180),
          at_most(180), written_if(self.axis && !self.radial));
  SETTING(bool, radial, false, "Away from the axis.", written_if(self.axis.has_value()));

  void complete(const Given& given) const {
    if (everywhere && axis) given.fail("axis", "is another way of giving 'direction'; remove one of the two");
    if (!everywhere && !axis) given.fail({}, "has no direction; give a 'direction', or an 'axis' and an 'angle'");
    for (const char* key : {"through", "angle", "radial"})
      if (given.has(key) && !axis) given.fail(key, "is for directions about an axis; give the 'axis', or remove it");
    if (radial && given.has("angle")) given.fail("angle", "is for directions along the surface about the axis, and these are radial; remove one of the two");
  }

  bool operator==(const MaterialDirection&) const = default;

  /// The unit vector at a point [m]. NaN on the axis, where none is defined.
  Vec3 at(const Vec3& point) const {
    if (everywhere) return *everywhere;
    constexpr double kDegree = EIGEN_PI / 180;
    const Vec3 away = (point - through) - *axis * axis->dot(point - through);
    const Vec3 outward = away / away.norm();
    return radial ? outward : Vec3(std::cos(angle * kDegree) * axis->cross(outward) + std::sin(angle * kDegree) * *axis);
  }
};

}  // namespace traction
