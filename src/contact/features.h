// Distances between vertices, edges and triangles (docs/theory/contact.md, "Edges and faces"), over any scalar.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "contact/surface_turn.h"
#include "math/dual.h"
#include "math/tensor.h"

namespace traction {

/// A pair of features whose closest points lie inside both: a place (a vertex, or a point on a face) with a vertex, an edge or a triangle, or two edges.
enum class FeaturePair : std::uint8_t { place_vertex, place_edge, place_triangle, edge_edge };

/// The number of points that span the second side.
inline int second_side_of(FeaturePair pair) { return pair == FeaturePair::edge_edge ? 2 : 1 + static_cast<int>(pair); }

/// A place on a face, as shares of one to three vertices. A vertex is a place with one share of 1.
struct Place {
  int corners = 1;
  std::array<double, 3> shares{1, 0, 0};
};
/// `at(point)` returns the position of a point; the first place.corners points span the place.
template <typename At>
Vec3 position_of(const Place& place, const std::array<int, 3>& points, const At& at) {
  Vec3 x = at(points[0]);
  if (place.corners == 1) return x;
  x *= place.shares[0];
  for (int i = 1; i < place.corners; ++i) x += place.shares[i] * at(points[i]);
  return x;
}

/// The lines through two edges (a, b) and (c, d).
template <typename T>
struct LinePair {
  Vector3<T> normal;  ///< (b - a) x (d - c)
  T square;           ///< squared length of the normal
  T t, u;             ///< the closest points are a + t (b - a) and c + u (d - c)
  T first, second;    ///< squared lengths of the edges
  T height;           ///< component of c - a along the normal, times its length

  explicit LinePair(std::span<const Vector3<T>> x) {
    const Vector3<T> e = x[1] - x[0], f = x[3] - x[2], r = x[2] - x[0];
    normal = e.cross(f);
    square = normal.squaredNorm();
    t = r.cross(f).dot(normal) / square;
    u = r.cross(e).dot(normal) / square;
    first = e.squaredNorm();
    second = f.squaredNorm();
    height = r.dot(normal);
  }

  T gap() const {  ///< distance of the lines
    using std::sqrt;
    return height * ((real_part(height) < 0 ? -1.0 : 1.0) / sqrt(square));
  }
  T sine_squared() const { return square / (first * second); }  ///< of the angle between the edges
  /// Places divide each edge into equal parts. For the two places on either side of each closest point, this returns the squared distance from the other line
  /// less the squared distance of the lines.
  std::array<T, 4> ends(const std::array<int, 2>& divisions) const {
    const auto squared = [](const T& at, int parts, const T& per_edge) {
      const double before = std::min(std::floor(real_part(at) * parts), parts - 1.0);
      const T from = at - before / parts, to = (before + 1) / parts - at;
      return std::array<T, 2>{from * from * per_edge, to * to * per_edge};
    };
    const auto [a, b] = squared(t, divisions[0], square / second);
    const auto [c, d] = squared(u, divisions[1], square / first);
    return {a, b, c, d};
  }
};

/// The factor m of (C14) on the force of two edges (docs/theory/contact.md, "Edges and faces"). Places divide the edges into equal parts. A place that is
/// within reach of the other edge carries a part of the force itself, and the edges carry the rest; far from all places the factor is 1. `reach`: the
/// distance at which the force begins, above that of the lines [m].
template <typename T>
T edge_factor(const LinePair<T>& lines, const std::array<int, 2>& divisions, double reach) {
  using std::sqrt;
  const T gap = lines.gap();
  T factor(1.0);
  for (const T& square : lines.ends(divisions)) {
    const T distance = sqrt(gap * gap + square);
    if (real_part(distance) >= reach) continue;
    const T depth = (reach - distance) / (reach - gap);
    factor *= 1.0 - depth * depth * depth;
  }
  return factor;
}

/// Two features among the points of a pair, the first side's first.
struct PairedFeatures {
  FeaturePair kind;
  Place place{};                       ///< the first side, unless it is an edge
  std::array<int, 3> second{};         ///< indices of the points that span the second side
  double count = 1;                    ///< factor on the forces between a place and a part of a sheet (docs/theory/contact.md, "Edges and faces", (C13))
  std::vector<SurfaceTurn> turns{};    ///< one for each segment of a rod and triangle of a shell on either side
  std::array<int, 2> divisions{1, 1};  ///< of two edges: how many parts the places that touch divide each into; guards are at the ends alone

