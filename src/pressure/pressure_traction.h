// The traction where two bodies press on each other (docs/theory/pressure.md, "Traction").
#pragma once

#include <algorithm>
#include <cmath>

#include "math/friction_curve.h"
#include "pressure/relative_motion.h"

namespace traction {

/// Dissipation and friction of a pressure contact.
struct PressureLaw {
  double dissipation = 0;  ///< d of both bodies together [s/m]
  bool friction = false;
  FrictionCurve curve;
  double factor = 1;            ///< on the whole traction
  double least_alignment = -1;  ///< pieces of the contact surface are dropped if the cosine between their normal and a pressure's gradient is less than this
};

/// The dissipation of two bodies with these moduli, of which one may be infinite [s/m].
inline double combined_dissipation(double modulus_a, double dissipation_a, double modulus_b, double dissipation_b) {
  if (std::isinf(modulus_a)) return dissipation_b;
  if (std::isinf(modulus_b)) return dissipation_a;
  return (modulus_b * dissipation_a + modulus_a * dissipation_b) / (modulus_a + modulus_b);
}
/// The coefficient of friction of two bodies with these coefficients: their harmonic mean, as in Drake. It is at most twice the smaller one.
inline double combined_friction(double a, double b) { return a + b > 0 ? 2 * a * b / (a + b) : 0; }
/// The modulus of two bodies in series [Pa].
inline double combined_modulus(double a, double b) { return 1 / (1 / a + 1 / b); }

/// The force per area on the body into which the normal points. `normal`: of unit length; `separation`: that body's velocity relative to the other's.
template <typename T>
struct PressureTraction {
  Vector3<T> normal_part, friction;  ///< [Pa]

  Vector3<T> sum() const { return normal_part + friction; }
};

template <typename T, typename S>
PressureTraction<T> traction_of(const PressureLaw& law, const Vector3<S>& normal, const S& pressure, const Vector3<T>& separation) {
  using std::sqrt;
  PressureTraction<T> result;
  T apart(0.0), p(pressure * law.factor);
  for (int c = 0; c < 3; ++c) apart += separation[c] * normal[c];
  if (law.dissipation > 0) {
    const T factor = 1.0 - apart * law.dissipation;
    p = real_part(factor) > 0 ? T(p * factor) : T(0.0);
  }
  for (int c = 0; c < 3; ++c) {
    result.normal_part[c] = p * normal[c];
    result.friction[c] = T(0.0);
  }
  if (!law.friction) return result;
  Vector3<T> sliding;
  for (int c = 0; c < 3; ++c) sliding[c] = separation[c] - apart * normal[c];
  const T square = dot<T, T>(sliding, sliding);
  const T speed = real_part(square) > 0 ? T(sqrt(square)) : T(0.0);
  const T over_speed = friction_over_speed<T>({law.curve, law.curve.viscous, law.factor > 0 ? 1 / law.factor : 0}, speed, p);
  for (int c = 0; c < 3; ++c) result.friction[c] = -(over_speed * sliding[c]);
  return result;
}

}  // namespace traction
