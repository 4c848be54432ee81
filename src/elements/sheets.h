// Laws of sheets beside the neo-Hookean membrane: incompressible rubber, cloth and layers of cords (docs/theory/balance.md, "Membranes of other laws"). Each
// has the functions of MembraneMaterial that MembraneElementOf needs.
#pragma once

#include <cmath>

#include "elements/elasticity.h"
#include "elements/membrane_element.h"
#include "elements/tension_only.h"

namespace traction {

/// A sheet of an isotropic law of rubber that keeps its volume, in plane stress: the thickness has the stretch 1 / J2, J2 that of the area.
template <template <typename> typename Material>
class IncompressibleSheet {
 public:
  /// `law`: with constants times the thickness [N/m], and no bulk modulus.
  explicit IncompressibleSheet(const Material<double>& law) : law_(law), viscosity_(3 * law.linear_moduli().mu, 0.5) {}

  /// [J/m^2 at rest]
  double energy_density(const Matrix32<double>& F) const { return law_.energy_density(Solid<double>(F).gradient); }
  /// With G = F C^-1 and l3 = 1 / J2: P = (first two columns of P3) - (n . third column of P3) l3 G  [N/m]
  template <typename T>
  Matrix32<T> first_piola_stress(const Matrix32<T>& F) const {
    const Solid<T> solid(F);
    const Matrix3<T> P = law_.template first_piola_stress<T>(solid.gradient);
    const T across = P.col(2).dot(solid.gradient.col(2));
    Matrix32<T> stress;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 2; ++j) stress(i, j) = P(i, j) - across * solid.reciprocal(i, j);
    return stress;
  }
  /// The viscosity of the neo-Hookean sheet with the same modulus for small strains.
  template <typename T>
  Matrix32<T> viscous_stress(const Matrix32<T>& F, const Matrix32<T>& rate) const {
    return viscosity_.viscous_stress<T>(F, rate);
  }
  double squared_thickness_stretch(double det_C) const { return 1 / det_C; }

 private:
  /// The deformation of the solid: the third column is n / J2, n the sheet's normal.
  template <typename T>
  struct Solid {
    Matrix3<T> gradient;
    Matrix32<T> reciprocal;

    explicit Solid(const Matrix32<T>& F) {
      const MembraneMetric<T> metric(F);
      reciprocal = metric.reciprocal;
      const Vector3<T> a = F.col(0), b = F.col(1), normal = a.cross(b);
      gradient.col(0) = a;
      gradient.col(1) = b;
      gradient.col(2) = normal * T(T(1.0) / metric.det_C);
    }
  };

  Material<double> law_;
  MembraneMaterial viscosity_;
};

/// Cloth: S = D E in Green's strain E = (C - I) / 2, with moduli along the warp, across it and in shear.
class OrthotropicSheet {
 public:
  /// Moduli of the surface [N/m]; `contraction`: across the warp, of a pull along it; `warp`: a unit vector in the triangle's coordinates.
  OrthotropicSheet(double along, double across, double contraction, double shear, const Eigen::Vector2d& warp) : warp_(warp), shear_(shear) {
    const double factor = 1 / (1 - contraction * contraction * across / along);
    along_ = along * factor;
    across_ = across * factor;
    coupling_ = contraction * across * factor;
  }

  double energy_density(const Matrix32<double>& F) const {
    const Eigen::Matrix2d E = strain(turned(F), turned(F)) - 0.5 * Eigen::Matrix2d::Identity();
    return 0.5 * along_ * E(0, 0) * E(0, 0) + 0.5 * across_ * E(1, 1) * E(1, 1) + coupling_ * E(0, 0) * E(1, 1) + 2 * shear_ * E(0, 1) * E(0, 1);
  }
  template <typename T>
  Matrix32<T> first_piola_stress(const Matrix32<T>& F) const {
    const Matrix32<T> own = turned(F);
    Eigen::Matrix<T, 2, 2> E = strain(own, own);
    for (int i = 0; i < 2; ++i) E(i, i) -= 0.5;
    return turned_back<T>(own * stress(E));
  }
  /// F D E'
  template <typename T>
  Matrix32<T> viscous_stress(const Matrix32<T>& F, const Matrix32<T>& rate) const {
    const Matrix32<T> own = turned(F);
    return turned_back<T>(own * stress(Eigen::Matrix<T, 2, 2>(strain(own, turned(rate)) * T(2.0))));
  }
  double squared_thickness_stretch(double) const { return 1; }  ///< the change of cloth's thickness is not known

