// What the time loop and the output need of any contact.
#pragma once

#include <string>
#include <vector>

#include "contact/contact_kernel.h"
#include "contact/contact_settings.h"
#include "contact/work_clock.h"
#include "system/force.h"

namespace traction {

// What contact adds to the history and the time loop's decisions; summed over ranks.
struct ContactSummary {
  double minimum_gap = 0;     // [m]; infinite where nothing is near
  long active = 0;            // vertices closer than the thickness (to each face of the inside of a box)
  Vec3 force = Vec3::Zero();  // total on the body whose vertices they are [N]
};

// One vertex in contact.
struct ContactPoint {
  int vertex = 0;                                             // owned
  double gap = 0;                                             // [m]
  Vec3 normal = Vec3::Zero();                                 // out of what is touched, of unit length
  Vec3 normal_force = Vec3::Zero(), friction = Vec3::Zero();  // on the vertex [N]
  double sliding_speed = 0;                                   // [m/s]
};

class Contact : public Force {
 public:
  Contact(std::string name, ContactLaw law) : name_(std::move(name)), law_(law), base_stiffness_(law.stiffness) {}

  const std::string& name() const { return name_; }
  double thickness() const { return law_.thickness; }
  double stiffness() const { return law_.stiffness; }  // kappa [N/m], as stiffened
  double base_stiffness() const { return base_stiffness_; }
  // The vertices of this rank that are in contact; prepared at this state. Collective.
  virtual std::vector<ContactPoint> points(const State& state) const = 0;
  double friction_tolerance() const { return law_.curve.tolerance; }  // [m/s]; from here on a contact slips

  bool is_modal() const override { return false; }

  // Before the stages of a step from this state, ghosts valid. Collective.
  virtual void begin_step(const State&) {}
  // Lagged friction (P0 Eqs. 24-26): from now on with the normal forces and directions at this state, ghosts valid. Does nothing to implicit friction.
  // Collective.
  virtual void lag_friction(const State&) {}
  bool has_lagged_friction() const { return law_.friction && law_.lagged; }
  int friction_passes() const { return has_lagged_friction() ? law_.passes : 1; }

  // A factor on the whole force, 1 but while a step is computed whose scheme weighs contact otherwise than the other forces.
  virtual void set_weight(double weight) { weight_ = weight; }

  void set_primal_dual(bool on) override { primal_dual_ = on && law_.implicit_friction(); }
  virtual void set_stiffness(double stiffness) { law_.stiffness = stiffness; }

  virtual ContactSummary summarize(const State& state) = 0;  // ghosts valid; collective
  // Of this rank, in contact at the last summary; one that touches twice (a corner of a box, say) comes twice.
  virtual std::vector<int> touching() const { return touching_; }
  // This rank's work on this contact so far: forces, products, blocks, energies, summaries and searches, without waiting for other ranks [s].
  virtual double work_seconds() const { return work_.seconds(); }
  // Adds this contact's normal force to `normal_force` and its whole force to `total_force`, per owned vertex [N]. Collective.
  virtual void add_vertex_forces(const State& state, Field& normal_force, Field& total_force) = 0;

  double offset() const { return law_.offset; }

  bool bounds_steps() const override { return law_.potential == ContactPotential::log_barrier; }

  std::string energy_name() const override { return "contact"; }

 protected:
  WorkClock& work() const { return work_; }
  bool primal_dual() const { return primal_dual_; }
  std::vector<int> touching_;

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
  bool primal_dual_ = false;
  mutable WorkClock work_;
};

}  // namespace traction
