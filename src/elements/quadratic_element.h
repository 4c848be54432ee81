// Ten-node tetrahedra (docs/theory/balance.md, "Ten-node tetrahedra"): kernels for one element (Real = double) or several at once (Real = Pack).
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "elements/elasticity.h"
#include "elements/solid_element.h"
#include "elements/viscosity.h"
#include "elements/volumetric_law.h"
#include "mesh/mesh.h"

namespace traction {

template <typename T>
using Corner10 = std::array<Vector3<T>, 10>;  ///< a vector for each vertex: four corners, then the edges of kTetrahedronEdges

/// The number of quadrature points, one near each corner: exact for quadratic functions where the sides are straight.
inline constexpr int kQuadraturePoints = 4;
/// Barycentric coordinates of a quadrature point: of the corner near it, and of the others.
inline constexpr double kNearCorner = 0.5854101966249685, kFarCorner = 0.1381966011250105;

template <typename T>
using PointTensors = std::array<Matrix3<T>, kQuadraturePoints>;  ///< a tensor for each quadrature point

/// The geometry at rest.
template <typename Real>
struct QuadraticElementOf {
  PointTensors<Real> inverse_rest_shape;       ///< (dX/dxi)^-1, xi the barycentric coordinates of corners 1 to 3 [1/m]
  std::array<Real, kQuadraturePoints> volume;  ///< weight of each quadrature point [m^3]
  Real whole;                                  ///< the sum of these

  /// `rest`: positions of the vertices [m].
  static QuadraticElementOf at_rest(const Corner10<Real>& rest);
};

/// The edge between two corners in kTetrahedronEdges; the corners may be in either order.
inline constexpr std::array<std::array<int, 4>, 4> kEdgeOfCorners = {{{-1, 0, 1, 2}, {0, -1, 3, 4}, {1, 3, -1, 5}, {2, 4, 5, -1}}};

/// dx/dxi at the quadrature points. With the deviation m_e of each mid-edge vertex from the middle of its edge, dx/dxi_k = x_k - x_0 + D_k - D_0, where
/// D_k = 4 sum_j lambda_j m_kj: translations cancel before anything is multiplied.
template <typename T>
PointTensors<T> shape_of(const Corner10<T>& x) {
  std::array<Vector3<T>, 6> deviation;
  for (std::size_t e = 0; e < 6; ++e) {
    const auto& [a, b] = kTetrahedronEdges[e];
    deviation[e] = ((x[4 + e] - x[a]) + (x[4 + e] - x[b])) * T(0.5);
  }
  std::array<Vector3<T>, 4> common;  // 4 kFarCorner sum_j m_kj
  for (int k = 0; k < 4; ++k) {
    Vector3<T> sum = Vector3<T>::Zero();
    for (int j = 0; j < 4; ++j)
      if (j != k) sum += deviation[kEdgeOfCorners[k][j]];
    common[k] = sum * T(4 * kFarCorner);
  }
  PointTensors<T> shape;
  for (int k = 1; k < 4; ++k) {
    const Vector3<T> linear = x[k] - x[0] + common[k] - common[0];
    for (int q = 0; q < kQuadraturePoints; ++q) {
      Vector3<T> own = Vector3<T>::Zero();
      if (q != k) own += deviation[kEdgeOfCorners[k][q]];
      if (q != 0) own -= deviation[kEdgeOfCorners[0][q]];
      shape[q].col(k - 1) = linear + own * T(4 * (kNearCorner - kFarCorner));
    }
  }
  return shape;
}

template <typename Real>
QuadraticElementOf<Real> QuadraticElementOf<Real>::at_rest(const Corner10<Real>& rest) {
  QuadraticElementOf element;
  element.whole = Real(0.0);
  const PointTensors<Real> shape = shape_of(rest);
  for (int q = 0; q < kQuadraturePoints; ++q) {
    const auto [cofactor, determinant] = cofactor_and_determinant(shape[q]);
    element.inverse_rest_shape[q] = cofactor.transpose() * Real(Real(1.0) / determinant);
    element.volume[q] = determinant * (1.0 / 24);
    element.whole += element.volume[q];
  }
  return element;
}

/// F at the quadrature points for vertices at positions x, or its rate for velocities.
template <typename Real, typename T>
PointTensors<T> deformation_gradients(const QuadraticElementOf<Real>& element, const Corner10<T>& x) {
  const PointTensors<T> shape = shape_of(x);
  PointTensors<T> F;
  for (int q = 0; q < kQuadraturePoints; ++q) {
    const auto& B = element.inverse_rest_shape[q];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) F[q](i, j) = shape[q](i, 0) * B(0, j) + shape[q](i, 1) * B(1, j) + shape[q](i, 2) * B(2, j);
  }
  return F;
}

