// What an integrator makes of an undamped oscillation: the damping curves of P1 Fig. 3, from the code that steps every scene.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.h"

namespace traction {

// d / omega of the equation q'' + d q' + omega^2 q = 0 (P1 Eq. 11) whose solutions decay as fast as those that the integrator gives for q'' + omega^2 q = 0, at
// a step h: -2 ln(rho) / (omega h), rho the spectral radius of the linear map that one step is. Steps of one vertex on a spring are taken from every unit start
// of what a step depends on, so that this map is measured, not derived. With `settings.modes` of 0 the additive schemes do what they do to high modes, with 3
// what they do to low ones. Serial.
double numerical_damping(Integrator integrator, const SchemeSettings& settings, double omega_h);

// One row of damping.csv.
struct DampingPoint {
  std::string integrator;
  double omega_h = 0;
  double d_over_omega = 0;
};

// Every integrator, some in variants ("siere_low_modes", "generalized_alpha_0.8", "semi_implicit_bdf2"), over omega h from 0.05 to 100, with 0.1, 0.5, 1, 2, 5,
// 10 and 50 among them. Serial.
std::vector<DampingPoint> damping_curves();

}  // namespace traction
