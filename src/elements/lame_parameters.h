// The two moduli of isotropic linear elasticity.
#pragma once

namespace traction {

/// `Real`: double for one element, Pack for several.
template <typename Real>
struct LameParameters {
  Real lambda = 0;  ///< [Pa]
  Real mu = 0;      ///< shear modulus [Pa]

  static LameParameters from_engineering(double youngs_modulus, double poisson_ratio) {
    return {youngs_modulus * poisson_ratio / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio)), youngs_modulus / (2 * (1 + poisson_ratio))};
  }
};

}  // namespace traction
