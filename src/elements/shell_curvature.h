// How the curvature of a shell follows from the angles between its triangles, on meshes of any shape (docs/theory/balance.md, "Bending").
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>

#include "math/tensor.h"

namespace traction {

// What a triangle is as a plate.
struct Plate {
  double stiffness = 0;  // B [N m]
  double poisson_ratio = 0;
  bool clamped = false;  // its vertices are held, and so is its normal: it ends where a clamp begins
};

// A triangle beyond an edge: its third corner at rest [m], and the edge's angle as one of the patch's. `sign`: 1 where that angle counts towards the side that
// the patch's triangle points to, else -1.
struct PatchEdge {
  Vec3 apex;
  int angle;  // 0 to 8
  double sign;
};

// A triangle (corner 0, 1, 2) with its neighbours and theirs.
struct ShellPatch {
  static constexpr int kAngles = 9;
  struct Neighbour {
    PatchEdge edge;
    Plate plate;
    std::array<std::optional<PatchEdge>, 2> beyond;  // beyond its edges from the first corner of the shared edge to the apex, and from there to the second
  };
  std::array<Vec3, 3> corners;  // at rest [m]
  Plate plate;
  std::array<std::optional<Neighbour>, 3> neighbours;  // beyond the edge from corner i to the next; none where the shell ends, or does not bend with it
};

// What a triangle's curvature and stiffness are, from its patch. Tensors of its plane are triples (xx, yy, sqrt(2) xy) in the frame whose first axis is along
// the edge from corner 0 to 1, and whose third is the normal at rest.
struct PatchBending {
  Eigen::Matrix<double, 3, ShellPatch::kAngles> curvature;  // a column per angle [1/m]; without what free edges add
  Mat3 stiffness;                                           // of the whole triangle, moment times area per curvature, with free edges at rest [N m^3]
  double area;                                              // at rest [m^2]
  // The bending moment per length [N m/m] when the angles differ from those at rest by `turn`; positive where it bends the normal's side outward.
  Mat3 moment(const Eigen::Matrix<double, ShellPatch::kAngles, 1>& turn) const;
};
PatchBending bending_of(const ShellPatch& patch);

// The matrix S [sqrt(N m)] for which the triangle stores W = |S turn|^2 / 2 when the patch's angles differ from those at rest by `turn`: Koiter's bending
// energy in plane stress of the curvature that Morley's triangle has with the slopes across its edges, which are exact for parabolas.
Eigen::Matrix<double, 3, ShellPatch::kAngles> bending_strains(const ShellPatch& patch);

}  // namespace traction
