// Where one body of a pair is in the coordinates of the other, and all that follows from it for every piece of their contact surface.
#pragma once

#include "pressure/pressure_pair.h"

namespace traction {

// Makes a vector's length 1; false if it has none.
template <typename T>
bool normalize(Vector3<T>& vector) {
  using std::sqrt;
  const T square = dot<T, T>(vector, vector);
  if (!(real_part(square) > 0)) return false;
  const T inverse = 1.0 / sqrt(square);
  for (int c = 0; c < 3; ++c) vector[c] = vector[c] * inverse;
  return true;
}

template <typename T>
struct PressurePair::Pose {
  FourPoints<T> y, rate;  // the points that carry the other body
  CarryingFrame<T> frame;
  T compression;            // the other body's volume at rest over the present one, by which its pressure rises
  Vector3<T> plane_normal;  // out of the other side, if it is half of space

  Pose(const FourPoints<T>& points, const FourPoints<T>& rates, double rest_determinant)
      : y(points), rate(rates), frame(points), compression(rest_determinant / frame.determinant) {
    plane_normal = cross<T, T>(y[1] - y[0], y[2] - y[0]);
    normalize(plane_normal);
  }

  Vector3<T> place(const std::array<double, 4>& w) const {
    Vector3<T> x;
    for (int c = 0; c < 3; ++c) x[c] = y[0][c] * w[0] + y[1][c] * w[1] + y[2][c] * w[2] + y[3][c] * w[3];
    return x;
  }
  // The gradient of a pressure with these values at the points at rest.
  Vector3<T> gradient(const std::array<double, 4>& pressure) const {
    Vector3<T> sum(T(0.0), T(0.0), T(0.0));
    for (int k = 0; k < 3; ++k) {
      const T slope = compression * (pressure[k + 1] - pressure[0]);
      for (int c = 0; c < 3; ++c) sum[c] += slope * frame.gradients[k][c];
    }
    return sum;
  }
};

}  // namespace traction
