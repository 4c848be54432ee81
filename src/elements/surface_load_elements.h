// Loads on a triangle, or on a face of a ten-node tetrahedron, that follow its motion, as elements of a StencilForce. They derive from no energy.
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

/// A face of second order, by three corners and the vertices of the edges 01, 12 and 20. Its six points integrate polynomials of degree 4 exactly
/// (Dunavant 1985).
struct QuadraticFace {
  static constexpr int kPoints = 6;

  /// Calls action(weight, shape functions, x_xi cross x_eta) for each point; weights sum to 1/2, the area of the reference triangle.
  template <typename T, typename Action>
  static void for_each_point(const std::array<Vector3<T>, 6>& x, Action action) {
    constexpr double kFirst = 0.445948490915965, kSecond = 0.091576213509771, kFirstWeight = 0.223381589678011 / 2, kSecondWeight = 0.109951743655322 / 2;
    for (int q = 0; q < kPoints; ++q) {
      const double other = q < 3 ? kFirst : kSecond;
      std::array<double, 3> at{other, other, other};
      at[q % 3] = 1 - 2 * other;
      const std::array<double, 6> shapes = {at[0] * (2 * at[0] - 1), at[1] * (2 * at[1] - 1), at[2] * (2 * at[2] - 1),
                                            4 * at[0] * at[1],       4 * at[1] * at[2],       4 * at[2] * at[0]};
      const Vector3<T> second = (x[1] - x[0]) * T(4 * at[1] - 1) + (x[3] - x[0]) * T(4 * (at[0] - at[1])) + (x[4] - x[5]) * T(4 * at[2]);
      const Vector3<T> third = (x[2] - x[0]) * T(4 * at[2] - 1) + (x[5] - x[0]) * T(4 * (at[0] - at[2])) + (x[4] - x[3]) * T(4 * at[1]);
      action(q < 3 ? kFirstWeight : kSecondWeight, shapes, Vector3<T>(second.cross(third)));
    }
  }
};

/// A pressure on a face of second order, -p times the integral of shape functions over its present area vector: -p times the gradient of a volume that it
/// bounds.
struct QuadraticPressureElement {
  std::array<int, 6> vertices;  ///< local; as in QuadraticFace, counterclockwise seen from the side that is pressed
  double pressure;              ///< p [Pa]

  bool is_viscous() const { return false; }
  template <typename T>
  std::array<Vector3<T>, 6> forces(const std::array<Vector3<T>, 6>& x, const std::array<Vector3<T>, 6>&) const {
    std::array<Vector3<T>, 6> result;
    for (Vector3<T>& force : result) force.setZero();
    QuadraticFace::for_each_point<T>(x, [&](double weight, const std::array<double, 6>& shapes, const Vector3<T>& area) {
      for (std::size_t a = 0; a < 6; ++a) result[a] += area * T(-pressure * weight * shapes[a]);
    });
    return result;
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
