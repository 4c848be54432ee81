// The motion of bodies as wholes: mass, momentum and angular momentum, and the rigid motion with the same values.
#pragma once

#include <cmath>
#include <vector>

#include "system/system.h"

namespace traction {

/// Mass, momentum and energy of one body as a whole.
struct BodyMotion {
  double mass = 0;                       ///< [kg]
  Vec3 center = Vec3::Zero();            ///< center of mass [m]
  Vec3 velocity = Vec3::Zero();          ///< velocity of the center [m/s]
  Vec3 angular_momentum = Vec3::Zero();  ///< about the center [kg m^2/s]
  Mat3 inertia = Mat3::Zero();           ///< about the center [kg m^2]
  double deforming_energy = 0;           ///< kinetic energy of its vertices beyond that of the rigid motion [J]
  bool held = false;                     ///< whether any of its vertices is held whole
  /// Angular velocity of a rigid body with that inertia and angular momentum [rad/s]; zero about an axis on which all mass lies
  Vec3 angular_velocity = Vec3::Zero();

  /// The velocity of that rigid motion at a point [m/s].
  Vec3 velocity_at(const Vec3& point) const { return velocity + angular_velocity.cross(point - center); }
  /// Root mean square of the distances of its mass from the center [m].
  double gyration_radius() const { return std::sqrt(inertia.trace() / (2 * mass)); }
};

/// The motion of each of the system's bodies, at positions q [m] and velocities v [m/s] of owned vertices; the same on all ranks. Moments are summed about the
/// centers, so that a body far from the origin loses no precision. @collective
std::vector<BodyMotion> body_motions(const System& system, const Field& q, const Field& v);

/// The rotation of each body that fits the change of its vertices' positions best, weighted by mass (Kabsch 1976). If the body's mass lies on a line, as that
/// of a straight rod, it is the smallest rotation that turns this line. `from`, `to`: positions of owned vertices [m]. The result is the same on all ranks.
/// @collective
std::vector<Mat3> fitted_rotations(const System& system, const Field& from, const Field& to);

/// The same, but the identity for a body of which a vertex is held in any direction. @collective
std::vector<Mat3> body_rotations(const System& system, const Field& from, const Field& to);

}  // namespace traction