 private:
  /// sym(A^T B) / 2
  template <typename T>
  static Eigen::Matrix<T, 2, 2> strain(const Matrix32<T>& A, const Matrix32<T>& B) {
    const Eigen::Matrix<T, 2, 2> product = A.transpose() * B;
    return (product + product.transpose()) * T(0.25);
  }
  template <typename T>
  Eigen::Matrix<T, 2, 2> stress(const Eigen::Matrix<T, 2, 2>& E) const {
    Eigen::Matrix<T, 2, 2> S;
    S(0, 0) = E(0, 0) * along_ + E(1, 1) * coupling_;
    S(1, 1) = E(1, 1) * across_ + E(0, 0) * coupling_;
    S(0, 1) = S(1, 0) = E(0, 1) * (2 * shear_);
    return S;
  }
  /// Turns the columns of F so that they are along and across the warp.
  template <typename T>
  Matrix32<T> turned(const Matrix32<T>& F) const {
    Matrix32<T> result;
    for (int i = 0; i < 3; ++i) {
      result(i, 0) = F(i, 0) * warp_[0] + F(i, 1) * warp_[1];
      result(i, 1) = F(i, 1) * warp_[0] - F(i, 0) * warp_[1];
    }
    return result;
  }
  template <typename T>
  Matrix32<T> turned_back(const Matrix32<T>& P) const {
    Matrix32<T> result;
    for (int i = 0; i < 3; ++i) {
      result(i, 0) = P(i, 0) * warp_[0] - P(i, 1) * warp_[1];
      result(i, 1) = P(i, 0) * warp_[1] + P(i, 1) * warp_[0];
    }
    return result;
  }

  Eigen::Vector2d warp_;
  double along_, across_, coupling_, shear_;  ///< of D [N/m]
};

/// Parallel cords: W = k/2 (l - 1)^2 in their stretch l = |F a|, and nothing where they are shorter than at rest, if they do not resist compression.
class CordLayer {
 public:
  /// `stiffness`: Young's modulus times section over distance [N/m]; `along`: a unit vector in the triangle's coordinates.
  CordLayer(double stiffness, const Eigen::Vector2d& along, bool resists_compression)
      : stiffness_(stiffness), along_(along), resists_compression_(resists_compression) {}

  double energy_density(const Matrix32<double>& F) const {
    const double strain = (F * along_).norm() - 1;
    return 0.5 * stiffness_ * (resists_compression_ ? strain * strain : tensile_square(strain));
  }
  template <typename T>
  Matrix32<T> first_piola_stress(const Matrix32<T>& F) const {
    using std::sqrt;
    Vector3<T> cord;
    for (int i = 0; i < 3; ++i) cord[i] = F(i, 0) * along_[0] + F(i, 1) * along_[1];
    const T stretch = sqrt(cord.dot(cord)), strain = stretch - 1.0;
    const T force = (resists_compression_ ? strain : tensile_part(strain)) * stiffness_ / stretch;
    Matrix32<T> stress;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 2; ++j) stress(i, j) = force * cord[i] * along_[j];
    return stress;
  }
  /// None: cords have no viscosity.
  template <typename T>
  Matrix32<T> viscous_stress(const Matrix32<T>&, const Matrix32<T>&) const {
    return Matrix32<T>::Constant(T(0.0));
  }

 private:
  double stiffness_;
  Eigen::Vector2d along_;
  bool resists_compression_;
};

}  // namespace traction
