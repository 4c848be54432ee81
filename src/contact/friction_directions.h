// Directions of friction as separate unknowns, for Newton's method far from the solution (docs/theory/friction.md, "Primal-dual linearization").
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "math/tensor.h"

namespace traction {

/// The direction w = s/|s| of a sliding velocity s is an unknown with the equation |s| w = s. It is eliminated from Newton's system and kept within the unit
/// ball. Products use w where exact ones use s/|s|; both become equal as the iteration converges.
class FrictionDirections {
 public:
  /// Each contact begins with w = 0: friction with its present resistance c/|s|.
  void set_active(bool active) {
    if (active && !active_) contacts_.clear();
    active_ = active;
  }
  bool active() const { return active_; }

  /// The direction that products use instead of s/|s|; null for exact products. Contacts may have any keys; the pointer stays valid while the contact touches.
  const Vec3* of(std::uint64_t contact) { return active_ ? &contacts_[contact].direction : nullptr; }

  /// Called at each linearization. `touches`: whether the contact touches; `sliding`: its sliding velocity [m/s].
  void update(std::uint64_t contact, bool touches, const Vec3& sliding) {
    if (!touches) {
      contacts_.erase(contact);
      return;
    }
    Contact& own = contacts_[contact];
    const double speed = own.sliding.norm();
    if (speed > 0) {
      const Vec3 change = sliding - own.sliding;
      own.direction = (sliding - own.direction * (own.sliding.dot(change) / speed)) / speed;
      own.direction /= std::max(1.0, own.direction.norm());
    }
    own.sliding = sliding;
  }

 private:
  struct Contact {
    Vec3 sliding = Vec3::Zero(), direction = Vec3::Zero();
  };
  std::unordered_map<std::uint64_t, Contact> contacts_;
  bool active_ = false;
};

}  // namespace traction
