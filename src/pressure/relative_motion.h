// The motion of one body against another, each carried by four points, in the coordinates of the other at rest (docs/theory/pressure.md, "Relative
// motion").
#pragma once

#include <array>

#include "math/dual.h"
#include "math/tensor.h"

namespace traction {

template <typename T>
using FourPoints = std::array<Vector3<T>, 4>;

template <typename S, typename T>
auto dot(const Vector3<S>& a, const Vector3<T>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <typename S, typename T>
auto cross(const Vector3<S>& a, const Vector3<T>& b) {
  using Product = decltype(a[0] * b[0]);
  return Vector3<Product>(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}

/// The weights with which four points carry others: w(x) of a point x sum to 1, and x = sum_i w_i x_i.
template <typename T>
struct CarryingFrame {
  Vector3<T> origin;
  std::array<Vector3<T>, 3> gradients;  ///< gradients of the weights of all points except the first
  T determinant;                        ///< six times the volume

  explicit CarryingFrame(const FourPoints<T>& x) : origin(x[0]) {
    const Vector3<T> a = x[1] - x[0], b = x[2] - x[0], c = x[3] - x[0];
    gradients = {cross<T, T>(b, c), cross<T, T>(c, a), cross<T, T>(a, b)};
    determinant = dot<T, T>(a, gradients[0]);
    const T inverse = 1.0 / determinant;
    for (Vector3<T>& gradient : gradients)
      for (int i = 0; i < 3; ++i) gradient[i] = gradient[i] * inverse;
  }

  std::array<T, 4> weights(const Vector3<T>& x) const {
    const Vector3<T> offset = x - origin;
    std::array<T, 4> w;
    for (int k = 0; k < 3; ++k) w[k + 1] = dot<T, T>(gradients[k], offset);
    w[0] = 1.0 - w[1] - w[2] - w[3];
    return w;
  }
};

/// The places of the second body's four points as seen from the first body: y = X_0 + F^-1 (x - x_0), with the first body's deformation gradient F, which is
/// the identity at rest.
template <typename T>
struct RelativeMotion {
  FourPoints<T> y;                          ///< [m]
  FourPoints<T> rate;                       ///< rate of y [m/s]
  std::array<std::array<T, 4>, 4> weights;  ///< [i][j]: weight of the first body's point j in the second body's point i
  std::array<Vector3<T>, 3> rows;           ///< the gradients of the first body's weights
  std::array<Vec3, 3> edges;                ///< offsets from the first point of the first body at rest

  RelativeMotion(const std::array<Vec3, 4>& rest, const FourPoints<T>& first_x, const FourPoints<T>& first_v, const FourPoints<T>& second_x,
                 const FourPoints<T>& second_v) {
    const CarryingFrame<T> frame(first_x);
    rows = frame.gradients;
    for (int k = 0; k < 3; ++k) edges[k] = rest[k + 1] - rest[0];
    for (int i = 0; i < 4; ++i) {
      weights[i] = frame.weights(second_x[i]);
      Vector3<T> v = second_v[i];
      for (int j = 0; j < 4; ++j)
        for (int c = 0; c < 3; ++c) v[c] = v[c] - weights[i][j] * first_v[j][c];
      for (int c = 0; c < 3; ++c) {
        y[i][c] = T(rest[0][c]);
        rate[i][c] = T(0.0);
        for (int k = 0; k < 3; ++k) y[i][c] += weights[i][k + 1] * edges[k][c];
      }
      for (int k = 0; k < 3; ++k) {
        const T along = dot<T, T>(rows[k], v);
        for (int c = 0; c < 3; ++c) rate[i][c] += along * edges[k][c];
      }
    }
  }

  /// The forces on the points of the first and of the second body whose power is that of `conjugate` with the rates of y.
  void add_forces(const FourPoints<T>& conjugate, FourPoints<T>& on_first, FourPoints<T>& on_second) const {
    for (int i = 0; i < 4; ++i) {
      Vector3<T> force(T(0.0), T(0.0), T(0.0));
      for (int k = 0; k < 3; ++k) {
        T along(0.0);
        for (int c = 0; c < 3; ++c) along += conjugate[i][c] * edges[k][c];
        for (int c = 0; c < 3; ++c) force[c] += along * rows[k][c];
      }
      for (int c = 0; c < 3; ++c) on_second[i][c] += force[c];
      for (int j = 0; j < 4; ++j)
        for (int c = 0; c < 3; ++c) on_first[j][c] -= weights[i][j] * force[c];
    }
  }
};

}  // namespace traction
