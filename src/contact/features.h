// Distances between vertices, edges and triangles (docs/theory/contact.md, "Edges and faces"), over any scalar.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "math/dual.h"
#include "math/tensor.h"

namespace traction {

// A pair of features whose closest points lie inside of both: a vertex and a vertex, an edge or a triangle, or two edges.
enum class FeaturePair : std::uint8_t { vertex_vertex, vertex_edge, vertex_triangle, edge_edge };

inline int points_of(FeaturePair pair) { return pair == FeaturePair::edge_edge ? 4 : 2 + static_cast<int>(pair); }
inline int first_side_of(FeaturePair pair) { return pair == FeaturePair::edge_edge ? 2 : 1; }

// Near the end of an edge, where its vertex takes over, and where edges become parallel, a pair of edges fades out (docs/theory/contact.md, "Edges and faces").
struct EdgeFading {
  static constexpr double kEnd = 0.15;       // of the edge
  static constexpr double kParallel = 0.01;  // the square of the sine between the edges

  template <typename T>
  static T rise(const T& x) {  // from 0 at 0 to 1 at 1, with slope 0 there
    return real_part(x) < 1 ? (2.0 - x) * x : T(1.0);
  }
  // `t`, `u`: where on the edges the closest points lie, between 0 and 1.
  template <typename T>
  static T factor(const T& t, const T& u, const T& sine_squared) {
    return rise<T>(t / kEnd) * rise<T>((1.0 - t) / kEnd) * rise<T>(u / kEnd) * rise<T>((1.0 - u) / kEnd) * rise<T>(sine_squared / kParallel);
  }
  static bool is_full(double t, double u, double sine_squared) { return std::min(std::min(t, 1 - t), std::min(u, 1 - u)) >= kEnd && sine_squared >= kParallel; }
};

// The lines through two edges (a, b) and (c, d).
template <typename T>
struct LinePair {
  Vector3<T> normal;  // (b - a) x (d - c)
  T square;           // of its length
  T t, u;             // the points closest to each other are a + t (b - a) and c + u (d - c)
  T sine_squared;

  explicit LinePair(std::span<const Vector3<T>> x) {
    const Vector3<T> e = x[1] - x[0], f = x[3] - x[2], r = x[2] - x[0];
    normal = e.cross(f);
    square = normal.squaredNorm();
    t = r.cross(f).dot(normal) / square;
    u = r.cross(e).dot(normal) / square;
    sine_squared = square / (e.squaredNorm() * f.squaredNorm());
  }
};

// Two features at the positions of their points, those of the first side first: see contact_law.h. The closest points are sums of the points with weights, and
// the gradient of the distance in a point is its weight times the direction between them.
template <typename T>
class FeatureSample {
 public:
  FeatureSample(FeaturePair pair, std::span<const Vector3<T>> x) : points_(points_of(pair)), first_side_(first_side_of(pair)) {
    using std::sqrt;
    weights_[0] = T(1.0);
    if (pair == FeaturePair::vertex_vertex) {
      weights_[1] = T(-1.0);
      set_gap(x[0] - x[1]);
    } else if (pair == FeaturePair::vertex_edge) {
      const Vector3<T> e = x[2] - x[1];
      const T t = (x[0] - x[1]).dot(e) / e.squaredNorm();
      weights_[1] = t - 1.0;
      weights_[2] = -t;
      set_gap(x[0] - x[1] - e * t);
    } else if (pair == FeaturePair::vertex_triangle) {
      const Vector3<T> e = x[2] - x[1], f = x[3] - x[1], r = x[0] - x[1], normal = e.cross(f);
      const T square = normal.squaredNorm();
      const T b = r.cross(f).dot(normal) / square, c = e.cross(r).dot(normal) / square;
      weights_[1] = b + c - 1.0;
      weights_[2] = -b;
      weights_[3] = -c;
      set_gap(r, normal, square);
    } else {
      const LinePair<T> lines(x);
      weights_ = {1.0 - lines.t, lines.t, lines.u - 1.0, -lines.u};
      set_gap(x[0] - x[2], lines.normal, lines.square);
      fade(lines, x);
    }
  }

