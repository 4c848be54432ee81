// Finds surfaces that have passed into each other, whether or not a contact is defined between them.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "contact/gap_functions.h"
#include "parallel/halo.h"
#include "system/rigid_motion.h"
#include "system/state.h"

namespace traction {

/// The surfaces of bodies and obstacles, and the test whether they cross: whether an edge of one passes through a triangle of another, or of the same one, or a
/// vertex lies behind the shape of an obstacle. It shares only positions and the distances to such shapes with contact.
class SurfaceCrossings {
 public:
  /// The faces and rods of the bodies, in local vertices, each on one rank, with the number of its body.
  struct Bodies {
    std::vector<std::array<int, 3>> triangles;
    std::vector<int> body_of_triangle;
    std::vector<std::array<int, 2>> rods;
    std::vector<int> body_of_rod;
    int count = 0;  ///< of all bodies
  };
  /// An obstacle's faces and wires, complete on every rank, or its shape.
  struct Obstacle {
    std::vector<Vec3> points;  ///< at time 0 [m]
    std::vector<std::array<int, 3>> triangles;
    std::vector<std::array<int, 2>> segments;
    std::vector<GapFunction> shape;
    Motion motion;
  };
  /// Two surfaces that cross. Bodies have their numbers, and obstacles those that follow.
  struct Crossing {
    int first, second;  ///< in ascending order; equal for a body that crosses itself
    double depth;       ///< the greatest depth of a piercing of the two, or of a vertex behind a shape [m]
    double edge;        ///< length of the edge that pierces there, or ends at the vertex [m]
    Vec3 place;         ///< [m]
  };

  SurfaceCrossings(std::shared_ptr<const Halo> halo, Bodies bodies, std::vector<Obstacle> obstacles);

  /// The pairs that cross at this state, whose ghosts are valid, each with its deepest piercing, in ascending order and the same on all ranks. Takes n log n
  /// for n triangles. @collective
  std::vector<Crossing> find(const State& state) const;

 private:
  std::shared_ptr<const Halo> halo_;
  Bodies bodies_;
  std::vector<Obstacle> obstacles_;
  std::vector<std::array<int, 2>> edges_;  ///< edges of this rank's triangles, and segments of its rods
  std::vector<int> body_of_edge_;
};

}  // namespace traction
