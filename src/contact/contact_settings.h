// The law of contact and friction: what a user can choose.
#pragma once

#include <optional>

#include "math/friction_curve.h"

namespace traction {

enum class ContactPotential { cubic_penalty, log_barrier };  // P0 Sec. III-B, P1 Eq. 28
enum class FrictionCoupling { implicit, lagged };

struct FrictionSettings : FrictionCurve {  // static_ defaults to dynamic (smoothed Coulomb), stribeck_velocity to 10 tolerance
  bool sliding_basis_derivative = true;    // false: the product drops the derivative of the tangent plane
  FrictionCoupling coupling = FrictionCoupling::implicit;
  int passes = 1;  // lagged only: solves of a step, each with the normal forces of the one before (P0 Eqs. 24-26)
};

struct ContactLawSettings {
  double thickness = 0;  // delta [m]
  ContactPotential potential = ContactPotential::cubic_penalty;
  std::optional<double> stiffness;  // kappa [N/m]; none: derived from `pressure`, or from the material, and from mesh and thickness
  std::optional<double> pressure;   // [Pa] that the cubic penalty has at zero gap; instead of a stiffness
  std::optional<FrictionSettings> friction;
};

}  // namespace traction
