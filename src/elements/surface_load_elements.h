// Loads on a triangle that follow its motion, as elements of a StencilForce. They derive from no energy.
#pragma once

#include <array>

#include "math/tensor.h"

namespace traction {

/// A pressure on the present area: each vertex bears a third of -p A n.
struct PressureElement {
  std::array<int, 3> vertices;  ///< local; counterclockwise seen from the side that is pressed
  double pressure;              ///< p [Pa]

  bool is_viscous() const { return false; }
  template <typename T>
  std::array<Vector3<T>, 3> forces(const std::array<Vector3<T>, 3>& x, const std::array<Vector3<T>, 3>&) const {
    const Vector3<T> a = x[1] - x[0], b = x[2] - x[0], share = a.cross(b) * (-pressure / 6);
    return {share, share, share};
  }
};

/// A traction on the area at rest that turns with the triangle: by R of the polar decomposition F = R U of its deformation, which turns the normal too.
struct TurningTractionElement {
  std::array<int, 3> vertices;           ///< local, in any order
  Eigen::Matrix2d inverse_rest_shape;    ///< [X1 - X0, X2 - X0]^-1 in orthonormal coordinates of the plane at rest [1/m]
  double along_first, along_second, up;  ///< a third of the force at rest, in these coordinates and along the normal [N]

  /// `rest`: positions of the vertices at rest, not on one line [m]. `traction` [Pa].
  TurningTractionElement(const std::array<int, 3>& corners, const std::array<Vec3, 3>& rest, const Vec3& traction) : vertices(corners) {
    const Vec3 a = rest[1] - rest[0], b = rest[2] - rest[0], first = a.normalized(), normal = a.cross(b).normalized(), second = normal.cross(first);
    Eigen::Matrix2d shape;
    shape << a.dot(first), b.dot(first), 0, b.dot(second);
    inverse_rest_shape = shape.inverse();
    const Vec3 share = traction * a.cross(b).norm() / 6;
    along_first = share.dot(first), along_second = share.dot(second), up = share.dot(normal);
  }

  bool is_viscous() const { return false; }
  template <typename T>
  std::array<Vector3<T>, 3> forces(const std::array<Vector3<T>, 3>& x, const std::array<Vector3<T>, 3>&) const {
    using std::sqrt;
    const Vector3<T> a = x[1] - x[0], b = x[2] - x[0];
    const Vector3<T> f1 = a * inverse_rest_shape(0, 0) + b * inverse_rest_shape(1, 0), f2 = a * inverse_rest_shape(0, 1) + b * inverse_rest_shape(1, 1);
    // By Cayley and Hamilton U = (C + d I) / s with C = F^T F, d = sqrt(det C), s = sqrt(tr C + 2 d), so that R = F U^-1 = F ((tr C + d) I - C) / (s d).
    const T c11 = f1.dot(f1), c22 = f2.dot(f2), c12 = f1.dot(f2);
    const Vector3<T> normal = f1.cross(f2);
    const T d = sqrt(normal.dot(normal)), scale = 1.0 / (d * sqrt(c11 + c22 + d * 2.0));
    const Vector3<T> r1 = (f1 * (c22 + d) - f2 * c12) * scale, r2 = (f2 * (c11 + d) - f1 * c12) * scale;
    const Vector3<T> share = r1 * along_first + r2 * along_second + normal * (up / d);
    return {share, share, share};
  }
};

}  // namespace traction
