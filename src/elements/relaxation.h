// Stress that relaxes: a Prony series of branches that follow the change of shape and forget it (docs/theory/balance.md, "Viscoelastic rubber").
#pragma once

#include <cmath>

#include "elements/elasticity.h"
#include "math/where_below.h"

namespace traction {

/// How a branch with the relaxation time tau changes in a step of length h: it keeps the share e^(-h / tau) of its stress, and takes up the share (1 - e^(-h /
/// tau)) tau / h of a change of stress that is spread evenly over the step.
template <typename Real>
struct BranchStep {
  Real kept, taken;

  /// `ratio`: h / tau, at least 0.
  explicit BranchStep(const Real& ratio) {
    using std::exp;
    kept = exp(-ratio);
    // The quotient loses digits where the ratio is small, so a series is used there.
    const Real series = 1.0 - ratio * 0.5 * (1.0 - ratio * (1.0 / 3.0) * (1.0 - ratio * 0.25 * (1.0 - ratio * 0.2)));
    taken = where_below(ratio, 1e-2, series, (1.0 - kept) / (ratio + 1e-300));
  }
};

/// The second Piola-Kirchhoff stress of a law, S = F^-1 P [Pa].
template <typename T, typename Material>
Matrix3<T> second_piola_stress(const Material& material, const Matrix3<T>& F) {
  const auto [cofactor, J] = cofactor_and_determinant(F);
  return cofactor.transpose() * first_piola_stress<T>(material, F) * T(1.0 / J);
}

/// The second Piola-Kirchhoff stress that the linearization at `base` foretells for F, minus the actual one
/// (docs/theory/newton.md, "Foretold stresses").
template <typename Real, typename Material>
Matrix3<Real> foretold_surplus(const Material& material, const Matrix3<Real>& base, const Matrix3<Real>& F) {
  Matrix3<Dual<Real>> along;
  for (int k = 0; k < 9; ++k) along(k) = Dual<Real>(base(k), {F(k) - base(k)});
  const Matrix3<Dual<Real>> foretold = second_piola_stress<Dual<Real>>(material, along);
  Matrix3<Real> surplus = second_piola_stress<Real>(material, F);
  for (int k = 0; k < 9; ++k) surplus(k) = foretold(k).value + foretold(k).derivative[0] - surplus(k);
  return surplus;
}

/// The stress of all branches in a step, F (kept + stiffness S(F)), where S is that of the law without resistance to changes of volume. In a step it is that of
/// an elastic law.
template <template <typename> typename Material, typename Real>
struct BranchLaw {
  Material<Real> shape;
  Real stiffness;
  Matrix3<Real> kept;  ///< [Pa], symmetric

  template <typename T>
  Matrix3<T> first_piola_stress(const Matrix3<T>& F) const {
    Matrix3<T> stress = traction::first_piola_stress<T>(shape, F) * T(stiffness);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) stress(i, j) += F(i, 0) * kept(0, j) + F(i, 1) * kept(1, j) + F(i, 2) * kept(2, j);
    return stress;
  }
};

}  // namespace traction
