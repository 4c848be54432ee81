// A solid of any law, with constants of soft rubber for those laws that take others than Young's modulus.
#pragma once

#include "elements/material_settings.h"

namespace traction::test {

inline SolidMaterialSettings solid_settings(SolidMaterial law, double youngs_modulus, double poisson_ratio, double density) {
  SolidMaterialSettings settings{youngs_modulus, poisson_ratio, density, law};
  settings.c10 = 2e4, settings.c01 = 1e4, settings.c20 = -2e2, settings.c30 = 30, settings.shear_modulus = 5e4, settings.locking_stretch = 3;
  settings.shear_moduli = {4e4, 1e2, -1e3}, settings.exponents = {1.3, 5, -2};
  return settings;
}

}  // namespace traction::test
