// The common parts of laws of rubber: an energy of the change of shape, and one of the change of volume (docs/theory/balance.md, "Laws of rubber").
#pragma once

#include <cmath>

#include "elements/lame_parameters.h"
#include "elements/solid_element.h"

namespace traction {

/// The bulk modulus of a solid with the shear modulus `mu` for small strains [Pa].
inline double bulk_modulus(double mu, double poisson_ratio) { return 2 * mu * (1 + poisson_ratio) / (3 * (1 - 2 * poisson_ratio)); }

/// `mu`: shear modulus for small strains [Pa].
template <typename Real>
LameParameters<Real> moduli_of(const Real& bulk, const Real& mu) {
  return {bulk - mu * (2.0 / 3.0), mu};
}

/// U = K/4 (J^2 - 1 - 2 ln J), which is convex in J and infinite for J = 0 [J/m^3].
template <typename T, typename Real>
T volumetric_energy(const Real& bulk, const T& J) {
  using std::log;
  return (J * J - 1.0 - 2.0 * log(J)) * (0.25 * bulk);
}
/// J dU/dJ = K/2 (J^2 - 1) [Pa]
template <typename T, typename Real>
T volumetric_stress(const Real& bulk, const T& J) {
  return (J * J - 1.0) * (0.5 * bulk);
}

/// The invariants of a deformation without its change of volume, tr(C) / J^(2/3) and (tr(C)^2 - tr(C^2)) / (2 J^(4/3)) with C = F^T F. NaN where det F <= 0.
template <typename T>
class IsochoricInvariants {
 public:
  explicit IsochoricInvariants(const Matrix3<T>& F) : F_(F), C_(F.transpose() * F) {
    using std::exp;
    using std::log;
    const auto [cofactor, J] = cofactor_and_determinant(F);
    determinant = J;
    inverse_transposed = cofactor * T(1.0 / J);
    shrink_ = exp(log(J) * (-2.0 / 3.0));
    trace_ = C_.trace();
    second_of_C_ = 0.5 * (trace_ * trace_ - C_.cwiseProduct(C_).sum());
    first = trace_ * shrink_;
    second = second_of_C_ * shrink_ * shrink_;
  }

  /// dW/dF for the derivatives of W with respect to both invariants, and J dU/dJ [Pa].
  Matrix3<T> first_piola_stress(const T& by_first, const T& by_second, const T& volumetric) const {
    const T a = 2.0 * by_first * shrink_, b = 2.0 * by_second * shrink_ * shrink_;
    const T pressure = volumetric - a * (trace_ * (1.0 / 3.0)) - 2.0 * b * (second_of_C_ * (1.0 / 3.0));  // exact at rest
    return F_ * (Matrix3<T>::Identity() * T(a + b * trace_) - C_ * b) + inverse_transposed * pressure;
  }

  T determinant, first, second;
  Matrix3<T> inverse_transposed;  ///< F^-T

 private:
  Matrix3<T> F_, C_;
  T shrink_;  ///< J^(-2/3)
  T trace_, second_of_C_;
};

}  // namespace traction
