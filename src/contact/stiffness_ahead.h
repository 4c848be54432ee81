// Computes the stiffness that a contact needs to hold approaching bodies (docs/theory/contact.md, "Choice of stiffness").
#pragma once

#include <functional>

#include "system/state.h"

namespace traction {

/// The quantities that the stiffness depends on, besides the speed of approach.
struct ApproachingSides {
  double thickness = 0;  ///< delta [m]
  double area = 0;       ///< mean area share of the vertices that may touch [m^2]
  double mass = 0;       ///< largest mass of the vertices that may touch [kg]
  double impedance = 0;  ///< Z1 Z2 / (Z1 + Z2) of the solids [Pa s/m]; 0 if one of the sides is a shell
};

/// Impedance Z = rho c of plane compression waves, c^2 = (lambda + 2 mu) / rho [Pa s/m].
double wave_impedance(double youngs_modulus, double poisson_ratio, double density);

/// The stiffness kappa [N/m] whose pressure at zero gap is twice that of a plane wave front, and whose penalty stops a single vertex with half of the energy
/// that it can store.
double stiffness_for_approach(const ApproachingSides& sides, double speed);

/// The stiffness that a contact needs to stop what approaches it [N/m].
class StiffnessAhead {
 public:
  /// An upper bound on the speed at which the sides of the contact approach each other at a state whose ghosts are valid [m/s]. @collective
  using ClosingSpeed = std::function<double(const State&)>;

  StiffnessAhead(const ApproachingSides& sides, ClosingSpeed closing_speed) : sides_(sides), closing_speed_(std::move(closing_speed)) {}

  double stiffness(const State& state) const { return stiffness_for_approach(sides_, closing_speed_(state)); }  ///< [N/m]. @collective

 private:
  ApproachingSides sides_;
  ClosingSpeed closing_speed_;
};

}  // namespace traction
