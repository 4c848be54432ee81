// The angle between two triangles that share an edge, with its gradient (docs/theory/balance.md, "Bending").
#pragma once

#include <array>
#include <cmath>

#include "math/dual.h"
#include "math/tensor.h"

namespace traction {

/// theta and its gradient for the vertices a, b, c, d, at positions x [m], of the triangles (a, b, c) and (b, a, d), which share the edge from a to b and the
/// side their normals point to. The angle is positive where bodies with outward normals are convex. NaN where a triangle has no area.
template <typename T>
struct DihedralAngle {
  T angle;                              ///< (-pi, pi], 0 where flat
  std::array<Vector3<T>, 4> gradients;  ///< dtheta/dx [1/m]; they sum to zero

  explicit DihedralAngle(const std::array<Vector3<T>, 4>& x);
};

/// Lifting c by z along its triangle's normal reduces theta by z over the triangle's height. The gradients at the ends of the edge follow because translations
/// and rotations do not change theta.
template <typename T>
DihedralAngle<T>::DihedralAngle(const std::array<Vector3<T>, 4>& x) {
  using std::atan2;
  using std::sqrt;
  const Vector3<T> edge = x[1] - x[0], c = x[2] - x[0], d = x[3] - x[0];
  const Vector3<T> normal_c = edge.cross(c), normal_d = d.cross(edge);  // as long as twice the triangles' areas
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

}  // namespace traction
