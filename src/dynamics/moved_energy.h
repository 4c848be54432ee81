// Measures how much energy contact has moved, as the scale for numerical errors (docs/theory/balance.md, "Energy balance").
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "contact/contact_group.h"
#include "dynamics/contact_trace.h"
#include "output/archive.h"
#include "system/body_motion.h"

namespace traction {

/// Compares the bodies that have touched something with their state before, or some steps ago if the contact lasts: the energy of the changes of their momenta,
/// the kinetic energy of their vertices relative to the body as a whole, and the change of the energy in contacts. The result is the same in any frame that
/// moves with constant velocity, ignores bodies that fly by, and forgets what happened a thousand steps ago.
class MovedEnergy {
 public:
  MovedEnergy(const System& system, const std::vector<std::shared_ptr<ContactGroup>>& contacts) : system_(system), contacts_(contacts) {}

  bool has_begun() const { return reference_.has_value(); }
  /// Sets the reference state, unless one is set already. Contacts store `contact_energy` in it [J]. @collective
  void begin(const State& state, double contact_energy);
  /// The energy that contact has moved from the reference until `end`, the end of a step. Each body that it touches, or on which `trace` has forces, counts
  /// with at least the work that lifts it by `height` [m]. @collective
  struct Moved {
    std::vector<double> bodies;  ///< shares of the bodies [J]; 0 where nothing touches
    std::vector<double> masses;  ///< masses of the bodies [kg]
    double contact = 0;          ///< the change of the energy in contacts [J]
    double energy = 0;           ///< the sum of all of these, or its recent maximum if that is larger [J]
  };
  Moved until(const State& end, double contact_energy, double height = 0, const ContactTrace& trace = {}) const;
  /// Called when a step was accepted and something touches at its end. @collective
  void accept(const State& end, double contact_energy, const ContactTrace& trace = {});
  /// Called when nothing touches any more; until() has found `moved` in the last step.
  void leave(const Moved& moved);
  /// The largest energy moved by the end of any accepted step [J].
  double largest() const { return largest_; }

  void save(Archive& archive) const;
  void load(const Archive& archive);

 private:
  struct Body {
    Vec3 momentum = Vec3::Zero();          ///< [kg m/s]
    Vec3 angular_momentum = Vec3::Zero();  ///< about its center [kg m^2/s]
    double deforming = 0;                  ///< kinetic energy beyond that of the body as a whole; in the reference, the recent maximum [J]
    double touched = 0;                    ///< 1 if anything presses on it
  };
  struct Reference {
    std::vector<Body> bodies;
    double contact_energy = 0;  ///< [J]
  };
  struct Present {
    std::vector<BodyMotion> motions;
    std::vector<double> touched;  ///< see Body
  };
  Present present(const State& state, const ContactTrace& trace) const;  ///< @collective
  Moved moved(const Present& end, double contact_energy, double height) const;

  const System& system_;
  const std::vector<std::shared_ptr<ContactGroup>>& contacts_;
  std::optional<Reference> reference_;
  double peak_ = 0, largest_ = 0;  ///< the largest energy moved, recently and ever [J]
};

}  // namespace traction
