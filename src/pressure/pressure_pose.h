// The place of one body of a pair in the coordinates of the other, and everything that follows from it for the pieces of their contact surface.
#pragma once

#include "pressure/pressure_body.h"

namespace traction {

/// Makes a vector's length 1; false if it has none.
template <typename T>
bool normalize(Vector3<T>& vector) {
  using std::sqrt;
  const T square = dot<T, T>(vector, vector);
  if (!(real_part(square) > 0)) return false;
  const T inverse = 1.0 / sqrt(square);
  for (int c = 0; c < 3; ++c) vector[c] = vector[c] * inverse;
  return true;
}

/// The pose of one body in the coordinates of the other, over any scalar.
template <typename T>
struct PressurePose {
  FourPoints<T> y;  ///< the points that carry the other body
  CarryingFrame<T> frame;
  T compression;                                 ///< the other body's volume at rest over its present volume; its pressure rises by this factor
  std::array<Vector3<T>, 3> pressure_gradients;  ///< gradients of pressures that rise by 1 from the first point to another
  Vector3<T> plane_normal;                       ///< normal that points out of the other side if that is half of space
  Vec3 center;                                   ///< the first point, as a constant
  Vector3<T> separation_at_center;               ///< velocity of the coordinates relative to the other body at the center
  std::array<Vector3<T>, 3> separation_slope;    ///< its derivatives by position

  PressurePose(const FourPoints<T>& points, const FourPoints<T>& rates, double rest_determinant)
      : y(points), frame(points), compression(rest_determinant / frame.determinant) {
    plane_normal = cross<T, T>(y[1] - y[0], y[2] - y[0]);
    normalize(plane_normal);
    for (int a = 0; a < 3; ++a) {
      center[a] = real_part(y[0][a]);
      for (int c = 0; c < 3; ++c) {
        pressure_gradients[a][c] = compression * frame.gradients[a][c];
        separation_slope[a][c] = T(0.0);
        for (int k = 0; k < 3; ++k) separation_slope[a][c] -= (rates[k + 1][c] - rates[0][c]) * frame.gradients[k][a];
      }
    }
    for (int c = 0; c < 3; ++c) {
      separation_at_center[c] = -rates[0][c];
      for (int a = 0; a < 3; ++a) separation_at_center[c] += separation_slope[a][c] * (center[a] - y[0][a]);
    }
  }

  /// The velocity at an offset from the center.
  Vector3<T> separation_at(const Vec3& arm) const {
    Vector3<T> result = separation_at_center;
    for (int a = 0; a < 3; ++a) result += arm[a] * separation_slope[a];
    return result;
  }
  /// The gradient of a pressure that has these values at the points at rest.
  Vector3<T> gradient(const std::array<double, 4>& pressure) const {
    Vector3<T> sum(T(0.0), T(0.0), T(0.0));
    for (int k = 0; k < 3; ++k)
      for (int c = 0; c < 3; ++c) sum[c] += pressure_gradients[k][c] * (pressure[k + 1] - pressure[0]);
    return sum;
  }
};

/// The place of a body's points.
inline Vec3 carried_to(const FourPoints<double>& y, const std::array<double, 4>& w) { return w[0] * y[0] + w[1] * y[1] + w[2] * y[2] + w[3] * y[3]; }

}  // namespace traction