  int first_side() const { return kind == FeaturePair::edge_edge ? 2 : place.corners; }
};

/// The factors on the potential and on the guard of two edges, and their gradients with respect to the edges' points [1/m].
template <typename T>
struct EdgeFading {
  T factor = T(1.0), guard_factor = T(1.0);
  std::array<Vector3<T>, 4> gradients, guard_gradients;
};

/// A pair of features at given positions of their points (see contact_law.h). The closest points are weighted sums of the points, and the gradient of the
/// distance with respect to a point is its weight times the direction between them.
template <typename T>
class FeatureSample {
 public:
  FeatureSample(const PairedFeatures& pair, std::span<const Vector3<T>> x)
      : first_side_(pair.first_side()), points_(first_side_ + second_side_of(pair.kind)), count_(pair.count) {
    for (int i = 0; i < first_side_; ++i) numbers_[i] = i;
    for (int i = first_side_; i < points_; ++i) numbers_[i] = pair.second[i - first_side_];
    measure(pair, x);
    if (!pair.turns.empty()) turns_ = {pair.turns, x, gap_, gradient_};
  }

  bool within_reach() const { return true; }
  const T& gap() const { return gap_; }
  const Vector3<T>& gradient() const { return gradient_; }
  void add_gap_gradient(const T& factor, std::span<Vector3<T>> forces) const {
    for (int i = 0; i < points_; ++i) forces[numbers_[i]] += gradient_ * (weights_[i] * factor);
  }
  /// `reach`, `guard_reach`: the distances at which potential and guard begin [m]. Returns nothing where both are whole.
  std::optional<EdgeFading<T>> fading(double reach, double guard_reach) const {
    if (!edges_ || !fades(reach)) return std::nullopt;
    using Seeded = Dual<T, 12>;  // along all coordinates of the four points
    std::array<Vector3<Seeded>, 4> seeded;
    for (int i = 0; i < 4; ++i)
      for (int axis = 0; axis < 3; ++axis) {
        seeded[i][axis].value = (*edges_)[i][axis];
        seeded[i][axis].derivative.fill(T(0.0));
        seeded[i][axis].derivative[3 * i + axis] = T(1.0);
      }
    const LinePair<Seeded> lines(seeded);
    EdgeFading<T> result;
    const auto take = [&](double each, const std::array<int, 2>& divisions, T& value, std::array<Vector3<T>, 4>& gradients) {
      gradients.fill(Vector3<T>::Constant(T(0.0)));
      if (real_part(gap_) >= each) return;  // it has no force
      const Seeded factor = edge_factor(lines, divisions, each);
      value = factor.value;
      for (int i = 0; i < 4; ++i)
        for (int axis = 0; axis < 3; ++axis) gradients[i][axis] = factor.derivative[3 * i + axis];
    };
    take(reach, divisions_, result.factor, result.gradients);
    take(guard_reach, {1, 1}, result.guard_factor, result.guard_gradients);
    return result;
  }
  template <typename U, typename Frame>
  Vector3<U> relative_velocity(std::span<const Vector3<U>> v, const Frame&) const {
    Vector3<U> sum = v[0] * U(weights_[0]);
    for (int i = 1; i < points_; ++i) sum += v[numbers_[i]] * U(weights_[i]);
    turns_.template add_velocity<U>(v, sum);
    return sum;
  }
  template <typename U>
  void add_velocity_transpose(const Vector3<U>& force, std::span<Vector3<U>> forces) const {
    for (int i = 0; i < points_; ++i) forces[numbers_[i]] += force * U(weights_[i]);
    turns_.template add_transpose<U>(force, forces);
  }
  template <typename Action>
  void for_each_share(Action action) const {
    for (int i = 0; i < points_; ++i) action(static_cast<std::size_t>(numbers_[i]), (i < first_side_ ? 1 : -1) * real_part(weights_[i]));
  }
  double count() const { return count_; }  ///< see PairedFeatures

