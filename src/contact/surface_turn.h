// The motion of a surface relative to what it lies at a distance from, at the place where it touches: that of a rod relative to its axis
// (docs/theory/rods.md, "Contact"), and that of a shell relative to its middle (docs/theory/friction.md, "Shells"), over any scalar.
#pragma once

#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "math/tensor.h"

namespace traction {

/// A segment of a rod, or a triangle of a shell, with which a surface turns that a pair touches. The place of contact is
/// distance_share * (distance of the sides) + constant from the axis or the middle.
struct SurfaceTurn {
  std::array<int, 3> points{};  ///< among the pair's points: the ends along the rod, and the twist; or the triangle's corners
  bool on_first_side = true;
  double share = 1;                         ///< share of this segment or triangle if the pair touches where several of them meet
  double twist_radius = 0;                  ///< radius at which arc length is the unknown of the twist [m]; 0 for a triangle
  double distance_share = 0, constant = 0;  ///< the latter in [m]

  bool is_segment() const { return twist_radius > 0; }
};

/// A segment e from a to b turns with the angular velocity w = e x (v_b - v_a) / |e|^2 + (v_twist / radius) e / |e|. A triangle with the normal n, the area A
/// and the edges e_i opposite its corners has w = sum_i (e_i (n . v_i) - n (e_i . v_i) / 2) / (2 A), which is the angular velocity if it moves as a rigid body.
/// The surface moves by w x arm against the axis or the middle. The arm points to the place of contact on the first side, and away from it on the second, whose
/// velocity is subtracted. Both functions are linear in velocities, and each other's transposes.
template <typename T>
class SurfaceMotion {
 public:
  /// `x`: positions of the pair's points; `arm`: times the share [m].
  SurfaceMotion(const SurfaceTurn& turn, std::span<const Vector3<T>> x, const Vector3<T>& arm)
      : points_(turn.points), is_segment_(turn.is_segment()), arm_(arm) {
    using std::sqrt;
    const auto& [a, b, c] = points_;
    if (is_segment_) {
      const Vector3<T> e = x[b] - x[a];
      const T square = e.squaredNorm();
      edges_[0] = e * (1.0 / square);
      normal_ = e * (1.0 / (sqrt(square) * turn.twist_radius));
      return;
    }
    edges_ = {x[c] - x[b], x[a] - x[c], x[b] - x[a]};
    const Vector3<T> twice_area = edges_[1].cross(edges_[2]);
    const T inverse = 1.0 / sqrt(twice_area.squaredNorm());
    normal_ = twice_area * inverse;
    for (Vector3<T>& edge : edges_) edge = edge * inverse;
  }

  template <typename U>
  Vector3<U> velocity(std::span<const Vector3<U>> v) const {
    const Vector3<U> normal = cast<U>(normal_);
    Vector3<U> angular;
    if (is_segment_) {
      angular = cast<U>(edges_[0]).cross(v[points_[1]] - v[points_[0]]) + normal * v[points_[2]][0];
    } else {
      U around(0.0);
      angular = Vector3<U>::Constant(U(0.0));
      for (std::size_t i = 0; i < 3; ++i) {
        const Vector3<U> edge = cast<U>(edges_[i]), &each = v[points_[i]];
        angular += edge * normal.dot(each);
        around += edge.dot(each);
      }
      angular -= normal * (around * 0.5);
    }
    return angular.cross(cast<U>(arm_));
  }

  template <typename U>
  void add_transpose(const Vector3<U>& force, std::span<Vector3<U>> forces) const {
    const Vector3<U> moment = cast<U>(arm_).cross(force), normal = cast<U>(normal_);
    const U about_normal = moment.dot(normal);
    if (is_segment_) {
      const Vector3<U> couple = moment.cross(cast<U>(edges_[0]));
      forces[points_[0]] -= couple;
      forces[points_[1]] += couple;
      forces[points_[2]][0] += about_normal;
      return;
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const Vector3<U> edge = cast<U>(edges_[i]);
      forces[points_[i]] += normal * edge.dot(moment) - edge * (about_normal * 0.5);
    }
  }

 private:
  template <typename U>
  static Vector3<U> cast(const Vector3<T>& x) {
    return Vector3<U>(U(x[0]), U(x[1]), U(x[2]));
  }

  std::array<int, 3> points_;
  bool is_segment_;
  Vector3<T> arm_;
  std::array<Vector3<T>, 3> edges_;  ///< a segment's edge over its squared length, as the first; or a triangle's over twice its area
  Vector3<T> normal_;                ///< of a triangle; or a segment's direction over the twist's radius
};

/// The motions by all turns of a pair, each times its share, at the place of contact.
template <typename T>
class SurfaceMotions {
 public:
  SurfaceMotions() = default;
  /// `x`: positions of the pair's points [m]. `gap`: distance of the sides [m]; `gradient`: the unit vector out of the second side.
  SurfaceMotions(std::span<const SurfaceTurn> turns, std::span<const Vector3<T>> x, const T& gap, const Vector3<T>& gradient) {
    motions_.reserve(turns.size());
    for (const SurfaceTurn& turn : turns) motions_.emplace_back(turn, x, gradient * (-turn.share * (turn.distance_share * gap + turn.constant)));
  }

  /// Adds the velocity of the surfaces against what they lie at a distance from, the first side's less the second's.
  template <typename U>
  void add_velocity(std::span<const Vector3<U>> v, Vector3<U>& sum) const {
    for (const SurfaceMotion<T>& motion : motions_) sum += motion.template velocity<U>(v);
  }
  template <typename U>
  void add_transpose(const Vector3<U>& force, std::span<Vector3<U>> forces) const {
    for (const SurfaceMotion<T>& motion : motions_) motion.template add_transpose<U>(force, forces);
  }

 private:
  std::vector<SurfaceMotion<T>> motions_;
};

}  // namespace traction
