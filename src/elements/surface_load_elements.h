// Loads on a triangle, or on a face of a ten-node tetrahedron, that follow its motion, as elements of a StencilForce. They derive from no energy.
#pragma once

#include <array>
#include <cmath>
#include <vector>

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

  /// Calls action(weight, shape functions, x_xi, x_eta) for each point; weights sum to 1/2, the area of the reference triangle.
  template <typename T, typename Action>
  static void for_each_tangents(const std::array<Vector3<T>, 6>& x, Action action) {
    constexpr double kFirst = 0.445948490915965, kSecond = 0.091576213509771, kFirstWeight = 0.223381589678011 / 2, kSecondWeight = 0.109951743655322 / 2;
    for (int q = 0; q < kPoints; ++q) {
      const double other = q < 3 ? kFirst : kSecond;
      std::array<double, 3> at{other, other, other};
      at[q % 3] = 1 - 2 * other;
      const std::array<double, 6> shapes = {at[0] * (2 * at[0] - 1), at[1] * (2 * at[1] - 1), at[2] * (2 * at[2] - 1),
                                            4 * at[0] * at[1],       4 * at[1] * at[2],       4 * at[2] * at[0]};
      const Vector3<T> second = (x[1] - x[0]) * T(4 * at[1] - 1) + (x[3] - x[0]) * T(4 * (at[0] - at[1])) + (x[4] - x[5]) * T(4 * at[2]);
      const Vector3<T> third = (x[2] - x[0]) * T(4 * at[2] - 1) + (x[5] - x[0]) * T(4 * (at[0] - at[2])) + (x[4] - x[3]) * T(4 * at[1]);
      action(q < 3 ? kFirstWeight : kSecondWeight, shapes, second, third);
    }
  }

  /// The same with action(weight, shape functions, x_xi cross x_eta).
  template <typename T, typename Action>
  static void for_each_point(const std::array<Vector3<T>, 6>& x, Action action) {
    for_each_tangents<T>(x, [&](double weight, const std::array<double, 6>& shapes, const Vector3<T>& first, const Vector3<T>& second) {
      action(weight, shapes, Vector3<T>(first.cross(second)));
    });
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

/// A traction on the area at rest that turns with its surface: by R of the polar decomposition F = R U of the surface's deformation, which turns the normal
/// too. It is one of a parallelogram.
class TurningTraction {
 public:
  /// The sides of the parallelogram at rest, in any order [m]; `traction` [Pa].
  TurningTraction(const Vec3& a, const Vec3& b, const Vec3& traction) {
    const Vec3 first = a.normalized(), normal = a.cross(b).normalized(), second = normal.cross(first);
    Eigen::Matrix2d shape;
    shape << a.dot(first), b.dot(first), 0, b.dot(second);
    inverse_rest_shape_ = shape.inverse();
    const Vec3 force = traction * a.cross(b).norm();
    along_first_ = force.dot(first), along_second_ = force.dot(second), up_ = force.dot(normal);
  }

  /// The force on the parallelogram, whose sides are a and b now [N].
  template <typename T>
  Vector3<T> force(const Vector3<T>& a, const Vector3<T>& b) const {
    using std::sqrt;
    const Vector3<T> f1 = a * inverse_rest_shape_(0, 0) + b * inverse_rest_shape_(1, 0), f2 = a * inverse_rest_shape_(0, 1) + b * inverse_rest_shape_(1, 1);
    // By Cayley and Hamilton U = (C + d I) / s with C = F^T F, d = sqrt(det C), s = sqrt(tr C + 2 d), so that R = F U^-1 = F ((tr C + d) I - C) / (s d).
    const T c11 = f1.dot(f1), c22 = f2.dot(f2), c12 = f1.dot(f2);
    const Vector3<T> normal = f1.cross(f2);
    const T d = sqrt(normal.dot(normal)), scale = 1.0 / (d * sqrt(c11 + c22 + d * 2.0));
    const Vector3<T> r1 = (f1 * (c22 + d) - f2 * c12) * scale, r2 = (f2 * (c11 + d) - f1 * c12) * scale;
    return r1 * along_first_ + r2 * along_second_ + normal * (up_ / d);
  }

 private:
  Eigen::Matrix2d inverse_rest_shape_;      // [a, b]^-1 in orthonormal coordinates of the plane at rest [1/m]
  double along_first_, along_second_, up_;  // the force at rest, in these coordinates and along the normal [N]
};

/// A traction on a triangle that turns with it.
struct TurningTractionElement {
  std::array<int, 3> vertices;  ///< local, in any order
  TurningTraction twice;        ///< on the parallelogram of two of its sides

  /// `rest`: positions of the vertices at rest, not on one line [m]. `traction` [Pa].
  TurningTractionElement(const std::array<int, 3>& corners, const std::array<Vec3, 3>& rest, const Vec3& traction)
      : vertices(corners), twice(rest[1] - rest[0], rest[2] - rest[0], traction) {}

  bool is_viscous() const { return false; }
  template <typename T>
  std::array<Vector3<T>, 3> forces(const std::array<Vector3<T>, 3>& x, const std::array<Vector3<T>, 3>&) const {
    const Vector3<T> share = twice.force<T>(x[1] - x[0], x[2] - x[0]) * T(1.0 / 6);
    return {share, share, share};
  }
};

/// A traction on a face of second order that turns with it at each of its points: the integral of shape functions times the traction over the area at rest.
struct QuadraticTurningTractionElement {
  std::array<int, 6> vertices;          ///< local; as in QuadraticFace
  std::vector<TurningTraction> points;  ///< on the parallelograms of x_xi and x_eta

  /// `rest`: positions of the vertices at rest [m]. `traction` [Pa].
  QuadraticTurningTractionElement(const std::array<int, 6>& face, const std::array<Vec3, 6>& rest, const Vec3& traction) : vertices(face) {
    QuadraticFace::for_each_tangents<double>(rest, [&](double, const auto&, const Vec3& a, const Vec3& b) { points.emplace_back(a, b, traction); });
  }

  bool is_viscous() const { return false; }
  template <typename T>
  std::array<Vector3<T>, 6> forces(const std::array<Vector3<T>, 6>& x, const std::array<Vector3<T>, 6>&) const {
    std::array<Vector3<T>, 6> result;
    for (Vector3<T>& force : result) force.setZero();
    auto point = points.begin();
    QuadraticFace::for_each_tangents<T>(x, [&](double weight, const std::array<double, 6>& shapes, const Vector3<T>& a, const Vector3<T>& b) {
      const Vector3<T> force = (point++)->template force<T>(a, b);
      for (std::size_t n = 0; n < 6; ++n) result[n] += force * T(weight * shapes[n]);
    });
    return result;
  }
};

}  // namespace traction
