// What the time loop and the output need of any contact.
#pragma once

#include <string>

#include "contact/contact_kernel.h"
#include "system/force.h"

namespace traction {

// What contact adds to the history and the time loop's decisions; summed over ranks.
struct ContactSummary {
  double minimum_gap = 0;     // [m]; infinite where nothing is near
  long active = 0;            // vertices closer than the thickness (to each face of the inside of a box)
  Vec3 force = Vec3::Zero();  // total on the body whose vertices they are [N]
};

class Contact : public Force {
 public:
  Contact(std::string name, ContactLaw law) : name_(std::move(name)), law_(law), base_stiffness_(law.stiffness) {}

  const std::string& name() const { return name_; }
  double thickness() const { return law_.thickness; }
  double stiffness() const { return law_.stiffness; }              // kappa [N/m], as stiffened
  double base_stiffness() const { return base_stiffness_; }
  // Lagged friction (P0 Eqs. 24-26): from now on with the normal forces and directions at this state, ghosts valid. Does nothing to implicit friction. Collective.
  virtual void lag_friction(const State&) {}
  bool has_lagged_friction() const { return law_.friction && law_.lagged; }
  int friction_passes() const { return has_lagged_friction() ? law_.passes : 1; }

  // A factor on the whole force, 1 but while a step is computed whose scheme weighs contact otherwise than the other forces.
  virtual void set_weight(double weight) { weight_ = weight; }

  virtual void set_stiffness(double stiffness) { law_.stiffness = stiffness; }

  virtual ContactSummary summarize(const State& state) = 0;   // ghosts valid; collective
  // Adds this contact's normal force to `normal_force` and its whole force to `total_force`, per owned vertex [N]. Collective.
  virtual void add_vertex_forces(const State& state, Field& normal_force, Field& total_force) = 0;

  std::string energy_name() const override { return "contact"; }

 protected:
  // With the weight in the stiffness.
  ContactLaw law() const {
    ContactLaw weighted = law_;
    weighted.stiffness *= weight_;
    weighted.curve.viscous *= weight_;
    return weighted;
  }

 private:
  std::string name_;
  ContactLaw law_;
  double base_stiffness_;
  double weight_ = 1;
};

}  // namespace traction
