// Thin sheets that resist bending: hinges between neighbouring triangles (docs/theory/balance.md, "Hinges").
#pragma once

#include <array>
#include <cmath>

#include "math/dual.h"
#include "math/tensor.h"

namespace traction {

// Vertices a, b, c, d of the triangles (a, b, c) and (b, a, d), which share the edge from a to b and the side their normals point to.
//   W = B/2 |e|^2/(A1 + A2) (theta - theta0)^2
// with the edge's length and the triangles' areas at rest, and theta the angle between the normals, positive where bodies with outward normals are convex.
// B [N m] is the bending stiffness of a plate: exact for cylinders on equilateral triangles, up to three times too stiff on halved squares
// (docs/theory/balance.md, "Hinges").
struct HingeElement {
  std::array<int, 4> vertices;  // local
  double stiffness;             // B |e|^2/(A1 + A2) [N m]
  double rest_angle;            // theta0, between -pi and pi
  double viscous_time;          // beta of the moment stiffness (theta - theta0 + beta theta') [s]

  // `rest`: positions at rest [m] of the vertices in the order given; both triangles have an area. `bending_stiffness`: B [N m]. `flat_rest`: theta0 is 0
  // whatever the rest shape. A rest shape that is folded flat onto itself has no theta0, because the sign of +-pi is lost.
  HingeElement(const std::array<int, 4>& vertices, const std::array<Vec3, 4>& rest, double bending_stiffness, double viscous_time, bool flat_rest);

  bool is_viscous() const { return viscous_time != 0; }
  // The elastic and viscous forces on the four vertices at positions x [m] and velocities v [m/s]; they sum to zero [N]. NaN where a triangle has no area.
  template <typename T>
  std::array<Vector3<T>, 4> forces(const std::array<Vector3<T>, 4>& x, const std::array<Vector3<T>, 4>& v) const;
  double energy(const std::array<Vec3, 4>& x) const;  // [J]
};

// theta and its gradient for vertices at positions x [m].
template <typename T>
struct DihedralAngle {
  T angle;                              // (-pi, pi], 0 where flat
  std::array<Vector3<T>, 4> gradients;  // dtheta/dx [1/m]

  explicit DihedralAngle(const std::array<Vector3<T>, 4>& x);
};

// Lifting c by z along its triangle's normal lowers theta by z over the triangle's height. The gradients at the ends of the edge follow because translations
// and rotations do not change theta.
template <typename T>
DihedralAngle<T>::DihedralAngle(const std::array<Vector3<T>, 4>& x) {
  using std::atan2;
  using std::sqrt;
  const Vector3<T> edge = x[1] - x[0], c = x[2] - x[0], d = x[3] - x[0];
  const Vector3<T> normal_c = edge.cross(c), normal_d = d.cross(edge);  // their lengths are twice the areas
  const T squared_length = edge.dot(edge), length = sqrt(squared_length);
  // (normal_c x normal_d) . edge / length = -length normal_c . d
  angle = atan2(-(length * normal_c.dot(d)), normal_c.dot(normal_d));
  const Vector3<T> by_c = normal_c * (length / normal_c.dot(normal_c)), by_d = normal_d * (length / normal_d.dot(normal_d));
  const T along_c = c.dot(edge) / squared_length, along_d = d.dot(edge) / squared_length;
  gradients[1] = by_c * along_c + by_d * along_d;
  gradients[2] = -by_c;
  gradients[3] = -by_d;
  gradients[0] = -(gradients[1] + gradients[2] + gradients[3]);
}

// theta - theta0 is not reduced to (-pi, pi]: it is the turn from the rest shape that does not pass the triangles through each other. That holds for rest
// angles near pi too, where the shorter turn would lead through the fold.
template <typename T>
std::array<Vector3<T>, 4> HingeElement::forces(const std::array<Vector3<T>, 4>& x, const std::array<Vector3<T>, 4>& v) const {
  const DihedralAngle<T> dihedral(x);
  const auto& gradients = dihedral.gradients;
  T turn = dihedral.angle - rest_angle;
  if (is_viscous()) {
    T rate(0.0);
    for (int a = 1; a < 4; ++a) rate += gradients[a].dot(v[a] - v[0]);
    turn += rate * viscous_time;
  }
  const T moment = turn * -stiffness;
  std::array<Vector3<T>, 4> force;
  for (int a = 1; a < 4; ++a) force[a] = gradients[a] * moment;
  force[0] = -(force[1] + force[2] + force[3]);
  return force;
}

}  // namespace traction
