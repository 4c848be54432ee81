// The force of one pair in frictional contact, over any scalar (docs/theory/contact.md, "Contact force"; docs/theory/friction.md, "Friction curve").
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "contact/contact_damping.h"
#include "contact/contact_settings.h"
#include "contact/friction_force.h"
#include "math/cubic_penalty.h"
#include "math/dual.h"
#include "math/imc_potential.h"
#include "math/log_barrier.h"
#include "math/tensor.h"

namespace traction {

constexpr double kGuardThickness = 0.1;  ///< of a guard, relative to its contact's

/// Factors that one pair applies to the parts of the law.
struct PairWeight {
  double penalty = 1;   ///< factor on the potential
  double guard = 0;     ///< factor on the guard
  double friction = 1;  ///< factor on the friction that a normal force causes
  double area = 1;      ///< factor on viscous friction [m^2]
  double share = 0;     ///< area share of the pair's vertex [m^2]
  double offset = 0;    ///< added to the law's offset: distance from the pair's points to their surfaces, both sides together [m]
  double covered = 0;   ///< contribution to the contact area while the pair presses; negative where other pairs count the same area twice [m^2]
  double carried = 1;   ///< normal force of the pair's side over that of both sides, relative to its share of the area
};

/// A cubic penalty that is added to a contact's own while it is needed (docs/theory/contact.md, "Layers").
struct ContactLayer {
  double thickness = 0;  ///< delta_l [m]
  double stiffness = 0;  ///< kappa_l [N/m]
};

/// The numbers that the force of a pair depends on: potential, thickness, stiffness, friction and damping.
struct ContactLaw {
  ContactPotential potential = ContactPotential::cubic_penalty;
  double thickness = 0;  ///< delta [m]
  double offset = 0;     ///< subtracted from the distance: how far the surfaces of shells are from their triangles, both sides together [m]
  double stiffness = 0;  ///< kappa [N/m]
  double sharpness = 0;  ///< c of the potential imc: the mean radius of two rods over the width of their potential
  /// A log barrier beneath the potential, which holds where the potential is too soft; a thickness of 0 switches it off (docs/theory/contact.md, "Guard").
  double guard_thickness = 0;                  ///< the guard begins at this height above the largest overlap [m]
  double guard_stiffness = 0;                  ///< [N/m]
  Stiffening stiffening = Stiffening::layers;  ///< for pairs without a guard
  std::vector<ContactLayer> layers{};          ///< each at most as thick as the one before
  double damping = 0;                          ///< c [s/m]
  bool friction = false;
  FrictionCurve curve;
  std::optional<AnisotropySettings> anisotropy{};
  double factor = 1;  ///< factor on the whole force; the stiffnesses and viscous friction contain it already
  bool sliding_basis_derivative = true;
  bool lagged = false;  ///< friction uses the normal force and direction of an earlier state (docs/theory/friction.md, "Lagged friction")
  int passes = 1;       ///< for lagged friction: solves per step, each with the normal forces of the one before

  bool implicit_friction() const { return friction && !lagged; }
  /// The overlap of the surfaces up to which the guard does not stop them [m].
  double largest_overlap() const { return potential == ContactPotential::imc ? thickness : 0; }
  /// Whether a pair can pass through the surface, so that the law must be stiffened. A barrier prevents that.
  bool yields(const PairWeight& weight = {}) const { return potential == ContactPotential::cubic_penalty && weight.guard == 0; }

  /// An energy [J] or a normal force [N] of one pair.
  template <typename T>
  struct Parts {
    T potential;  ///< with its layers
    T guard;
    T sum() const { return potential + guard; }
  };
  /// The part of normal forces that grows without bound as the gap closes.
  template <typename T>
  T of_barriers(const Parts<T>& forces) const {
    return potential == ContactPotential::log_barrier ? forces.sum() : forces.guard;
  }
  template <typename T>
  Parts<T> energies(const T& gap, const PairWeight& weight = {}) const {
    return parts(gap, weight, cubic_penalty<T>, log_barrier<T>, imc_potential<T>);
  }
  /// lambda = -d energy / d gap
  template <typename T>
  Parts<T> normal_forces(const T& gap, const PairWeight& weight = {}) const {
    return parts(gap, weight, cubic_penalty_force<T>, log_barrier_force<T>, imc_potential_force<T>);
  }
  template <typename T>
  T energy(const T& gap, const PairWeight& weight = {}) const {
    return energies(gap, weight).sum();
  }
  template <typename T>
  T normal_force(const T& gap, const PairWeight& weight = {}) const {
    return normal_forces(gap, weight).sum();
  }

