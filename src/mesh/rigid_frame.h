// Rigid bodies in a mesh: their moments of mass, and the four particles that move for them (docs/theory/rigid.md, "Four particles").
#pragma once

#include <string>

#include "mesh/mesh.h"

namespace traction {

/// The region of a rigid body's mesh that holds the tetrahedron between its particles. No file has a region of this name.
inline constexpr const char* kFrameRegion = "<frame>";

/// Mass, center of mass and second moments of mass of a rigid body.
struct MassMoments {
  double mass = 0;             ///< [kg]
  Vec3 center = Vec3::Zero();  ///< [m]
  Mat3 second = Mat3::Zero();  ///< integral of d d^T dm, d the distance from the center [kg m^2]

  /// `inertia`: about the center [kg m^2].
  static MassMoments from_inertia(double mass, const Vec3& center, const Mat3& inertia);
};

/// The exact moments of the mesh's tetrahedra.
MassMoments moments_of_tetrahedra(const Mesh& mesh, double density);

/// Appends four particles with these moments to the vertices of a body's mesh, which move with the mesh when it is placed. Throws InputError if no body that
/// extends in all directions has these moments.
void add_particles(Mesh& mesh, const MassMoments& moments);

/// Moves the particles so that they also have the moments of masses [kg] that the body carries at these places [m].
void add_carried_mass(Mesh& mesh, const std::vector<Vec3>& places, const std::vector<double>& masses);

/// Throws InputError that begins with `source` if the region does not exist or, in a mesh with particles, consists of some but not all of its tetrahedra:
/// loads, springs and attachments act on places, of which a rigid body keeps those of its triangles, and of its regions of points and curves, alone.
void require_kept_region(const Mesh& mesh, const std::string& name, const std::string& source);

/// Makes the body rigid: leaves the tetrahedron of its particles, the vertices of its triangles and of its regions, and what connects these with the particles.
/// Regions of tetrahedra become kFrameRegion's tetrahedron.
void make_rigid(Mesh& mesh);

}  // namespace traction
