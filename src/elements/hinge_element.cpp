#include "elements/hinge_element.h"

namespace traction {

HingeElement::HingeElement(const std::array<int, 4>& element_vertices, const std::array<Vec3, 4>& rest, double bending_stiffness, double element_viscous_time,
                           bool flat_rest)
    : vertices(element_vertices), rest_angle(flat_rest ? 0 : DihedralAngle<double>(rest).angle), viscous_time(element_viscous_time) {
  const Vec3 edge = rest[1] - rest[0];
  const double areas = 0.5 * (edge.cross(rest[2] - rest[0]).norm() + edge.cross(rest[3] - rest[0]).norm());
  stiffness = bending_stiffness * edge.squaredNorm() / areas;
}

double HingeElement::energy(const std::array<Vec3, 4>& x) const {
  const double turn = DihedralAngle<double>(x).angle - rest_angle;
  return 0.5 * stiffness * turn * turn;
}

}  // namespace traction
