// The force of one vertex in frictional contact, over any scalar (P0 Sec. III-B and III-C).
#pragma once

#include "contact/gap_functions.h"
#include "math/cubic_penalty.h"
#include "math/friction_curve.h"
#include "system/rigid_motion.h"

namespace traction {

struct ContactLaw {
  double thickness = 0;    // delta [m]
  double stiffness = 0;    // kappa [N/m]
  bool friction = false;
  FrictionCurve curve;
  bool sliding_basis_derivative = true;
};

// A number without its derivatives, as the same type: what "lagging a factor in the product" means.
template <typename T>
Vector3<T> frozen(const Vector3<T>& x) {
  return Vector3<T>(T(real_part(x[0])), T(real_part(x[1])), T(real_part(x[2])));
}

template <typename T>
struct ContactForce {
  T gap;                 // [m]
  Vector3<T> normal;     // contact force lambda n [N]
  Vector3<T> friction;   // [N]
};

// Vertex at x with velocity v against an obstacle in a given pose. Fully implicit: lambda, the sliding plane and the obstacle's velocity all depend on x.
template <typename T>
ContactForce<T> contact_force(const GapFunction& surface, const Pose& pose, const ContactLaw& law, const Vector3<T>& x, const Vector3<T>& v) {
  using std::sqrt;
  const Vector3<T> x_rest = pose.to_rest(x);
  const GapSample<T> sample = std::visit([&](const auto& shape) { return shape(x_rest); }, surface);
  ContactForce<T> result{sample.gap, Vector3<T>::Constant(T(0.0)), Vector3<T>::Constant(T(0.0))};
  if (real_part(sample.gap) >= law.thickness) return result;
  const Vector3<T> normal = pose.rotation.cast<T>() * sample.normal;
  const T lambda = cubic_penalty_force(sample.gap, law.thickness, law.stiffness);
  result.normal = normal * lambda;
  if (!law.friction) return result;

  const Vector3<T> n = law.sliding_basis_derivative ? normal : frozen(normal);
  const Vector3<T> relative = v - pose.velocity_at(x);
  const T approach = relative.dot(n);
  const Vector3<T> sliding = relative - n * approach;
  const T square = sliding.squaredNorm();
  // The force is smooth in the sliding velocity and its bracket is multiplied by it, so at rest the derivative of the speed does not matter.
  const T speed = real_part(square) > 0 ? sqrt(square) : T(0.0);
  const T factor = friction_over_speed(law.curve, speed, lambda);
  result.friction = sliding * (-factor);
  return result;
}

}  // namespace traction
