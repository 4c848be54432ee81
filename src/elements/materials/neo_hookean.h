// The compressible neo-Hookean material, W = mu/2 (tr(F^T F) - 3) - mu ln J + lambda/2 (ln J)^2.
#pragma once

#include <array>
#include <cmath>
#include <string_view>

#include "elements/lame_parameters.h"
#include "elements/solid_element.h"
#include "elements/volumetric_law.h"

namespace traction {

template <typename Real>
class NeoHookeanBlocks;

/// The material of one element: energy, stress and blocks at a deformation gradient [J/m^3, Pa].
template <typename Real>
struct NeoHookean {
  static constexpr std::string_view name = "neo_hookean";
  static constexpr std::string_view sentence = "Rubber and other soft solids.";
  static constexpr std::array<std::string_view, 2> constants = {"youngs_modulus", "poisson_ratio"};
  using Blocks = NeoHookeanBlocks<Real>;

  LameParameters<Real> moduli;

  template <typename Constants>
  static NeoHookean from(const Constants& given) {
    return {LameParameters<Real>::from_engineering(given.youngs_modulus, given.poisson_ratio)};
  }

  LameParameters<Real> linear_moduli() const { return moduli; }
  /// The remaining material has the bulk modulus `share` mu. This is 2 mu / 3 if its lambda is 0.
  VolumetricLaw take_volumetric_part(double share = kKeptBulk) { return take_from_lambda(moduli.lambda, moduli.mu, share); }

  /// [J/m^3]; not finite where det F <= 0.
  template <typename T>
  T energy_density(const Matrix3<T>& F) const {
    using std::log;
    const auto& [lambda, mu] = moduli;
    const T log_J = log(cofactor_and_determinant(F).second);
    T square(0.0);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) square += F(i, j) * F(i, j);
    return 0.5 * mu * (square - 3.0) - mu * log_J + 0.5 * lambda * log_J * log_J;
  }

  /// P = mu (F - F^-T) + lambda ln J F^-T  [Pa]; not finite where det F <= 0.
  template <typename T>
  Matrix3<T> first_piola_stress(const Matrix3<T>& F) const {
    using std::log;
    const auto& [lambda, mu] = moduli;
    const auto [cofactor, J] = cofactor_and_determinant(F);
    const T factor = (lambda * log(J) - mu) / J;
    Matrix3<T> stress;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) stress(i, j) = mu * F(i, j) + factor * cofactor(i, j);
    return stress;
  }
};

/// df_a/dx_b by hand, with g_a = F^-T grad_X N_a:
///   -V (mu (grad_X N_a . grad_X N_b) I + lambda g_a g_b^T + (mu - lambda ln J) g_b g_a^T)
template <typename Real>
class NeoHookeanBlocks {
 public:
  NeoHookeanBlocks(const SolidElementOf<Real>& element, const NeoHookean<Real>& material, const std::array<Vector3<Real>, 4>& x, double factor);
  Matrix3<Real> operator()(int a, int b) const;

 private:
  DeformedElement<Real> deformed_;
  std::array<Vector3<Real>, 4> rest_gradients_;
  Real lambda_, mu_, geometric_;  ///< times -V and the factor
};

template <typename Real>
NeoHookeanBlocks<Real>::NeoHookeanBlocks(const SolidElementOf<Real>& element, const NeoHookean<Real>& material, const std::array<Vector3<Real>, 4>& x,
                                         double factor)
    : deformed_(element, x) {
  using std::log;
  for (int a = 1; a < 4; ++a) rest_gradients_[a] = element.inverse_rest_shape.row(a - 1).transpose();
  rest_gradients_[0] = -(rest_gradients_[1] + rest_gradients_[2] + rest_gradients_[3]);
  const Real scale = element.volume * -factor;
  mu_ = material.moduli.mu * scale;
  lambda_ = material.moduli.lambda * scale;
  geometric_ = mu_ - lambda_ * log(deformed_.determinant);
}

template <typename Real>
Matrix3<Real> NeoHookeanBlocks<Real>::operator()(int a, int b) const {
  const auto &ga = deformed_.gradients[a], &gb = deformed_.gradients[b];
  const auto &Ga = rest_gradients_[a], &Gb = rest_gradients_[b];
  const Vector3<Real> volumetric = ga * lambda_, geometric = gb * geometric_;
  Matrix3<Real> block;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) block(i, k) = volumetric[i] * gb[k] + geometric[i] * ga[k];
  const Real diagonal = mu_ * (Ga[0] * Gb[0] + Ga[1] * Gb[1] + Ga[2] * Gb[2]);
  for (int i = 0; i < 3; ++i) block(i, i) += diagonal;
  return block;
}

}  // namespace traction
