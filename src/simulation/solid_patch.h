// The part of a deformable solid that carries a joint (docs/theory/rigid.md, "Joints").
#pragma once

#include <optional>
#include <vector>

#include "simulation/body_points.h"

namespace traction {

/// Vertices of a solid around a place, which carry places together: x(p) = sum of w_i (1 + (X_i - c) . S^-1 (p - c)) q_i with weights w_i of sum 1, their
/// center c and their second moments S at the start. Places move with every affine motion of the vertices. How the patch gives way to a force or moment does
/// not depend on the size of elements that are small beside it.
class SolidPatch {
 public:
  /// A vertex of the patch.
  struct Vertex {
    PetscInt vertex;  ///< global number
    double weight;    ///< positive; the sum of all need not be 1
    Vec3 place;       ///< at the start [m]
  };
  /// `vertices` do not lie in one plane.
  explicit SolidPatch(std::vector<Vertex> vertices);

  CarriedPoint carry(const Vec3& place) const;

 private:
  std::vector<Vertex> vertices_;
  Vec3 center_;
  Mat3 inverse_;  // S^-1 [1/m^2]
};

/// The patch of a body around a place: vertices no farther from it than its distance from the body and the body's thickness there, with weights of their
/// masses, which fall to 0 at that radius. About 128 vertices at most, each for all those in a cell of a grid that turns with the body. The radius is larger
/// where the mesh is too coarse for it. None for a rigid body, or where a shell or rod of the body is nearest. The same on all ranks, but for rounding.
/// @collective
std::optional<SolidPatch> patch_around(const System& system, const Body& body, const Vec3& place, const Field& start);

}  // namespace traction
