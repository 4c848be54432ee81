// The directions of friction as unknowns of their own, for Newton's method far from the solution (docs/theory/friction.md, "Primal-dual linearization").
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "math/tensor.h"

namespace traction {

// The direction w = s/|s| of a sliding velocity s is an unknown with the equation |s| w = s, eliminated from Newton's system and kept within the unit ball.
// Products have w where exact ones have s/|s|; as the iteration converges, both become equal.
class FrictionDirections {
 public:
  // Each contact begins with w = 0, that is with friction of the resistance c/|s| it has there.
  void set_active(bool active) {
    if (active && !active_) contacts_.clear();
    active_ = active;
  }
  bool active() const { return active_; }

  // What products take for s/|s|; null for exact ones. Contacts have keys of any kind; the pointer is good until the contact touches no more.
  const Vec3* of(std::uint64_t contact) { return active_ ? &contacts_[contact].direction : nullptr; }

  // At each linearization: whether a contact touches, and its sliding velocity [m/s].
  void update(std::uint64_t contact, bool touches, const Vec3& sliding) {
    Contact& own = contacts_[contact];
    if (!touches) {
      own = {};
      return;
    }
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
