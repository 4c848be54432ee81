// Thin sheets that resist stretching: linear triangles of the compressible neo-Hookean material in plane stress (docs/theory/balance.md, "Membranes").
#pragma once

#include <array>

#include "math/dual.h"
#include "math/tensor.h"

namespace traction {

template <typename T>
using Matrix32 = Eigen::Matrix<T, 3, 2>;

/// W = mu/2 (tr(F^T F) - 3) - mu ln J + lambda/2 (ln J)^2 of neo_hookean.h, times the thickness at rest, as a function of the 3x2 deformation gradient of the
/// sheet. The stretch l3 of the thickness is where W is least, sigma_33 = 0:
///   mu (l3^2 - 1) + lambda ln(J2 l3) = 0,   J2 = sqrt(det(F^T F)) the stretch of the area,
/// so dW/dF at fixed l3 is the stress. With lambda = 2 mu nu/(1 - 2 nu) the condition is (1 - 2 nu) (l3^2 - 1) + 2 nu ln(J2 l3) = 0, which holds for the
/// incompressible limit nu = 0.5 as well, where l3 = 1/J2. Defined where J2 > 0, for nu < 0 under the condition of
/// docs/theory/balance.md, (B11); elsewhere energy and stress are NaN.
class MembraneMaterial {
 public:
  /// `surface_modulus`: Young's modulus times thickness, E t [N/m]. -1 < poisson_ratio <= 0.5.
  MembraneMaterial(double surface_modulus, double poisson_ratio) : mu_(surface_modulus / (2 * (1 + poisson_ratio))), nu_(poisson_ratio) {}

  /// [J/m^2 at rest]
  double energy_density(const Matrix32<double>& F) const;
  /// First Piola-Kirchhoff stress resultant P = dW/dF = mu (F - l3^2 F C^-1), C = F^T F  [N/m]
  template <typename T>
  Matrix32<T> first_piola_stress(const Matrix32<T>& F) const;
  /// Stress resultant of a viscosity with the sheet's own moduli (docs/theory/balance.md, (B19), with beta = 1), F (2 mu C^-1 E' C^-1 + lambda' tr(C^-1 E')
  /// C^-1) with E' = sym(F^T F') and lambda' = 2 mu nu/(1 - nu) that of plane stress, F' the rate of F. [N/m] per [1/s]; Stiffness damping multiplies it by
  /// beta.
  template <typename T>
  Matrix32<T> viscous_stress(const Matrix32<T>& F, const Matrix32<T>& rate) const;

  /// l3^2, from det C = J2^2.
  double squared_thickness_stretch(double det_C) const;
  template <typename T, int N>
  Dual<T, N> squared_thickness_stretch(const Dual<T, N>& det_C) const;

 private:
  double mu_;  ///< times thickness [N/m]
  double nu_;
};

/// A triangle at rest, in orthonormal coordinates of its plane: the first along the edge from the first to the second vertex.
struct RestTriangle {
  Eigen::Matrix2d inverse_shape;  ///< [X1 - X0, X2 - X0]^-1 [1/m]
  double area;                    ///< [m^2]
  Matrix32<double> axes;          ///< the unit vectors of the coordinates

  /// `rest`: positions of the vertices, not on one line [m].
  explicit RestTriangle(const std::array<Vec3, 3>& rest);
};

/// A triangle that resists stretching by a law with the functions of MembraneMaterial.
template <typename Sheet>
struct MembraneElementOf {
  Eigen::Matrix2d inverse_rest_shape;  ///< [X1 - X0, X2 - X0]^-1 in orthonormal coordinates of the plane at rest [1/m]
  Sheet material;
  double area;                  ///< at rest [m^2]
  double viscous_time;          ///< beta of f = f_elastic + beta f_viscous [s]
  std::array<int, 3> vertices;  ///< local, in any order

  /// `rest`: positions of the vertices at rest, in the order given, not on one line [m].
  MembraneElementOf(const std::array<int, 3>& element_vertices, const std::array<Vec3, 3>& rest, const Sheet& sheet, double time_of_viscosity)
      : material(sheet), viscous_time(time_of_viscosity), vertices(element_vertices) {
    const RestTriangle triangle(rest);
    inverse_rest_shape = triangle.inverse_shape;
    area = triangle.area;
  }

  bool is_viscous() const { return viscous_time != 0; }
  /// F for vertices at positions x, or its rate for velocities.
  template <typename T>
  Matrix32<T> deformation_gradient(const std::array<Vector3<T>, 3>& x) const;
  /// The elastic and viscous forces on the three vertices at positions x [m] and velocities v [m/s]; they sum to zero [N].
  template <typename T>
  std::array<Vector3<T>, 3> forces(const std::array<Vector3<T>, 3>& x, const std::array<Vector3<T>, 3>& v) const;
  /// The second Piola-Kirchhoff stress resultant S, P = F S, elastic and viscous: S_11, S_22, S_12  [N/m]
  template <typename T>
  std::array<T, 3> stress(const std::array<Vector3<T>, 3>& x, const std::array<Vector3<T>, 3>& v) const;
  /// The forces of such a stress [N].
  template <typename T>
  std::array<Vector3<T>, 3> forces_of(const std::array<T, 3>& stress, const std::array<Vector3<T>, 3>& x) const;
  double energy(const std::array<Vec3, 3>& x) const { return area * material.energy_density(deformation_gradient(x)); }  ///< [J]

