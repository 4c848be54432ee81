#include "elements/rod_element.h"

namespace traction {

RodStrains RodJoint::strains(const std::array<Vec3, 5>& x) const {
  const Parts<double> parts = parts_of(x);
  const RodKinematics<double> now(frames, radius, reference_twist, parts.segments, parts.twists);
  return {now.curvature[0], now.curvature[1], now.twist};
}

double RodJoint::energy(const std::array<Vec3, 5>& x) const {
  const RodStrains now = strains(x);
  const double a = now.first_curvature - natural.first_curvature, b = now.second_curvature - natural.second_curvature, m = now.twist - natural.twist;
  return (first_bending * a * a + second_bending * b * b + twisting * m * m) / 2;
}

void RodJoint::carry_along(const std::array<Vec3, 5>& x) {
  const Parts<double> parts = parts_of(x);
  const RodKinematics<double> now(frames, radius, reference_twist, parts.segments, parts.twists);
  for (int j = 0; j < 2; ++j) {
    const Vec3 across = now.tangents[j].cross(now.directors[j]);  // orthogonal again, to rounding
    frames[j] = {now.tangents[j], across.cross(now.tangents[j]).normalized()};
  }
  reference_twist = now.reference_twist;
}

}  // namespace traction
