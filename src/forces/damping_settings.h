// Rayleigh damping: what a user can choose.
#pragma once

#include "settings/declaration.h"

namespace traction {

struct DampingSettings {  // f = -(mass M + stiffness K(q)) v
  static constexpr SettingsDescription kDescription{"damping", "Rayleigh damping."};
  SETTING(double, mass, 0, "Drag α of α M v.", unit("1/s"), non_negative);
  SETTING(double, stiffness, 0, "Viscosity in parts β of the moduli.", unit("s"), non_negative);
};

}  // namespace traction
