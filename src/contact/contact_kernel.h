// The force of one vertex in frictional contact, over any scalar (P0 Sec. III-B and III-C).
#pragma once

#include <limits>
#include <span>

#include "contact/contact_settings.h"
#include "contact/gap_functions.h"
#include "contact/implicit_surface.h"
#include "math/cubic_penalty.h"
#include "math/friction_curve.h"
#include "math/log_barrier.h"
#include "system/rigid_motion.h"

namespace traction {

struct ContactLaw {
  ContactPotential potential = ContactPotential::cubic_penalty;
  double thickness = 0;  // delta [m]
  double offset = 0;     // the gap is the distance less this: how far the surfaces of shells are from their triangles, on both sides together [m]
  double stiffness = 0;  // kappa [N/m]
  bool friction = false;
  FrictionCurve curve;
  bool sliding_basis_derivative = true;
  bool lagged = false;  // friction has the normal force and direction of an earlier state (P0 Eq. 26)
  int passes = 1;       // of lagged friction: solves of a step, each with the normal forces of the one before

  bool implicit_friction() const { return friction && !lagged; }

  // [J]
  template <typename T>
  T energy(const T& gap) const {
    return potential == ContactPotential::log_barrier ? log_barrier(gap, thickness, stiffness) : cubic_penalty(gap, thickness, stiffness);
  }
  // lambda = -d energy / d gap [N]
  template <typename T>
  T normal_force(const T& gap) const {
    return potential == ContactPotential::log_barrier ? log_barrier_force(gap, thickness, stiffness) : cubic_penalty_force(gap, thickness, stiffness);
  }
};

// A number without its derivatives, as the same type: what "lagging a factor in the product" means.
template <typename T>
Vector3<T> frozen(const Vector3<T>& x) {
  return Vector3<T>(T(real_part(x[0])), T(real_part(x[1])), T(real_part(x[2])));
}

template <typename T>
struct ContactForce {
  T gap;                // [m]
  Vector3<T> normal;    // contact force lambda n [N]
  Vector3<T> friction;  // [N]
  Vector3<T> sliding;   // velocity, of implicit friction [m/s]
};

inline double sliding_speed(const Vec3& normal, const Vec3& relative) { return (relative - normal * relative.dot(normal)).norm(); }

// The part of a relative velocity in the plane of contact.
template <typename T>
Vector3<T> sliding_velocity(const ContactLaw& law, const Vector3<T>& normal, const Vector3<T>& relative) {
  const Vector3<T> n = law.sliding_basis_derivative ? normal : frozen(normal);
  const T approach = relative.dot(n);
  return relative - n * approach;
}

// Friction against a sliding velocity (P0 Eq. 14), under a normal force of the given size.
template <typename T>
Vector3<T> friction_force(const ContactLaw& law, const Vector3<T>& sliding, const T& normal_force) {
  using std::sqrt;
  const T square = sliding.squaredNorm();
  // The force is smooth in the sliding velocity and its bracket is multiplied by it, so at rest the derivative of the speed does not matter.
  const T speed = real_part(square) > 0 ? sqrt(square) : T(0.0);
  return sliding * (-friction_over_speed(law.curve, speed, normal_force));
}

// The same force with a derivative in which `direction` stands for that of sliding, s/|s|, in how friction over speed changes: see FrictionDirections.
template <typename T>
Vector3<T> friction_force(const ContactLaw& law, const Vector3<T>& sliding, const T& normal_force, const Vec3& direction) {
  const Vec3 s(real_part(sliding[0]), real_part(sliding[1]), real_part(sliding[2]));
  const double speed = s.norm();
  const Vector3<T> resisted = sliding * (-friction_over_speed(law.curve, T(speed), normal_force));
  if (speed == 0) return resisted;
  const double slope = friction_over_speed(law.curve, make_dual(speed, 1), Dual<double>(real_part(normal_force))).derivative[0];
  const T change = (sliding - s.cast<T>()).dot(Vec3(s * slope).cast<T>());  // of friction over speed, times the speed; its value is 0
  return resisted - direction.cast<T>() * change;
}

// Vertex at x with velocity v against an obstacle in a given pose. Fully implicit: lambda, the sliding plane and the obstacle's velocity all depend on x.
template <typename T>
ContactForce<T> contact_force(const GapFunction& surface, const Pose& pose, const ContactLaw& law, const Vector3<T>& x, const Vector3<T>& v,
                              const Vec3* friction_direction = nullptr) {
  using std::sqrt;
  const Vector3<T> x_rest = pose.to_rest(x);
  const GapSample<T> sample = std::visit([&](const auto& shape) { return shape(x_rest); }, surface);
  const Vector3<T> zero = Vector3<T>::Constant(T(0.0));
  const T gap = sample.gap - law.offset;
  ContactForce<T> result{gap, zero, zero, zero};
  if (real_part(gap) >= law.thickness) return result;
  const Vector3<T> normal = pose.rotation.cast<T>() * sample.normal;
  const T lambda = law.normal_force(gap);
  result.normal = normal * lambda;
  if (!law.implicit_friction()) return result;

  const T length = sqrt(normal.squaredNorm());
  result.sliding = sliding_velocity<T>(law, normal * (1.0 / length), v - pose.velocity_at(x));
  const T size = lambda * length;
  result.friction = friction_direction ? friction_force<T>(law, result.sliding, size, *friction_direction) : friction_force<T>(law, result.sliding, size);
  return result;
}

// The same against the implicit surface of a mesh: adds the forces on the triangles' corners to `reactions`. Where no triangle is within reach the gap is
// infinite.
template <typename T>
ContactForce<T> mesh_contact_force(const ImplicitSurface& surface, const ContactLaw& law, const Vector3<T>& x, const Vector3<T>& v,
                                   std::span<const Corners<T>> triangles, std::span<const Corners<T>> velocities, std::span<Corners<T>> reactions,
                                   const Vec3* friction_direction = nullptr) {
  using std::sqrt;
  const Vector3<T> zero = Vector3<T>::Constant(T(0.0));
  const ImplicitSurfaceSample<T> sample(surface, x, triangles);
  if (!sample.within_reach()) return {T(std::numeric_limits<double>::infinity()), zero, zero, zero};
  const T gap = sample.gap() - law.offset;
  ContactForce<T> result{gap, zero, zero, zero};
  if (real_part(gap) >= law.thickness) return result;
  const T lambda = law.normal_force(gap);
  result.normal = sample.gradient() * lambda;  // lambda dd/dq: the gradient of the gap is nearly, not exactly, of unit length
  sample.add_gap_gradient(lambda, reactions);
  if (!law.implicit_friction()) return result;

  const T length = sqrt(sample.gradient().squaredNorm());
  result.sliding = sliding_velocity<T>(law, sample.gradient() * (1.0 / length), v - sample.template velocity<T>(velocities));
  const T size = lambda * length;
  result.friction = friction_direction ? friction_force<T>(law, result.sliding, size, *friction_direction) : friction_force<T>(law, result.sliding, size);
  sample.template add_velocity_transpose<T>(-result.friction, reactions);
  return result;
}

}  // namespace traction
