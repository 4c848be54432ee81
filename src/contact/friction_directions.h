// The directions of friction as unknowns of their own, for Newton's method far from the solution.
#pragma once

#include <algorithm>
#include <vector>

#include "math/tensor.h"

namespace traction {

// Friction -c(|s|) s/|s| against a sliding velocity s turns round within a step when bodies meet fast, on a scale of speeds, the friction tolerance, far below that of the step's
// changes; Newton's method then goes back and forth. As Chan, Golub and Mulet (SIAM J. Sci. Comput. 20, 1999) do for total variation, w = s/|s| is taken for an
// unknown of its own with the equation |s| w = s, eliminated from Newton's system, and kept within the unit ball: products then have w where exact ones have s/|s|. As the
// iteration converges, w and with it the products become exact.
class FrictionDirections {
 public:
  // From now on; forgets all, and begins with w = 0: friction with the resistance c/|s| it has now.
  void start(std::size_t contacts) { contacts_.assign(contacts, {}); }
  void stop() { contacts_.clear(); }
  bool active() const { return !contacts_.empty(); }

  // What products take for s/|s|; null for exact ones.
  const Vec3* of(std::size_t contact) const { return active() ? &contacts_[contact].direction : nullptr; }

  // At each linearization: a contact's sliding velocity there [m/s].
  void update(std::size_t contact, const Vec3& sliding) {
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
  std::vector<Contact> contacts_;
};

}  // namespace traction
