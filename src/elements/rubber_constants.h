// Constants of the laws of rubber, which solids and membranes share.
#pragma once

#include <optional>
#include <vector>

#include "settings/declaration.h"

namespace traction {

/// Each law takes those that it names (`constants` in elements/materials).
struct RubberConstants {
  SETTING(std::optional<double>, c10, {}, "Constant of mooney_rivlin and yeoh.", unit("Pa"));
  SETTING(std::optional<double>, c01, {}, "Constant of mooney_rivlin.", unit("Pa"));
  SETTING(std::optional<double>, c20, {}, "Constant of yeoh.", unit("Pa"));
  SETTING(std::optional<double>, c30, {}, "Constant of yeoh.", unit("Pa"));
  SETTING(std::optional<double>, shear_modulus, {}, "Shear modulus for small strains, of arruda_boyce, and of orthotropic shells.", unit("Pa"), positive);
  SETTING(std::optional<double>, locking_stretch, {}, "Stretch at which chains lock, of arruda_boyce; in tension the solid locks near 1.7 times this stretch.",
          above(1));
  SETTING(std::vector<double>, shear_moduli, {},
          "Constants mu_p of ogden, of up to six terms; half of the sum of mu_p alpha_p is the shear modulus for small strains.", unit("Pa"));
  SETTING(std::vector<double>, exponents, {}, "Constants alpha_p of ogden, one for each of shear_moduli.");
  bool operator==(const RubberConstants&) const = default;
};

}  // namespace traction
