// Numerical damping of an undamped oscillation by each integrator: the damping curves of P1 Fig. 3, measured with the code that steps every scene.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.h"

namespace traction {

/// Returns d / omega of the equation q'' + d q' + omega^2 q = 0 (P1 Eq. 11) whose solutions decay as fast as those that the integrator gives for q'' + omega^2
/// q = 0 with step h: -2 ln(rho) / (omega h), where rho is the spectral radius of the linear map of one step. The map is measured, not derived: one step of a
/// vertex on a spring is taken from every unit vector of the state that a step depends on. With `settings.modes` = 0 the additive schemes treat the oscillation
/// as a high mode, with 3 as a low one. Serial.
double numerical_damping(Integrator integrator, const SchemeSettings& settings, double omega_h);

/// One row of damping.csv.
struct DampingPoint {
  std::string integrator;
  double omega_h = 0;
  double d_over_omega = 0;
};

/// Every integrator, some in variants ("siere_low_modes", "generalized_alpha_0.8", "semi_implicit_bdf2"), over omega h from 0.05 to 100, with 0.1, 0.5, 1, 2,
/// 5, 10 and 50 among them. Serial.
std::vector<DampingPoint> damping_curves();

}  // namespace traction