/// The forces of first Piola-Kirchhoff stresses at the quadrature points on the vertices [N], which sum to zero: the transpose of deformation_gradients.
template <typename Real, typename T>
Corner10<T> forces_of_stresses(const QuadraticElementOf<Real>& element, const PointTensors<T>& stresses) {
  std::array<std::array<Vector3<T>, 4>, kQuadraturePoints> on_slope;  // on D_k at each point
  Corner10<T> force;
  for (int k = 0; k < 4; ++k) force[k] = Vector3<T>::Zero();
  for (int q = 0; q < kQuadraturePoints; ++q) {
    const Matrix3<Real> B = element.inverse_rest_shape[q] * Real(-element.volume[q]);
    const Matrix3<T>& P = stresses[q];
    for (int k = 1; k < 4; ++k)
      for (int i = 0; i < 3; ++i) on_slope[q][k][i] = P(i, 0) * B(k - 1, 0) + P(i, 1) * B(k - 1, 1) + P(i, 2) * B(k - 1, 2);
    on_slope[q][0] = -(on_slope[q][1] + on_slope[q][2] + on_slope[q][3]);
    for (int k = 0; k < 4; ++k) force[k] += on_slope[q][k];
  }
  std::array<Vector3<T>, 6> on_deviation;
  for (std::size_t e = 0; e < 6; ++e) {
    const auto& [a, b] = kTetrahedronEdges[e];
    on_deviation[e] = (force[a] + force[b]) * T(4 * kFarCorner) + (on_slope[b][a] + on_slope[a][b]) * T(4 * (kNearCorner - kFarCorner));
  }
  for (std::size_t e = 0; e < 6; ++e) {
    const auto& [a, b] = kTetrahedronEdges[e];
    force[4 + e] = on_deviation[e];
    force[a] -= on_deviation[e] * T(0.5);
    force[b] -= on_deviation[e] * T(0.5);
  }
  return force;
}

/// The bulk modulus that acts at quadrature points, relative to the shear modulus; the rest acts on the mean volume ratio. It is the modulus at a Poisson's
/// ratio of 0.4, at which quadratic displacements do not lock. Below it pressures vary within an element.
inline constexpr double kBulkAtPoints = 14.0 / 3.0;

/// The law of the mean volume ratio of an element, U = modulus u(J).
template <typename Real>
struct MeanVolumeLaw {
  Real modulus;  ///< [Pa]

  template <typename T>
  T energy(VolumetricLaw::Form form, const T& J) const {
    using std::log;
    const T logarithm = log(J);
    return form == VolumetricLaw::Form::rational ? T((J * J - 1.0 - 2.0 * logarithm) * (0.25 * modulus)) : T(logarithm * logarithm * (0.5 * modulus));
  }
  /// dU/dJ [Pa]
  template <typename T>
  T stress(VolumetricLaw::Form form, const T& J) const {
    using std::log;
    return form == VolumetricLaw::Form::rational ? T((J - T(1.0) / J) * (0.5 * modulus)) : T(log(J) / J * modulus);
  }
};

/// The material of an element: the law of its quadrature points, and that of its mean volume ratio.
template <template <typename> typename Material, typename Real>
struct QuadraticMaterialOf {
  Material<Real> law;
  MeanVolumeLaw<Real> mean;
};

