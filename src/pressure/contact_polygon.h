// The pieces of a contact surface: planes cut by tetrahedra (docs/theory/pressure.md, "Contact surface").
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "pressure/relative_motion.h"

namespace traction {

/// A linear function of position: c_0 x + c_1 y + c_2 z + c_3.
struct LinearFunction {
  Vec3 gradient = Vec3::Zero();
  double constant = 0;

  template <typename T>
  T operator()(const Vector3<T>& x) const {
    return x[0] * gradient[0] + x[1] * gradient[1] + x[2] * gradient[2] + constant;
  }
};

/// How the corners of a polygon were made, each from two earlier ones. Derivatives need it, for the corners that remain in the end.
struct CornerLog {
  static constexpr int kGiven = 4;     ///< the first entries are the corners of the element that is cut
  static constexpr int kMost = 80;     ///< a slice has at most 4 corners, and each of 4 cuts meets at most as many edges as a polygon may have
  static constexpr int kContact = -1;  ///< in place of a face: the plane on which both pressures are equal

  /// The two earlier corners between which a corner was cut, and the face that cut it.
  struct Corner {
    int first, second;  ///< the corner lies between these
    int face;           ///< the corner lies where this barycentric coordinate of the other element vanishes
  };
  std::array<Corner, kMost> corners;
  int size = kGiven;

  int add(int first, int second, int face) {
    corners[size] = {first, second, face};
    return size++;
  }
};

/// A convex polygon.
struct ContactPolygon {
  static constexpr int kMost = 16;  ///< a plane has at most 4 corners in a tetrahedron, and 4 more in another; rounding may add a few
  std::array<Vec3, kMost> corners;
  std::array<int, kMost> origin;  ///< numbers of the corners in the log
  int size = 0;

  void add(const Vec3& x, int from) {
    if (size == kMost) return;
    corners[size] = x;
    origin[size++] = from;
  }
};

/// The place between two points at which a function with the values h at them vanishes.
inline Vec3 zero_between(const Vec3& a, double h_a, const Vec3& b, double h_b) { return a + h_a / (h_a - h_b) * (b - a); }

/// The part of a tetrahedron's inside on which a function with values h at its corners vanishes: empty, a triangle or a quadrilateral. A face on which it
/// vanishes belongs to the tetrahedron on its positive side.
inline ContactPolygon slice(const std::array<Vec3, 4>& x, const std::array<double, 4>& h, CornerLog& log) {
  std::array<int, 4> above, below;
  int positive = 0, others = 0;
  for (int i = 0; i < 4; ++i) {
    if (h[i] > 0) above[positive++] = i;
    else below[others++] = i;
  }
  ContactPolygon polygon;
  const auto add = [&](int i, int j) { polygon.add(zero_between(x[i], h[i], x[j], h[j]), log.add(i, j, CornerLog::kContact)); };
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

/// Corners within rounding of a face count as lying in it: the rim of a contact surface, where both pressures are zero, lies in the boundaries of both bodies.
inline double rounded_coordinate(double coordinate) {
  constexpr double kRounding = 1e-12;
  return std::abs(coordinate) <= kRounding ? 0 : coordinate;
}

/// Removes the part in which `inside`, the barycentric coordinate of this number, is negative. A polygon in the zero plane of `inside` remains as a whole if
/// `normal` points inside, and is removed otherwise, so that one of two neighbors keeps it.
inline void clip(ContactPolygon& polygon, const LinearFunction& inside, int face, const Vec3& normal, CornerLog& log) {
  std::array<double, ContactPolygon::kMost> value;
  bool is_in_plane = true, is_inside = true;
  for (int i = 0; i < polygon.size; ++i) {
    value[i] = rounded_coordinate(inside(polygon.corners[i]));
    is_in_plane = is_in_plane && value[i] == 0;
    is_inside = is_inside && value[i] >= 0;
  }
  if (is_in_plane) {
    if (inside.gradient.dot(normal) <= 0) polygon.size = 0;
    return;
  }
  if (is_inside) return;
  ContactPolygon rest;
  for (int i = 0; i < polygon.size; ++i) {
    const int next = i + 1 < polygon.size ? i + 1 : 0;
    const bool here = value[i] >= 0, there = value[next] >= 0;
    if (here) rest.add(polygon.corners[i], polygon.origin[i]);
    if (here != there)
      rest.add(zero_between(polygon.corners[i], value[i], polygon.corners[next], value[next]), log.add(polygon.origin[i], polygon.origin[next], face));
  }
  polygon = rest;
  if (polygon.size < 3) polygon.size = 0;
}

/// The rule of degree 2 at the middles of edges, on the triangles between the edges of a polygon and its centroid. Neighboring triangles share points, and the
/// rule depends continuously on the corners, of which some may coincide.
struct PolygonQuadrature {
  /// A place of the quadrature [m] and its share of the area [m^2].
  struct Point {
    Vec3 x;
    double area;
  };
  std::array<Point, 2 * ContactPolygon::kMost> points;  ///< for each corner i the middle of the edge after it, and the middle between it and the center
  int count = 0;                                        ///< 0 for a polygon without area
  double area = 0;                                      ///< [m^2]
  double sign = 1;                                      ///< -1 where the corners turn against the normal
  Vec3 center, offset;                                  ///< the centroid, and the vector to it from the first corner as it was computed

  PolygonQuadrature(const ContactPolygon& polygon, const Vec3& normal) {
    const int n = polygon.size;
    double twice = 0;
    Vec3 moment = Vec3::Zero(), least = moment, most = moment;  // the corners, from the first one
    const Vec3& start = polygon.corners[0];
    for (int i = 1; i < n; ++i) {
      const Vec3 a = polygon.corners[i] - start;
      least = least.cwiseMin(a);
      most = most.cwiseMax(a);
      if (i + 1 == n) break;
      const Vec3 b = polygon.corners[i + 1] - start;
      const double part = a.cross(b).dot(normal);
      twice += part;
      moment += part * (a + b);
    }
    constexpr double kNoArea = 1e-14;  // relative to the square of its diameter
    if (!(std::abs(twice) > kNoArea * (most - least).squaredNorm())) return;
    offset = moment / (3 * twice);
    center = start + offset.cwiseMax(least).cwiseMin(most);  // moves back the centroid of a sliver, which could be far outside
    sign = twice < 0 ? -1 : 1;
    area = sign * twice / 2;
    count = 2 * n;
    double before = third(polygon.corners[n - 1], polygon.corners[0], normal);
    for (int i = 0; i < n; ++i) {
      const Vec3 &a = polygon.corners[i], &b = polygon.corners[i + 1 < n ? i + 1 : 0];
      const double here = third(a, b, normal);
      points[2 * i] = {(a + b) / 2, here};
      points[2 * i + 1] = {(a + center) / 2, here + before};
      before = here;
    }
  }

 private:
  double third(const Vec3& a, const Vec3& b, const Vec3& normal) const { return (a - center).cross(b - center).dot(normal) * sign / 6; }
};

}  // namespace traction
