// The speeds that bodies of a scene may reach, by which rigid bodies are made stiff and hard (docs/theory/rigid.md, "Hardness").
#pragma once

#include <functional>
#include <optional>

#include "mesh_partition/distribute.h"
#include "scene/scene.h"

namespace traction {

/// A bound on the speeds at which a motion moves points before the time `end` [m/s]. `reach(center)`: the largest distance of these points from the centre of a
/// rotation [m]; it is called once for each rotation, on all ranks alike.
double largest_speed(const Motion& motion, double end, const std::function<double(const Vec3&)>& reach);

/// The largest distance in a scene's start, and the speed that a body can reach: the fastest start, and a fall along that distance.
struct Expected {
  double size = 0;   ///< [m]
  double speed = 0;  ///< [m/s]
};
/// @collective
Expected expected_in(const Scene& scene, const DistributedMesh& mesh);

/// The speed at which rigid bodies may meet anything: that of `expected` and of a fall onto the lowest obstacle, or that to which forces and torques bring a
/// rigid body on the largest distance; plus the largest speed of a spin, and that of driven regions and obstacles [m/s]. None if nothing moves, or if something
/// acts whose speed is unknown: springs, motors that prescribe a motion, pressures, body forces, volumes, and shapes that store energy at the start.
/// @collective
std::optional<double> impact_speed(const Scene& scene, const DistributedMesh& mesh, const Expected& expected);

}  // namespace traction
