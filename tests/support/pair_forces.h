// The forces of single pairs, from their points' positions and velocities.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "contact/vertex_obstacle.h"
#include "contact/vertex_surface.h"

namespace traction::test {

// The force of a vertex at x with velocity v against an obstacle in a pose.
template <typename T>
ContactForce<T> obstacle_force(const GapFunction& obstacle, const Pose& pose, const ContactLaw& law, const Vector3<T>& x, const Vector3<T>& v,
                               const Vec3* friction_direction = nullptr) {
  const std::array<Vector3<T>, 1> velocity{v};
  std::array<Vector3<T>, 1> force{Vec3::Zero().cast<T>()};
  return contact_force<T>(law, {}, ObstacleSample<T>(obstacle, pose, x), pose, velocity, force, friction_direction);
}

// The force against the implicit surface of triangles; adds the forces on their corners to `reactions`.
inline ContactForce<double> surface_force(const ImplicitSurface& surface, const ContactLaw& law, const Vec3& x, const Vec3& v,
                                          const std::vector<Corners<double>>& triangles, const std::vector<Corners<double>>& velocities,
                                          std::vector<Corners<double>>& reactions) {
  const auto points = [](const Vec3& vertex, const std::vector<Corners<double>>& corners) {
    std::vector<Vec3> result{vertex};
    for (const Corners<double>& triangle : corners) result.insert(result.end(), triangle.begin(), triangle.end());
    return result;
  };
  const std::vector<Vec3> positions = points(x, triangles), speeds = points(v, velocities);
  std::vector<Vec3> forces(positions.size(), Vec3::Zero());
  const auto contact = contact_force<double>(law, {}, SurfaceSample<double>(surface, positions), VertexSurface::Frame(), speeds, forces);
  for (std::size_t i = 0; i < reactions.size(); ++i)
    for (int a = 0; a < 3; ++a) reactions[i][a] += forces[1 + 3 * i + static_cast<std::size_t>(a)];
  return contact;
}

}  // namespace traction::test