 private:
  /// `penalty`, `barrier` and `imc`: energies of the three potentials, or their forces.
  template <typename T>
  Parts<T> parts(const T& gap, const PairWeight& weight, T (*penalty)(const T&, double, double), T (*barrier)(const T&, double, double),
                 T (*imc)(const T&, double, double, double)) const {
    // The axes of two rods that touch are as far apart as the sum of their radii.
    T result = potential == ContactPotential::log_barrier ? barrier(gap, thickness, stiffness)
               : potential == ContactPotential::imc       ? imc(gap, thickness, stiffness, (offset + weight.offset) / (2 * sharpness))
                                                          : penalty(gap, thickness, stiffness);
    if (yields(weight))
      for (const ContactLayer& layer : layers) result += penalty(gap, layer.thickness, layer.stiffness);
    Parts<T> sides{result * weight.penalty, T(0.0)};
    if (const double overlap = largest_overlap(); weight.guard != 0 && real_part(gap) + overlap < guard_thickness)
      sides.guard = barrier(gap + overlap, guard_thickness, guard_stiffness * weight.guard);
    return sides;
  }
};

inline double sliding_speed(const Vec3& normal, const Vec3& relative) { return (relative - normal * relative.dot(normal)).norm(); }

/// The part of a relative velocity in the plane of contact.
template <typename T>
Vector3<T> sliding_velocity(const ContactLaw& law, const Vector3<T>& normal, const Vector3<T>& relative) {
  const Vector3<T> n = law.sliding_basis_derivative ? normal : frozen(normal);
  const T approach = relative.dot(n);
  return relative - n * approach;
}

/// The friction of a pair: viscous friction is per area, and the pressure is the normal force, without the law's factor, over the area of contact that the
/// pair has; a pair of edges, which has none, takes its share. Where the harder of two sides carries more than its share of the force, that is left out of the
/// pressure. Refers to the law.
inline LocalFriction local_friction(const ContactLaw& law, const PairWeight& weight) {
  const double viscous = law.curve.viscous * weight.area * weight.friction;
  if (!law.curve.table) return {law.curve, viscous, 0};
  const double area = (weight.area > 0 ? weight.area : weight.share) * weight.carried * law.factor * weight.friction;
  return {law.curve, viscous, area > 0 ? 1 / area : 0};
}

/// The friction of a pair that slides. `normal_force`: its size [N]. `in_plane(x)`: the part of a vector in the plane of contact. `direction`: see
/// FrictionDirections; null for exact derivatives.
template <typename T, typename InPlane>
Vector3<T> pair_friction(const ContactLaw& law, const LocalFriction& friction, const Vector3<T>& sliding, const T& normal_force, InPlane in_plane,
                         const Vec3* direction = nullptr) {
  if (law.anisotropy) {
    const Vector3<T> along = in_plane(Vector3<T>(law.anisotropy->grain.cast<T>()));
    return direction ? friction_force<T>(friction, *law.anisotropy, along, sliding, normal_force, *direction)
                     : friction_force<T>(friction, *law.anisotropy, along, sliding, normal_force);
  }
  return direction ? friction_force<T>(friction, sliding, normal_force, *direction) : friction_force<T>(friction, sliding, normal_force);
}

/// The force that one pair exerts on its first side.
template <typename T>
struct ContactForce {
  T gap;                      ///< [m]
  T energy;                   ///< [J]
  Vector3<T> normal;          ///< contact force lambda n [N]
  Vector3<T> friction;        ///< [N]
  Vector3<T> sliding;         ///< sliding velocity of implicit friction [m/s]
  T damping = T(0.0);         ///< power of the normal force's damping [W]
  T friction_power = T(0.0);  ///< of implicit friction [W]
};

/// A pair is a few points, the first of which is on its first side. Its geometry at their positions is a Sample, which knows how the gap and the motion of the
/// two sides against each other depend on them:
///   bool within_reach() const                                where false there is no contact
///   T gap() const                                            distance [m]
///   Vector3<T> gradient() const                              of the distance in the first side's place, of unit length or nearly so
///   void add_gap_gradient(T factor, span<Vector3<T>> f)      f[i] += factor dd/dx_i
///   Vector3<U> relative_velocity(span<const Vector3<U>> v, const Frame&)   of the first side against the second, where they touch [m/s]; linear in v
///   void add_velocity_transpose(Vector3<U> force, span<Vector3<U>> f)      f[i] += d(relative velocity . force)/dv_i: power and moment are kept
/// A Frame is what else moves: an obstacle.
///
/// A sample may also have factors on the potential and on the guard, which depend on the points:
///   std::optional<EdgeFading<T>> fading(double reach, double guard_reach) const   nothing where both are 1
///
/// The force of a pair whose points have velocities v [m/s]. Adds to `forces` what acts on each point [N]. Fully implicit: lambda, the sliding plane and the
/// velocities all depend on the points. `friction_direction`: see FrictionDirections; null for exact derivatives.
template <typename T, typename Sample, typename Frame>
ContactForce<T> contact_force(const ContactLaw& law, const PairWeight& weight, const Sample& sample, const Frame& frame, std::span<const Vector3<T>> v,
                              std::span<Vector3<T>> forces, const Vec3* friction_direction = nullptr) {
  using std::sqrt;
  const Vector3<T> zero = Vector3<T>::Constant(T(0.0));
  if (!sample.within_reach()) return {T(std::numeric_limits<double>::infinity()), T(0.0), zero, zero, zero};
  const T gap = sample.gap() - (law.offset + weight.offset);
  ContactForce<T> result{gap, T(0.0), zero, zero, zero};
  if (real_part(gap) >= law.thickness) return result;
  const auto& gradient = sample.gradient();
  auto normal_forces = law.normal_forces(gap, weight), energies = law.energies(gap, weight);
  T of_factors(0.0);  // the part of the normal force by which the factors change with the gap
  if constexpr (requires { sample.fading(0.0, 0.0); }) {
    const double from = law.offset + weight.offset;
    if (const auto fading = sample.fading(from + law.thickness, from + law.guard_thickness - law.largest_overlap())) {
      for (std::size_t i = 0; i < fading->gradients.size(); ++i) {
        const Vector3<T> force = fading->gradients[i] * (-energies.potential) + fading->guard_gradients[i] * (-energies.guard);
        forces[i] += force;
        if (i < 2) of_factors += force.dot(gradient);  // on the first edge
      }
      for (auto* each : {&normal_forces, &energies}) {
        each->potential *= fading->factor;
        each->guard *= fading->guard_factor;
      }
    }
  }
  T along_gap = normal_forces.sum(), lambda = along_gap + of_factors;
  result.energy = energies.sum();
  if (law.damping > 0) {
    const T rate = gap_rate<T>(sample, frame, v), damped = damped_force<T>(law.damping, lambda, rate, law.of_barriers(normal_forces));
    result.damping = (damped - lambda) * rate;
    along_gap += damped - lambda;
    lambda = damped;
  }
  result.normal = gradient * lambda;  // lambda dd/dq
  sample.add_gap_gradient(along_gap, forces);
  if (!law.implicit_friction() || weight.friction == 0) return result;

  const T length = sqrt(gradient.squaredNorm());
  const Vector3<T> normal = gradient * (1.0 / length);
  const auto in_plane = [&](const Vector3<T>& x) { return sliding_velocity<T>(law, normal, x); };
  result.sliding = in_plane(sample.template relative_velocity<T>(v, frame));
  const T size = lambda * length * weight.friction;
  result.friction = pair_friction<T>(law, local_friction(law, weight), result.sliding, size, in_plane, friction_direction);
  result.friction_power = result.friction.dot(result.sliding);
  sample.template add_velocity_transpose<T>(result.friction, forces);
  return result;
}

}  // namespace traction