/// The material of an element whose law is given, and the form of the law of its mean volume ratio.
template <template <typename> typename Material>
std::pair<QuadraticMaterialOf<Material, double>, VolumetricLaw::Form> quadratic_material(Material<double> law) {
  VolumetricLaw taken;
  if constexpr (HasVolumetricPart<Material<double>>) taken = law.take_volumetric_part(kBulkAtPoints);
  return {{law, {taken.modulus}}, taken.form};
}

/// The mean of det F over the quadrature points of an element, relative to their volumes: its present volume relative to that at rest.
template <typename Real, typename T>
T mean_volume_ratio(const QuadraticElementOf<Real>& element, const PointTensors<T>& F) {
  T volume(0.0);
  for (int q = 0; q < kQuadraturePoints; ++q) volume += cofactor_and_determinant(F[q]).second * element.volume[q];
  return volume / element.whole;
}

/// sum_q V_q W(F_q) + V U(mean J) [J]
template <typename Real, template <typename> typename Material>
Real elastic_energy(const QuadraticElementOf<Real>& element, const QuadraticMaterialOf<Material, Real>& material, VolumetricLaw::Form form,
                    const Corner10<Real>& x) {
  const PointTensors<Real> F = deformation_gradients(element, x);
  Real energy(0.0);
  for (int q = 0; q < kQuadraturePoints; ++q) energy += element.volume[q] * material.law.template energy_density<Real>(F[q]);
  if constexpr (HasVolumetricPart<Material<double>>) energy += element.whole * material.mean.energy(form, mean_volume_ratio(element, F));
  return energy;
}

/// The elastic forces on the ten vertices at positions x [N]. `surplus`: added to the stress of the mean volume ratio [Pa]; `at_points`, unless null, to the
/// second Piola-Kirchhoff stresses.
template <typename T, typename Real, template <typename> typename Material>
Corner10<T> elastic_forces(const QuadraticElementOf<Real>& element, const QuadraticMaterialOf<Material, Real>& material, VolumetricLaw::Form form,
                           const Corner10<T>& x, const Real& surplus = Real(0.0), const PointTensors<Real>* at_points = nullptr) {
  const PointTensors<T> F = deformation_gradients(element, x);
  PointTensors<T> stresses;
  for (int q = 0; q < kQuadraturePoints; ++q) stresses[q] = first_piola_stress<T>(material.law, F[q]);
  if (at_points)
    for (int q = 0; q < kQuadraturePoints; ++q)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          for (int k = 0; k < 3; ++k) stresses[q](i, j) += F[q](i, k) * (*at_points)[q](k, j);
  if constexpr (HasVolumetricPart<Material<double>>) {
    PointTensors<T> cofactors;
    T volume(0.0);
    for (int q = 0; q < kQuadraturePoints; ++q) {
      const auto [cofactor, J] = cofactor_and_determinant(F[q]);
      cofactors[q] = cofactor;
      volume += J * element.volume[q];
    }
    const T mean_stress = material.mean.stress(form, T(volume / element.whole)) + T(surplus);
    for (int q = 0; q < kQuadraturePoints; ++q)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) stresses[q](i, j) += mean_stress * cofactors[q](i, j);
  }
  return forces_of_stresses(element, stresses);
}

/// Forces of a viscosity of unit time at the quadrature points, at positions x and velocities v [N/s].
template <typename T, typename Real>
Corner10<T> viscous_forces(const QuadraticElementOf<Real>& element, const LameParameters<Real>& moduli, const Corner10<T>& x, const Corner10<T>& v) {
  const PointTensors<T> F = deformation_gradients(element, x), rate = deformation_gradients(element, v);
  PointTensors<T> stresses;
  for (int q = 0; q < kQuadraturePoints; ++q) stresses[q] = viscous_stress<T>(moduli, F[q], rate[q]);
  return forces_of_stresses(element, stresses);
}

}  // namespace traction
