// The pieces of a contact surface: planes cut by tetrahedra, over any scalar (docs/theory/pressure.md, "Contact surface").
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "pressure/relative_motion.h"

namespace traction {

// A linear function of position: c_0 x + c_1 y + c_2 z + c_3.
struct LinearFunction {
  Vec3 gradient = Vec3::Zero();
  double constant = 0;

  template <typename T>
  T operator()(const Vector3<T>& x) const {
    return x[0] * gradient[0] + x[1] * gradient[1] + x[2] * gradient[2] + constant;
  }
};

// A convex polygon.
template <typename T>
struct ContactPolygon {
  static constexpr int kMost = 16;  // a plane has at most 4 corners in a tetrahedron, and 4 more in another; rounding may add a few
  std::array<Vector3<T>, kMost> corners;
  int size = 0;

  void add(const Vector3<T>& x) {
    if (size < kMost) corners[size++] = x;
  }
};

// Where a function with values h at two points vanishes between them.
template <typename T>
Vector3<T> zero_between(const Vector3<T>& a, const T& h_a, const Vector3<T>& b, const T& h_b) {
  const T part = h_a / (h_a - h_b);
  Vector3<T> x;
  for (int i = 0; i < 3; ++i) x[i] = a[i] + part * (b[i] - a[i]);
  return x;
}

// The part of a tetrahedron's inside on which a function with values h at its corners vanishes: empty, a triangle or a quadrilateral. A face on which it
// vanishes belongs to the tetrahedron on its positive side.
template <typename T>
ContactPolygon<T> slice(const std::array<Vector3<T>, 4>& x, const std::array<T, 4>& h) {
  std::array<int, 4> above, below;
  int positive = 0, others = 0;
  for (int i = 0; i < 4; ++i) {
    if (real_part(h[i]) > 0) above[positive++] = i;
    else below[others++] = i;
  }
  ContactPolygon<T> polygon;
  const auto add = [&](int i, int j) { polygon.add(zero_between<T>(x[i], h[i], x[j], h[j])); };
  if (positive == 2) {
    add(above[0], below[0]);
    add(above[0], below[1]);
    add(above[1], below[1]);
    add(above[1], below[0]);
  } else if (positive == 1) {
    for (int k = 0; k < 3; ++k) add(above[0], below[k]);
  } else if (positive == 3) {
    for (int k = 0; k < 3; ++k) add(above[k], below[0]);
  }
  return polygon;
}

// Removes the part where `inside`, a barycentric coordinate, is negative. Of a polygon that lies in its zero plane all remains if `normal` points inside, else
// nothing, so that one of two neighbors keeps it. Corners within rounding of the plane count as lying in it: the rim of a contact surface, where both pressures
// are zero, lies in the boundaries of both bodies.
template <typename T>
void clip(ContactPolygon<T>& polygon, const LinearFunction& inside, const Vec3& normal) {
  constexpr double kRounding = 1e-12;
  std::array<T, ContactPolygon<T>::kMost> value;
  bool is_in_plane = true, is_inside = true;
  for (int i = 0; i < polygon.size; ++i) {
    value[i] = inside(polygon.corners[i]);
    if (std::abs(real_part(value[i])) <= kRounding) value[i] = T(0.0);
    else is_in_plane = false;
    is_inside = is_inside && real_part(value[i]) >= 0;
  }
  if (is_in_plane) {
    if (inside.gradient.dot(normal) <= 0) polygon.size = 0;
    return;
  }
  if (is_inside) return;
  ContactPolygon<T> rest;
  for (int i = 0; i < polygon.size; ++i) {
    const int next = i + 1 < polygon.size ? i + 1 : 0;
    const bool here = real_part(value[i]) >= 0, there = real_part(value[next]) >= 0;
    if (here) rest.add(polygon.corners[i]);
    if (here != there) rest.add(zero_between<T>(polygon.corners[i], value[i], polygon.corners[next], value[next]));
  }
  polygon = rest;
  if (polygon.size < 3) polygon.size = 0;
}

// A point at which a polygon's traction is evaluated.
template <typename T>
struct QuadraturePoint {
  Vector3<T> x;
  T area;
};

// The rule of degree 2 at the middles of edges, on the triangles between the edges of a polygon and its centroid. Returns the number of points, 0 for a polygon
// without area. Neighboring triangles share points, and the rule depends continuously on the corners, of which some may coincide.
template <typename T>
int quadrature(const ContactPolygon<T>& polygon, const Vector3<T>& normal, std::array<QuadraturePoint<T>, 2 * ContactPolygon<T>::kMost>& points, T& area) {
  area = T(0.0);
  const int n = polygon.size;
  Vector3<T> moment(T(0.0), T(0.0), T(0.0));
  const Vector3<T>& start = polygon.corners[0];
  Vec3 least = Vec3::Zero(), most = least;  // the corners, from the first one
  for (int i = 1; i < n; ++i) {
    const Vector3<T> a = polygon.corners[i] - start;
    for (int c = 0; c < 3; ++c) {
      least[c] = std::min(least[c], real_part(a[c]));
      most[c] = std::max(most[c], real_part(a[c]));
    }
    if (i + 1 == n) break;
    const Vector3<T> b = polygon.corners[i + 1] - start;
    const T part = dot<T, T>(cross<T, T>(a, b), normal);
    area += part;
    for (int c = 0; c < 3; ++c) moment[c] += part * (a[c] + b[c]);
  }
  constexpr double kNoArea = 1e-14;  // relative to the square of its diameter
  if (!(std::abs(real_part(area)) > kNoArea * (most - least).squaredNorm())) return 0;
  const T inverse = 1.0 / area;
  const double sign = real_part(area) < 0 ? -1 : 1;
  Vector3<T> center;
  for (int c = 0; c < 3; ++c) {
    const T offset = moment[c] * inverse * (1.0 / 3);
    const double rounding =
        std::clamp(real_part(offset), least[c], most[c]) - real_part(offset);  // moves the centroid of a sliver back, which could be far outside
    center[c] = start[c] + (offset + rounding);
  }
  area = area * (0.5 * sign);
  std::array<T, ContactPolygon<T>::kMost> parts;  // a third of each triangle's area
  for (int i = 0; i < n; ++i) {
    const Vector3<T> a = polygon.corners[i] - center, b = polygon.corners[i + 1 < n ? i + 1 : 0] - center;
    parts[i] = dot<T, T>(cross<T, T>(a, b), normal) * (sign / 6);
  }
  for (int i = 0; i < n; ++i) {
    const Vector3<T>&a = polygon.corners[i], &b = polygon.corners[i + 1 < n ? i + 1 : 0];
    for (int c = 0; c < 3; ++c) {
      points[2 * i].x[c] = (a[c] + b[c]) * 0.5;
      points[2 * i + 1].x[c] = (a[c] + center[c]) * 0.5;
    }
    points[2 * i].area = parts[i];
    points[2 * i + 1].area = parts[i] + parts[i > 0 ? i - 1 : n - 1];
  }
  return 2 * n;
}

}  // namespace traction