 private:
  void measure(const PairedFeatures& pair, std::span<const Vector3<T>> x) {
    if (pair.kind == FeaturePair::edge_edge) {
      const LinePair<T> lines(x);
      weights_ = {1.0 - lines.t, lines.t, lines.u - 1.0, -lines.u};
      set_gap(x[0] - x[2], lines.normal, lines.square);
      edges_ = {x[0], x[1], x[2], x[3]};
      divisions_ = pair.divisions;
      return;
    }
    const Place& place = pair.place;
    Vector3<T> at = x[0];
    weights_[0] = T(1.0);
    if (place.corners > 1) {
      at *= T(place.shares[0]);
      for (int i = 0; i < place.corners; ++i) {
        weights_[i] = T(place.shares[i]);
        if (i > 0) at += x[i] * T(place.shares[i]);
      }
    }
    const auto second = [&](int i) -> const Vector3<T>& { return x[pair.second[i]]; };
    T* weights = &weights_[static_cast<std::size_t>(first_side_)];
    const Vector3<T> r = at - second(0);
    if (pair.kind == FeaturePair::place_vertex) {
      weights[0] = T(-1.0);
      set_gap(r);
    } else if (pair.kind == FeaturePair::place_edge) {
      const Vector3<T> e = second(1) - second(0);
      const T t = r.dot(e) / e.squaredNorm();
      weights[0] = t - 1.0;
      weights[1] = -t;
      set_gap(r - e * t);
    } else {
      const Vector3<T> e = second(1) - second(0), f = second(2) - second(0), normal = e.cross(f);
      const T square = normal.squaredNorm();
      const T b = r.cross(f).dot(normal) / square, c = e.cross(r).dot(normal) / square;
      weights[0] = b + c - 1.0;
      weights[1] = -b;
      weights[2] = -c;
      set_gap(r, normal, square);
    }
  }

  /// `difference`: vector from the closest point of the second side to that of the first.
  void set_gap(const Vector3<T>& difference) {
    using std::sqrt;
    gap_ = sqrt(difference.squaredNorm());
    gradient_ = difference * (1.0 / gap_);
  }
  /// Computes the gap from any vector between the sides and their common normal, which stays exact where the distance is tiny.
  void set_gap(const Vector3<T>& difference, const Vector3<T>& normal, const T& square) {
    using std::sqrt;
    const T inverse = 1.0 / sqrt(square), height = difference.dot(normal) * inverse;
    const double sign = real_part(height) < 0 ? -1 : 1;
    gap_ = height * sign;
    gradient_ = normal * (inverse * sign);
  }

  bool fades(double reach) const {
    std::array<Vec3, 4> x;
    for (int i = 0; i < 4; ++i)
      for (int axis = 0; axis < 3; ++axis) x[i][axis] = real_part((*edges_)[i][axis]);
    const LinePair<double> lines(x);
    const std::array<double, 4> ends = lines.ends(divisions_);
    return std::any_of(ends.begin(), ends.end(), [&, gap = lines.gap()](double square) { return gap * gap + square < reach * reach; });
  }

  int first_side_, points_;
  double count_;
  std::array<int, 6> numbers_;  ///< indices of the points among those of the pair
  std::array<T, 6> weights_;
  T gap_;
  Vector3<T> gradient_;
  std::optional<std::array<Vector3<T>, 4>> edges_;  ///< the points of two edges
  std::array<int, 2> divisions_{1, 1};
  SurfaceMotions<T> turns_;
};

/// The point of a triangle that is closest to another.
struct ClosestPoint {
  double distance;               ///< [m]
  std::array<bool, 3> corners;   ///< which corners span the feature it lies in
  std::array<double, 3> shares;  ///< its barycentric coordinates
};
ClosestPoint closest_on_edge(const Vec3& x, const Vec3& a, const Vec3& b);  ///< uses the first two corners
ClosestPoint closest_on_triangle(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c);

/// Distance between the boxes around two features, which is never more than their own distance. It rules out most pairs cheaply [m].
double box_distance(std::span<const Vec3> x, int first_side);

/// Distance between the edges (a, b) and (c, d), wherever their closest points lie [m].
double edge_distance(std::span<const Vec3> x);
/// Distance between a vertex and a triangle if `first_side` is 1, or between two edges if it is 2 [m].
double feature_distance(std::span<const Vec3> x, int first_side);
Vec3 place_on_first_edge(std::span<const Vec3> x);  ///< the closest point of the edge (a, b); any of these where edges are parallel

/// An upper bound on how much two features can approach each other along their displacements [m].
double largest_approach(std::span<const Vec3> displacements, int first_side);

/// The part of a displacement, at most `upper`, that two features can move before their distance is `least`; never too large (additive conservative
/// advancement, docs/theory/contact.md, "Step bounds"). `x`, `displacements`: for a vertex and a triangle, or for two edges' ends [m]. `first_side`: 1 or 2.
double admissible_advance(std::span<const Vec3> x, std::span<const Vec3> displacements, int first_side, double least, double upper = 1);

}  // namespace traction
