// How much energy contact has moved, which numerical errors in it are to be compared with (docs/theory/balance.md, "Energy balance").
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "contact/contact_group.h"
#include "output/archive.h"
#include "system/body_motion.h"

namespace traction {

// Compares the bodies that have touched something with what they were before, or some steps ago where something has touched for long: the energy of the
// changes of their momenta, what their vertices move with beside the body as a whole, and the change of the energy in contacts. So it is the same in any frame
// that moves with constant velocity, knows nothing of bodies that fly by, and forgets what a long run has done: a thousand steps ago.
class MovedEnergy {
 public:
  MovedEnergy(const System& system, const std::vector<std::shared_ptr<ContactGroup>>& contacts) : system_(system), contacts_(contacts) {}

  bool has_begun() const { return reference_.has_value(); }
  // A state at which contacts store `contact_energy` [J], from where changes count unless there is such a state already. Collective.
  void begin(const State& state, double contact_energy);
  // The energy moved until `end`, the end of a step from such a state; at least that of motions at the given speed [m/s] [J]. Collective.
  double until(const State& end, double contact_energy, double speed) const;
  // The step was accepted, and something touches at its end. Collective.
  void accept(const State& end, double contact_energy);
  // The most that was ever moved at the end of an accepted step [J].
  double largest() const { return largest_; }
  // Nothing touches any more.
  void forget() { reference_.reset(); }

  void save(Archive& archive) const;
  void load(const Archive& archive);

 private:
  struct Body {
    Vec3 momentum = Vec3::Zero();          // [kg m/s]
    Vec3 angular_momentum = Vec3::Zero();  // about its center [kg m^2/s]
    double deforming = 0;                  // kinetic energy beside that of the body as a whole; of the reference, the largest lately [J]
    double touched = 0;                    // 1 if anything presses on it
  };
  struct Reference {
    std::vector<Body> bodies;
    double contact_energy = 0;  // [J]
  };
  struct Present {
    std::vector<BodyMotion> motions;
    std::vector<double> touched;  // as Body has it
  };
  Present present(const State& state) const;  // collective
  double moved(const Present& end, double contact_energy, double speed) const;

  const System& system_;
  const std::vector<std::shared_ptr<ContactGroup>>& contacts_;
  std::optional<Reference> reference_;
  double peak_ = 0, largest_ = 0;  // the largest energy moved, lately and ever [J]
};

}  // namespace traction
