// Pressure fields of bodies: how far inside a body its points are, linear on tetrahedra (docs/theory/pressure.md, "Fields").
#pragma once

#include <array>
#include <vector>

#include "math/tensor.h"

namespace traction {

/// The extent of penetration, 0 on the surface and 1 deepest inside; times a modulus it is a pressure.
struct PressureField {
  std::vector<Vec3> vertices;                  ///< [m]
  std::vector<std::array<int, 4>> tetrahedra;  ///< positive volume
  std::vector<double> extent;                  ///< one for each vertex
};

/// The boundary triangles of tetrahedra, normals outward.
std::vector<std::array<int, 3>> boundary_of(const std::vector<std::array<int, 4>>& tetrahedra);

/// Fields of convex shapes, linear from the surface to the medial axis. Round shapes have facets whose volume is that of the shape; `around`: facets around a
/// circle, at least 3. Neighbors may divide a flat face between them in two ways, on which the field is the same. `rotation` turns the shape's own axes into
/// the body's; cylinders and capsules have theirs along z.
PressureField sphere_field(const Vec3& center, double radius, int subdivisions);  ///< an icosahedron's edges are divided into 2^subdivisions
PressureField box_field(const Vec3& center, const Mat3& rotation, const Vec3& size);
PressureField cylinder_field(const Vec3& center, const Mat3& rotation, double radius, double length, int around);
PressureField capsule_field(const Vec3& center, const Mat3& rotation, double radius, double length, int around);  ///< `length`: between the centers of its ends

/// Solves Laplace's equation with linear elements. The field is 0 on the boundary and 1 at vertices whose distance from it is at least `core` times the largest
/// distance of any vertex. A tetrahedron whose corners are all on the boundary is divided at its center. The field there, and at vertices in the middle of
/// parts that are thinner, is the distance from the boundary divided by the distance at which the field becomes 1, and at most 1: it would otherwise vanish
/// along thin parts. Throws InputError if the field is not positive inside, which elements with obtuse angles can cause.
PressureField laplace_field(std::vector<Vec3> vertices, std::vector<std::array<int, 4>> tetrahedra, double core);

}  // namespace traction
