// The motion of a rod's surface relative to its axis, at the place where it touches (docs/theory/rods.md, "Contact"), over any scalar.
#pragma once

#include <array>
#include <cmath>
#include <span>

#include "math/tensor.h"

namespace traction {

/// A segment of a rod that a pair touches. The place of contact is distance_share * (distance of the sides) + constant from its axis.
struct SegmentSpin {
  std::array<int, 3> points{};  ///< the ends along the rod, and the twist, as indices among the pair's points
  bool on_first_side = true;
  double share = 1;                         ///< share of this segment if the pair touches at a vertex between two segments
  double twist_radius = 0;                  ///< radius at which arc length is the unknown of the twist [m]
  double distance_share = 0, constant = 0;  ///< the latter in [m]
};

/// The segment turns with the angular velocity w = e x (v_b - v_a) / |e|^2 + (v_twist / radius) e / |e|, which moves its surface by w x arm against its axis.
/// The arm points to the place of contact on the first side, and away from it on the second, whose velocity is subtracted. Both functions are linear in
/// velocities, and each other's transposes.
template <typename T>
class RodSurfaceMotion {
 public:
  /// `x`: positions of the pair's points; `arm`: times the segment's share [m].
  RodSurfaceMotion(const SegmentSpin& spin, std::span<const Vector3<T>> x, const Vector3<T>& arm) : points_(spin.points), arm_(arm) {
    using std::sqrt;
    const Vector3<T> e = x[points_[1]] - x[points_[0]];
    const T square = e.squaredNorm();
    turn_ = e * (1.0 / square);
    spin_ = e * (1.0 / (sqrt(square) * spin.twist_radius));
  }

  template <typename U>
  Vector3<U> velocity(std::span<const Vector3<U>> v) const {
    const Vector3<U> angular = cast<U>(turn_).cross(v[points_[1]] - v[points_[0]]) + cast<U>(spin_) * v[points_[2]][0];
    return angular.cross(cast<U>(arm_));
  }

  template <typename U>
  void add_transpose(const Vector3<U>& force, std::span<Vector3<U>> forces) const {
    const Vector3<U> moment = cast<U>(arm_).cross(force), couple = moment.cross(cast<U>(turn_));
    forces[points_[0]] -= couple;
    forces[points_[1]] += couple;
    forces[points_[2]][0] += moment.dot(cast<U>(spin_));
  }

 private:
  template <typename U>
  static Vector3<U> cast(const Vector3<T>& x) {
    return Vector3<U>(U(x[0]), U(x[1]), U(x[2]));
  }

  std::array<int, 3> points_;
  Vector3<T> arm_, turn_, spin_;
};

}  // namespace traction
