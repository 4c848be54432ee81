// The smooth surface of a mesh: what a user can choose.
#pragma once

namespace traction {

// The smooth implicit surface of a mesh that contact is computed with (Larionov, Fan, Pai 2021).
struct ImplicitSurfaceSettings {
  double radius_multiplier = 1.5;  // its reach R over the mesh's largest distance from a triangle's centroid to a corner
  double interpolation = 1e-3;     // epsilon of the weights: the smaller, the closer the surface to the triangles
};

}  // namespace traction