  bool within_reach() const { return true; }
  const T& gap() const { return gap_; }
  const Vector3<T>& gradient() const { return gradient_; }
  void add_gap_gradient(const T& factor, std::span<Vector3<T>> forces) const {
    for (int i = 0; i < points_; ++i) forces[i] += gradient_ * (weights_[i] * factor);
  }
  const T& factor() const { return factor_; }
  void add_factor_gradient(const T& multiple, std::span<Vector3<T>> forces) const {
    if (!fades_) return;
    for (int i = 0; i < points_; ++i) forces[i] += factor_gradient_[i] * multiple;
  }
  template <typename U, typename Frame>
  Vector3<U> relative_velocity(std::span<const Vector3<U>> v, const Frame&) const {
    Vector3<U> sum = v[0] * U(weights_[0]);
    for (int i = 1; i < points_; ++i) sum += v[i] * U(weights_[i]);
    return sum;
  }
  template <typename U>
  void add_velocity_transpose(const Vector3<U>& force, std::span<Vector3<U>> forces) const {
    for (int i = 0; i < points_; ++i) forces[i] += force * U(weights_[i]);
  }
  template <typename Action>
  void for_each_share(Action action) const {
    for (int i = 0; i < points_; ++i) action(static_cast<std::size_t>(i), (i < first_side_ ? 1 : -1) * real_part(weights_[i]));
  }

 private:
  // `difference`: from the closest point of the second side to that of the first.
  void set_gap(const Vector3<T>& difference) {
    using std::sqrt;
    gap_ = sqrt(difference.squaredNorm());
    gradient_ = difference * (1.0 / gap_);
  }
  // From any difference and the normal of both, which stays exact where the distance is tiny.
  void set_gap(const Vector3<T>& difference, const Vector3<T>& normal, const T& square) {
    using std::sqrt;
    const T inverse = 1.0 / sqrt(square), height = difference.dot(normal) * inverse;
    const double sign = real_part(height) < 0 ? -1 : 1;
    gap_ = height * sign;
    gradient_ = normal * (inverse * sign);
  }

  void fade(const LinePair<T>& lines, std::span<const Vector3<T>> x) {
    if (EdgeFading::is_full(real_part(lines.t), real_part(lines.u), real_part(lines.sine_squared))) return;
    using Seeded = Dual<T, 12>;  // along all coordinates of the four points
    std::array<Vector3<Seeded>, 4> seeded;
    for (int i = 0; i < 4; ++i)
      for (int axis = 0; axis < 3; ++axis) {
        seeded[i][axis].value = x[i][axis];
        seeded[i][axis].derivative.fill(T(0.0));
        seeded[i][axis].derivative[3 * i + axis] = T(1.0);
      }
    const LinePair<Seeded> moved(seeded);
    const Seeded factor = EdgeFading::factor(moved.t, moved.u, moved.sine_squared);
    fades_ = true;
    factor_ = factor.value;
    for (int i = 0; i < 4; ++i)
      for (int axis = 0; axis < 3; ++axis) factor_gradient_[i][axis] = factor.derivative[3 * i + axis];
  }

  int points_, first_side_;
  std::array<T, 4> weights_;
  T gap_;
  Vector3<T> gradient_;
  bool fades_ = false;
  T factor_ = T(1.0);
  std::array<Vector3<T>, 4> factor_gradient_;
};

// The point of a triangle that is closest to another.
struct ClosestPoint {
  double distance;               // [m]
  std::array<bool, 3> corners;   // which corners span the feature it lies in
  std::array<double, 3> shares;  // its barycentric coordinates
};
ClosestPoint closest_on_edge(const Vec3& x, const Vec3& a, const Vec3& b);  // with the first two corners
ClosestPoint closest_on_triangle(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c);

// Distance between the edges (a, b) and (c, d), wherever on them their closest points lie [m].
double edge_distance(std::span<const Vec3> x);

// How much of a displacement two features can go along before their distance is `least`: at most 1, and never too much (additive conservative advancement,
// docs/theory/contact.md, "Step bounds"). `x`, `displacements`: of a vertex and a triangle's corners, or of the ends of two edges [m]. `first_side`: 1 or 2.
double admissible_advance(std::span<const Vec3> x, std::span<const Vec3> displacements, int first_side, double least, double upper = 1);

}  // namespace traction
