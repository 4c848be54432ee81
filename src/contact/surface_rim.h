// The rim of a surface of triangles: which vertices lie on it, and how far a point has gone past it (docs/theory/contact.md, "Rim of a surface").
#pragma once

#include <array>
#include <vector>

#include "math/dual.h"
#include "math/tensor.h"

namespace traction {

/// For each of `count` vertices, whether it lies on an edge that belongs to one of the triangles alone. The answer is right for vertices all of whose triangles
/// are given.
std::vector<char> rim_vertices(const std::vector<std::array<int, 3>>& triangles, int count);

/// How far the foot of a point in a triangle's plane lies outside of the triangle, over any scalar.
template <typename T>
struct Overhang {
  T square = T(0.0);                                     ///< squared distance in the plane; 0 over the triangle [m^2]
  Vector3<T> across = Vector3<T>::Constant(T(0.0));      ///< in the plane, from the triangle's closest point to the foot [m]
  Vector3<T> difference = Vector3<T>::Constant(T(0.0));  ///< barycentric coordinates of the foot less those of the closest point
  Vector3<T> closest = Vector3<T>::Constant(T(0.0));     ///< barycentric coordinates of the closest point
};

/// `normal`: of unit length. `distance`: of x from the plane. `foot`: barycentric coordinates of the foot.
template <typename T>
Overhang<T> overhang(const Vector3<T>& x, const std::array<Vector3<T>, 3>& corners, const Vector3<T>& normal, const T& distance, const Vector3<T>& foot) {
  Overhang<T> result;
  double least = -1;
  for (int opposite = 0; opposite < 3; ++opposite) {
    if (!(real_part(foot[opposite]) < 0)) continue;
    const int a = (opposite + 1) % 3, b = (opposite + 2) % 3;
    const Vector3<T> edge = corners[b] - corners[a];
    T part = edge.dot(x - corners[a]) / edge.squaredNorm();
    if (!(real_part(part) > 0)) part = T(0.0);
    else if (!(real_part(part) < 1)) part = T(1.0);
    const Vector3<T> across = x - corners[a] - edge * part - normal * distance;
    const T square = across.squaredNorm();
    if (least >= 0 && !(real_part(square) < least)) continue;
    least = real_part(square);
    result.square = square;
    result.across = across;
    result.closest[opposite] = T(0.0);
    result.closest[a] = 1.0 - part;
    result.closest[b] = part;
  }
  if (least >= 0) result.difference = foot - result.closest;
  return result;
}

}  // namespace traction
