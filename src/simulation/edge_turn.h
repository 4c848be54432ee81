// How a surface turns at an edge between two of its triangles.
#pragma once

#include "math/tensor.h"

namespace traction {

/// Where a surface turns by this angle or more, an edge separates two of its sides: 43 degrees, between those of a prism of eight sides and of an icosahedron.
inline constexpr double kCosineOfSharpTurn = 0.7313537;

/// The cosine of the angle by which a surface turns at the edge from `a` to `b` of two triangles, whose third corners are `one` and `other`: 1 if they lie in
/// one plane, -1 if they lie on each other, in whatever order their corners are; 1 for triangles without an area.
inline double cosine_of_turn(const Vec3& a, const Vec3& b, const Vec3& one, const Vec3& other) {
  const Vec3 along = (b - a).normalized(), first = one - a, second = other - a;
  const Vec3 out = first - along.dot(first) * along, into = second - along.dot(second) * along;
  const double lengths = out.norm() * into.norm();
  return lengths > 0 ? -out.dot(into) / lengths : 1;
}

}  // namespace traction
