// Rayleigh damping: the settings of a user.
#pragma once

#include "settings/declaration.h"

namespace traction {

/// Coefficients of Rayleigh damping, f = -(mass M + stiffness K(q)) v (docs/theory/balance.md, "Rayleigh damping").
struct DampingSettings {
  static constexpr SettingsDescription kDescription{"damping", "Rayleigh damping."};
  SETTING(double, mass, 0, "Drag α: damping forces α M v, in proportion to mass and velocity.", unit("1/s"), non_negative);
  SETTING(double, stiffness, 0, "Viscosity β: the viscous moduli are β times the elastic ones.", unit("s"), non_negative);
};

}  // namespace traction
