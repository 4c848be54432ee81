// The strain limit of sheets (docs/theory/balance.md, "Strain limits"): a barrier in the principal stretches, beside the law of the sheet.
#pragma once

#include "elements/membrane_element.h"
#include "math/dual.h"

namespace traction {

/// A barrier for the strain e = l - 1 of a principal stretch l (docs/theory/balance.md, "Strain limits", B11b),
///   f = -k x^2 ln y,   x = e - e0,   y = 1 - x / (e1 - e0)
/// from e0 to e1, and 0 below e0. It is twice continuously differentiable, and NaN at e1 and beyond.
struct StrainBarrier {
  double stiffness;    ///< k [N/m]
  double from, width;  ///< e0, e1 - e0

  double energy(double stretch) const;             ///< f [N/m]
  double force(double stretch) const;              ///< f' [N/m]
  double slope(double stretch) const;              ///< f'' [N/m]
  double force_per_stretch(double stretch) const;  ///< f' / l, 0 for l = 0 [N/m]
  /// (f'(a) - f'(b)) / (a - b) for a >= b, f'' where they are equal, without cancellation.
  double force_difference(double a, double b) const;
};

/// The sheet's added law W = f(l1) + f(l2) with the principal stretches l1 >= l2 of F. Has the functions of MembraneMaterial that MembraneElementOf needs.
class StrainLimit {
 public:
  /// `stiffness`: k [N/m]. 0 <= from < to.
  StrainLimit(double stiffness, double from, double to) : barrier_{stiffness, from, to - from} {}

  /// [J/m^2 at rest]; NaN where a strain is at the limit or beyond it.
  double energy_density(const Matrix32<double>& F) const;
  /// P = F S with S of second_piola_stress [N/m]; NaN where the energy is.
  template <typename T>
  Matrix32<T> first_piola_stress(const Matrix32<T>& F) const;
  /// None: the limit has no viscosity.
  template <typename T>
  Matrix32<T> viscous_stress(const Matrix32<T>&, const Matrix32<T>&) const {
    return Matrix32<T>::Constant(T(0.0));
  }

 private:
  /// C = F^T F as p I + [[a, b], [b, -a]], or S in the same form.
  template <typename T>
  struct Plane {
    T p, a, b;
  };
  /// How S changes with C (docs/theory/balance.md, "Strain limits"): with g = f'(l) / l as a function of c = l^2 at c1 = p + r and c2 = p - r.
  struct Slopes {
    double divided;     ///< (g(c1) - g(c2)) / (c1 - c2), g' where they are equal
    double mean;        ///< of g'
    double difference;  ///< half that of g'
    Eigen::Vector2d u;  ///< (a, b) / r, any unit vector where r = 0
  };
  Slopes slopes_at(double p, double a, double b) const;
  /// S = sum_i f'(l_i) / l_i n_i n_i^T.
  Plane<double> second_piola_stress(const Plane<double>& C) const;
  template <int N>
  Plane<Dual<double, N>> second_piola_stress(const Plane<Dual<double, N>>& C) const;

  StrainBarrier barrier_;
};

/// The largest principal stretch of a sheet minus 1.
double largest_strain(const Matrix32<double>& F);

template <typename T>
Matrix32<T> StrainLimit::first_piola_stress(const Matrix32<T>& F) const {
  const Vector3<T> first = F.col(0), second = F.col(1);
  const T c11 = first.dot(first), c22 = second.dot(second);
  const Plane<T> S = second_piola_stress(Plane<T>{(c11 + c22) * 0.5, (c11 - c22) * 0.5, first.dot(second)});
  Matrix32<T> stress;
  for (int i = 0; i < 3; ++i) {
    stress(i, 0) = F(i, 0) * (S.p + S.a) + F(i, 1) * S.b;
    stress(i, 1) = F(i, 0) * S.b + F(i, 1) * (S.p - S.a);
  }
  return stress;
}

/// The derivative (docs/theory/balance.md, "Strain limits", B11d), in which no term divides by r.
template <int N>
StrainLimit::Plane<Dual<double, N>> StrainLimit::second_piola_stress(const Plane<Dual<double, N>>& C) const {
  const Plane<double> S = second_piola_stress(Plane<double>{C.p.value, C.a.value, C.b.value});
  Plane<Dual<double, N>> result{Dual<double, N>(S.p), Dual<double, N>(S.a), Dual<double, N>(S.b)};
  const Slopes slopes = slopes_at(C.p.value, C.a.value, C.b.value);
  for (int k = 0; k < N; ++k) {
    const double dp = C.p.derivative[k], da = C.a.derivative[k], db = C.b.derivative[k];
    const double dr = slopes.u[0] * da + slopes.u[1] * db;  // along u
    const double along = slopes.difference * dp + (slopes.mean - slopes.divided) * dr;
    result.p.derivative[k] = slopes.mean * dp + slopes.difference * dr;
    result.a.derivative[k] = slopes.divided * da + along * slopes.u[0];
    result.b.derivative[k] = slopes.divided * db + along * slopes.u[1];
  }
  return result;
}

}  // namespace traction
