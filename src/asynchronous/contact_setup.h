// Which surfaces may touch each other in asynchronous contact.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "asynchronous/layered_law.h"
#include "contact/gap_functions.h"
#include "system/motion_settings.h"

namespace traction {

/// What may touch in an asynchronous run. Points have numbers: first the vertices of the mesh, then those of obstacles.
struct ContactSetup {
  /// The vertices, edges and triangles of a body or obstacle, by the numbers of all points.
  struct Surface {
    std::string name;   ///< its body's or obstacle's
    double offset = 0;  ///< how far it is from its points: half the thickness of shells, the radius of rods [m]
    std::vector<int> vertices;
    std::vector<std::array<int, 2>> edges;  ///< a nail, a lone point of an obstacle, is one with both ends the same, which meets rods
    std::vector<std::array<int, 3>> triangles;
  };
  /// An obstacle with a gap function, which stands still, and the vertices that may touch it.
  struct Wall {
    std::string name, body;  ///< body: whose vertices they are
    GapFunction gap;
    int law = 0;
    double offset = 0;  ///< as their surface has it [m]
    double side = 1;    ///< 1 if the vertices are on the contact's first side
    std::vector<int> vertices;
  };
  /// A point of an obstacle, which moves as prescribed.
  struct ObstaclePoint {
    Vec3 place;  ///< at time 0 [m]
    int motion;  ///< into `motions`
  };

  /// Where the vertices of bodies are at rest [m], and the number of the connected piece that each belongs to. Places of one piece that are nearer at rest than
  /// 1.05 times their contact's reach do not touch. If both are empty, only those that share a vertex are neighbours.
  std::vector<Vec3> rest;
  std::vector<long> pieces;
  std::vector<LayeredLaw> laws;
  std::vector<Surface> surfaces;
  std::vector<int> laws_of_surfaces;      ///< [first * surfaces + second], symmetric: into `laws`, -1 where the two do not touch
  std::vector<double> sides_of_surfaces;  ///< the same: 1 if the first is on its contact's first side, -1 if on its second, 0 if on both
  std::vector<Wall> walls;
  std::vector<ObstaclePoint> obstacle_points;
  std::vector<Motion> motions;

  int law_of(int first, int second) const { return laws_of_surfaces[static_cast<std::size_t>(first) * surfaces.size() + static_cast<std::size_t>(second)]; }
  double side_of(int first, int second) const {
    return sides_of_surfaces[static_cast<std::size_t>(first) * surfaces.size() + static_cast<std::size_t>(second)];
  }
};

}  // namespace traction
