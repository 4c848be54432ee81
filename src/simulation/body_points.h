// Places on bodies as points that move with them.
#pragma once

#include <optional>

#include "forces/point_links.h"
#include "scene/scene.h"
#include "system/system.h"

namespace traction {

/// A body as it is placed at the start.
struct BodyExtent {
  double mass = 0;   ///< [kg]
  double reach = 0;  ///< largest distance of a vertex from the mean of all [m]

  double size() const { return 2 * reach; }  ///< [m]
};
/// The same on all ranks. @collective
BodyExtent extent_of(const System& system, const Body& body, const Field& start);
/// The distance of a place from the nearest of the body's vertices [m]. @collective
double distance_from(const System& system, const Body& body, const Vec3& place, const Field& start);

/// A point that moves with a body. A rigid body carries every place. A solid carries a place by the tetrahedron nearest to it, of four or ten nodes, which need
/// not contain it. A shell or rod carries only places on it, so the nearest of these is taken.
struct CarriedPoint {
  BodyPoint point;
  Vec3 place;  ///< where the point is at the start [m]
};
/// The same on all ranks. `start`: positions of the vertices, ghosts valid [m]. @collective
CarriedPoint point_of_body(const System& system, const Body& body, const Vec3& place, const Field& start);
/// The distance of a place from the body's tetrahedra [m], 0 inside; none if the body is rigid or a shell or rod of it is nearer. @collective
std::optional<double> distance_from_tetrahedra(const System& system, const Body& body, const Vec3& place, const Field& start);

}  // namespace traction
