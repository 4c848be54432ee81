// Computes the curvature of a shell from the angles between its triangles, on meshes of any shape (docs/theory/balance.md, "Bending").
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>

#include "math/tensor.h"

namespace traction {

/// The plate properties of a triangle.
struct Plate {
  double stiffness = 0;  ///< B [N m]
  double poisson_ratio = 0;
  bool clamped = false;  ///< whether its vertices and its normal are held, because it borders on a clamp
};

/// A triangle beyond an edge: its third corner at rest [m], and the index of the edge's angle in the patch. `sign`: 1 if that angle counts towards the side
/// that the patch's triangle points to, else -1.
struct PatchEdge {
  Vec3 apex;
  int angle;  ///< 0 to 8
  double sign;
};

/// A triangle (corner 0, 1, 2) with its neighbours and theirs.
struct ShellPatch {
  static constexpr int kAngles = 9;
  /// A triangle across an edge of the patch's own triangle, with those beyond it.
  struct Neighbour {
    PatchEdge edge;
    Plate plate;
    /// The triangles beyond its edges: first beyond the edge from the first corner of the shared edge to the apex, then beyond the one from the apex to the
    /// second corner.
    std::array<std::optional<PatchEdge>, 2> beyond;
  };
  std::array<Vec3, 3> corners;  ///< at rest [m]
  Plate plate;
  /// The triangles beyond the edges from corner i to the next; empty where the shell ends, or does not bend with the triangle.
  std::array<std::optional<Neighbour>, 3> neighbours;
};

/// The curvature and stiffness of a triangle, from its patch. Tensors in its plane are triples (xx, yy, sqrt(2) xy) in the frame whose first axis is along the
/// edge from corner 0 to 1, and whose third is the normal at rest.
struct PatchBending {
  Eigen::Matrix<double, 3, ShellPatch::kAngles> curvature;  ///< a column per angle [1/m]; without the contribution of free edges
  Mat3 stiffness;  ///< stiffness of the whole triangle, moment times area per curvature, with free edges at rest [N m^3]
  double area;     ///< at rest [m^2]
  /// The bending moment per length [N m/m] when the angles differ from those at rest by `turn`; positive where it bends the normal's side outward.
  Mat3 moment(const Eigen::Matrix<double, ShellPatch::kAngles, 1>& turn) const;
  /// The same for a strain S turn, of which a part may have flowed [sqrt(N m)].
  Mat3 moment_of(const Vec3& strain) const;
};
PatchBending bending_of(const ShellPatch& patch);

/// The matrix S [sqrt(N m)] with which the triangle stores W = |S turn|^2 / 2 when the patch's angles differ from those at rest by `turn`. W is Koiter's
/// bending energy in plane stress, for the curvature of Morley's triangle with slopes across its edges that are exact for parabolas.
Eigen::Matrix<double, 3, ShellPatch::kAngles> bending_strains(const ShellPatch& patch);

}  // namespace traction
