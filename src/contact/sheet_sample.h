// A place and the part of a sheet near it, or two edges, as the sample of a pair (see contact_law.h), over any scalar.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "contact/features.h"

namespace traction {

/// Velocities with which round obstacles turn about their middles, by the obstacles' numbers (docs/theory/contact.md, "Round obstacles and coarse meshes").
struct ObstacleTurns {
  std::vector<Vec3> angular_velocities;  ///< [rad/s]
};

/// A round obstacle that turns, one side of a pair whose point or line is the obstacle's middle.
struct TurningSide {
  int obstacle = -1;  ///< its number among the ObstacleTurns; -1: neither side turns
  double radius = 0;  ///< [m]
};

/// A pair of features one side of which may turn.
template <typename T>
class PartSample : public FeatureSample<T> {
 public:
  PartSample(const PairedFeatures& part, const TurningSide& turning, std::span<const Vector3<T>> x) : FeatureSample<T>(part, x), turning_(turning) {}

  template <typename U>
  Vector3<U> relative_velocity(std::span<const Vector3<U>> v, const ObstacleTurns& turns) const {
    const Vector3<U> of_middle = FeatureSample<T>::template relative_velocity<U>(v, turns);
    if (turning_.obstacle < 0) return of_middle;
    // The gradient points out of the second side. On the first side both the way from the middle to the surface and the sign of its velocity are reversed.
    const Vector3<T>& n = this->gradient();
    const Vector3<U> arm = Vector3<U>(U(n[0]), U(n[1]), U(n[2])) * U(turning_.radius);
    const Vector3<U> spin = turns.angular_velocities[static_cast<std::size_t>(turning_.obstacle)].template cast<U>();
    return of_middle - spin.cross(arm);
  }

 private:
  TurningSide turning_;
};

/// One or several pairs of features. Several share the place and have their counts as factors on their forces (docs/theory/contact.md, "Edges and faces",
/// (C13)); sheet_force.h has the force of all of them. Seen as one pair, they have the mean of their directions and motions, each weighted with its count and
/// the square of its depth within reach.
template <typename T>
class SheetSample {
 public:
  using Part = PartSample<T>;

  /// `reach`: the distance at which contact begins [m]; `x`: positions of the pair's points [m].
  SheetSample(std::span<const PairedFeatures> parts, const TurningSide& turning, double reach, std::span<const Vector3<T>> x) : first_(parts[0], turning, x) {
    if (parts.size() == 1) return;
    others_.reserve(parts.size() - 1);
    for (const PairedFeatures& part : parts.subspan(1)) others_.emplace_back(part, turning, x);
    share(reach);
  }

  std::size_t part_count() const { return 1 + others_.size(); }
  const Part& part(std::size_t i) const { return i == 0 ? first_ : others_[i - 1]; }

  bool within_reach() const { return true; }
  const T& gap() const { return first_.gap(); }  ///< of the first part, as the functions below
  void add_gap_gradient(const T& factor, std::span<Vector3<T>> forces) const { first_.add_gap_gradient(factor, forces); }
  std::optional<EdgeFading<T>> fading(double reach, double guard_reach) const { return first_.fading(reach, guard_reach); }

  Vector3<T> gradient() const {
    if (others_.empty()) return first_.gradient();
    Vector3<T> sum = first_.gradient() * T(shares_[0]);
    for (std::size_t i = 1; i < part_count(); ++i) sum += part(i).gradient() * T(shares_[i]);
    return sum;
  }
  template <typename U, typename Frame>
  Vector3<U> relative_velocity(std::span<const Vector3<U>> v, const Frame& frame) const {
    if (others_.empty()) return first_.template relative_velocity<U>(v, frame);
    Vector3<U> sum = first_.template relative_velocity<U>(v, frame) * U(shares_[0]);
    for (std::size_t i = 1; i < part_count(); ++i) sum += part(i).template relative_velocity<U>(v, frame) * U(shares_[i]);
    return sum;
  }
  template <typename U>
  void add_velocity_transpose(const Vector3<U>& force, std::span<Vector3<U>> forces) const {
    for (std::size_t i = 0; i < part_count(); ++i) part(i).template add_velocity_transpose<U>(others_.empty() ? force : force * U(shares_[i]), forces);
  }
  /// Calls action(point, share) once or several times for a point.
  template <typename Action>
  void for_each_share(Action action) const {
    for (std::size_t i = 0; i < part_count(); ++i)
      part(i).for_each_share([&](std::size_t point, double weight) { action(point, others_.empty() ? weight : weight * shares_[i]); });
  }

 private:
  void share(double reach) {
    double sum = 0;
    for (std::size_t i = 0; i < part_count(); ++i) {
      const double depth = std::max(0.0, reach - real_part(part(i).gap()));
      shares_.push_back(part(i).count() * depth * depth);
      sum += shares_.back();
    }
    for (std::size_t i = 0; i < part_count(); ++i) shares_[i] = sum > 0 ? shares_[i] / sum : i == 0 ? 1 : 0;
  }

  Part first_;
  std::vector<Part> others_;
  std::vector<double> shares_;  ///< of each part, if there are several; they add up to 1
};

}  // namespace traction
