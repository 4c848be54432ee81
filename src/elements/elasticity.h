// Forces of an element of any hyperelastic material, and their derivatives.
//
// A material is a `template <typename Real> struct` that contains only its parameters, which are Reals: double for one element, Pack for several. It must have
//   static constexpr std::string_view name, sentence;                                  its name in scenes, and what it is for
//   static constexpr std::array<std::string_view, n> constants;                        the keys in scenes of the constants that it takes
//   template <typename Constants> static Material<double> from(const Constants&);      made from these (elements/material_settings.h)
//   LameParameters<Real> linear_moduli() const;                                        for small strains; stiffness damping uses these
//   template <typename T> T energy_density(const Matrix3<T>& F) const;                 W, zero at rest [J/m^3]; T is Real or dual numbers of it
// and may have a part of its energy that depends on det F alone, which can be averaged over nodes instead (elements/volumetric_law.h):
//   VolumetricLaw take_volumetric_part(double share = kKeptBulk);                      takes it out of this Material<double>, all but a share
// and may have faster formulas than dual numbers, which are used otherwise:
//   template <typename T> Matrix3<T> first_piola_stress(const Matrix3<T>& F) const;    P = dW/dF [Pa]
//   using Blocks = ...;                                                                a class with the constructor and the operator () of DualBlocks
// Scenes can use it once materials/solid_materials.h lists it.
#pragma once

#include <array>

#include "elements/lame_parameters.h"
#include "elements/solid_element.h"
#include "math/dual.h"

namespace traction {

/// The material's own P = dW/dF [Pa], or the gradient of its energy by dual numbers.
template <typename T, typename Material>
Matrix3<T> first_piola_stress(const Material& material, const Matrix3<T>& F) {
  if constexpr (requires { material.template first_piola_stress<T>(F); }) {
    return material.template first_piola_stress<T>(F);
  } else {
    Matrix3<Dual<T, 9>> seeded;
    for (int k = 0; k < 9; ++k) {
      seeded(k) = Dual<T, 9>(F(k));
      seeded(k).derivative[k] = T(1.0);
    }
    return Matrix3<T>(material.template energy_density<Dual<T, 9>>(seeded).derivative.data());
  }
}

/// The elastic forces on the four vertices at positions x [N].
template <typename T, typename Real, typename Material>
std::array<Vector3<T>, 4> elastic_forces(const SolidElementOf<Real>& element, const Material& material, const std::array<Vector3<T>, 4>& x) {
  return forces_of_stress(element, first_piola_stress<T>(material, deformation_gradient(element, x)));
}

/// factor df_a/dx_b of the elastic forces at positions x, for a != b [N/m].
template <typename Real, typename Material>
class DualBlocks {
 public:
  DualBlocks(const SolidElementOf<Real>& element, const Material& material, const std::array<Vector3<Real>, 4>& x, double factor);
  Matrix3<Real> operator()(int a, int b) const;

 private:
  std::array<std::array<Vector3<Dual<Real, 3>>, 4>, 3> forces_;  ///< derivatives by x_1, x_2, x_3
};

/// F is linear in x: dF_ij/dx_b,k = delta_ik (grad_X N_b)_j.
template <typename Real, typename Material>
DualBlocks<Real, Material>::DualBlocks(const SolidElementOf<Real>& element, const Material& material, const std::array<Vector3<Real>, 4>& x, double factor) {
  const Matrix3<Real> F = deformation_gradient(element, x);
  for (int b = 1; b < 4; ++b) {
    Matrix3<Dual<Real, 3>> seeded;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        seeded(i, j) = Dual<Real, 3>(F(i, j));
        seeded(i, j).derivative[i] = element.inverse_rest_shape(b - 1, j) * factor;
      }
    forces_[b - 1] = forces_of_stress(element, first_piola_stress<Dual<Real, 3>>(material, seeded));
  }
}

/// The blocks are symmetric because they are second derivatives of an energy.
template <typename Real, typename Material>
Matrix3<Real> DualBlocks<Real, Material>::operator()(int a, int b) const {
  if (a > b) return (*this)(b, a).transpose();
  Matrix3<Real> block;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) block(i, k) = forces_[b - 1][a][i].derivative[k];
  return block;
}

/// The material's own blocks, or blocks by dual numbers.
template <typename Real, typename Material>
auto elastic_blocks(const SolidElementOf<Real>& element, const Material& material, const std::array<Vector3<Real>, 4>& x, double factor) {
  if constexpr (requires { typename Material::Blocks; }) return typename Material::Blocks(element, material, x, factor);
  else return DualBlocks<Real, Material>(element, material, x, factor);
}

}  // namespace traction