 private:
  template <typename T>
  Matrix32<T> first_piola_stress(const std::array<Vector3<T>, 3>& x, const std::array<Vector3<T>, 3>& v) const;
  template <typename T>
  std::array<Vector3<T>, 3> forces_of_first_piola_stress(const Matrix32<T>& stress) const;
};

/// F C^-1, whose columns g_i have g_i . F_j = delta_ij, and det C.
template <typename T>
struct MembraneMetric {
  Matrix32<T> reciprocal;
  T det_C;

  explicit MembraneMetric(const Matrix32<T>& F) {
    const Vector3<T> a = F.col(0), b = F.col(1);
    const Vector3<T> normal = a.cross(b);
    det_C = normal.dot(normal);  // without cancellation where the triangle is thin
    const T inverse = T(1.0) / det_C;
    const T aa = a.dot(a) * inverse, ab = a.dot(b) * inverse, bb = b.dot(b) * inverse;
    for (int i = 0; i < 3; ++i) {
      reciprocal(i, 0) = bb * a[i] - ab * b[i];
      reciprocal(i, 1) = aa * b[i] - ab * a[i];
    }
  }
};

/// By the implicit function theorem for the plane stress condition (docs/theory/balance.md, (B10)).
template <typename T, int N>
Dual<T, N> MembraneMaterial::squared_thickness_stretch(const Dual<T, N>& det_C) const {
  const T square = squared_thickness_stretch(det_C.value);
  return det_C.chain(square, square * -nu_ / ((square * (1 - 2 * nu_) + nu_) * det_C.value));
}

template <typename T>
Matrix32<T> MembraneMaterial::first_piola_stress(const Matrix32<T>& F) const {
  const MembraneMetric<T> metric(F);
  const T square = squared_thickness_stretch(metric.det_C);
  Matrix32<T> stress;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j) stress(i, j) = (F(i, j) - square * metric.reciprocal(i, j)) * mu_;
  return stress;
}

template <typename T>
Matrix32<T> MembraneMaterial::viscous_stress(const Matrix32<T>& F, const Matrix32<T>& rate) const {
  const Matrix32<T> G = MembraneMetric<T>(F).reciprocal;
  const Eigen::Matrix<T, 2, 2> product = F.transpose() * rate;
  const Eigen::Matrix<T, 2, 2> strain_rate = (product + product.transpose()) * 0.5;
  Eigen::Matrix<T, 2, 2> mixed = strain_rate * (G.transpose() * G) * (2 * mu_);  // 2 mu E' C^-1
  const T dilation = mixed.trace() * (nu_ / (1 - nu_));
  for (int i = 0; i < 2; ++i) mixed(i, i) += dilation;
  return G * mixed;
}

using MembraneElement = MembraneElementOf<MembraneMaterial>;

template <typename Sheet>
template <typename T>
Matrix32<T> MembraneElementOf<Sheet>::deformation_gradient(const std::array<Vector3<T>, 3>& x) const {
  const Vector3<T> e1 = x[1] - x[0], e2 = x[2] - x[0];
  Matrix32<T> F;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j) F(i, j) = e1[i] * inverse_rest_shape(0, j) + e2[i] * inverse_rest_shape(1, j);
  return F;
}

template <typename Sheet>
template <typename T>
std::array<Vector3<T>, 3> MembraneElementOf<Sheet>::forces(const std::array<Vector3<T>, 3>& x, const std::array<Vector3<T>, 3>& v) const {
  return forces_of_first_piola_stress(first_piola_stress(x, v));
}

template <typename Sheet>
template <typename T>
Matrix32<T> MembraneElementOf<Sheet>::first_piola_stress(const std::array<Vector3<T>, 3>& x, const std::array<Vector3<T>, 3>& v) const {
  const Matrix32<T> F = deformation_gradient(x);
  Matrix32<T> stress = material.template first_piola_stress<T>(F);
  if (is_viscous()) stress += material.template viscous_stress<T>(F, deformation_gradient(v)) * viscous_time;
  return stress;
}

template <typename Sheet>
template <typename T>
std::array<Vector3<T>, 3> MembraneElementOf<Sheet>::forces_of_first_piola_stress(const Matrix32<T>& stress) const {
  std::array<Vector3<T>, 3> force;  // -A P grad N_a
  for (int a = 1; a < 3; ++a)
    for (int i = 0; i < 3; ++i) force[a][i] = (stress(i, 0) * inverse_rest_shape(a - 1, 0) + stress(i, 1) * inverse_rest_shape(a - 1, 1)) * -area;
  force[0] = -(force[1] + force[2]);
  return force;
}

template <typename Sheet>
template <typename T>
std::array<T, 3> MembraneElementOf<Sheet>::stress(const std::array<Vector3<T>, 3>& x, const std::array<Vector3<T>, 3>& v) const {
  const Matrix32<T> G = MembraneMetric<T>(deformation_gradient(x)).reciprocal, P = first_piola_stress(x, v);
  return {G.col(0).dot(P.col(0)), G.col(1).dot(P.col(1)), G.col(0).dot(P.col(1))};
}

template <typename Sheet>
template <typename T>
std::array<Vector3<T>, 3> MembraneElementOf<Sheet>::forces_of(const std::array<T, 3>& stress, const std::array<Vector3<T>, 3>& x) const {
  const Matrix32<T> F = deformation_gradient(x);
  Matrix32<T> P;
  for (int i = 0; i < 3; ++i) {
    P(i, 0) = F(i, 0) * stress[0] + F(i, 1) * stress[2];
    P(i, 1) = F(i, 0) * stress[2] + F(i, 1) * stress[1];
  }
  return forces_of_first_piola_stress(P);
}

}  // namespace traction
