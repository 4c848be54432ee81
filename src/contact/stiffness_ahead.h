// The stiffness that a contact needs to hold what approaches (docs/theory/contact.md, "Choice of stiffness").
#pragma once

#include <functional>

#include "system/state.h"

namespace traction {

// What the stiffness depends on besides the speed of approach.
struct ApproachingSides {
  double thickness = 0;  // delta [m]
  double area = 0;       // of a vertex's share of the surface, the mean of those that touch [m^2]
  double mass = 0;       // of a vertex, the largest of those that touch [kg]
  double impedance = 0;  // Z1 Z2 / (Z1 + Z2) of the solids [Pa s/m]; 0 where one of the sides is a shell
};

// Z = rho c of plane compression waves, c^2 = (lambda + 2 mu) / rho [Pa s/m].
double wave_impedance(double youngs_modulus, double poisson_ratio, double density);

// kappa [N/m] for which the pressure at zero gap is twice that of a plane front, and a single vertex is stopped by half of what the penalty can store.
double stiffness_for_approach(const ApproachingSides& sides, double speed);

class StiffnessAhead {
 public:
  // A bound on the speed at which the sides of the contact approach each other at a state, ghosts valid [m/s]. Collective.
  using ClosingSpeed = std::function<double(const State&)>;

  StiffnessAhead(const ApproachingSides& sides, ClosingSpeed closing_speed) : sides_(sides), closing_speed_(std::move(closing_speed)) {}

  double stiffness(const State& state) const { return stiffness_for_approach(sides_, closing_speed_(state)); }  // [N/m]; collective

 private:
  ApproachingSides sides_;
  ClosingSpeed closing_speed_;
};

}  // namespace traction
