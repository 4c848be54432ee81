// Finds shapes that are doubtful for contact other than between edges and faces, and describes them to the user.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "contact/gap_functions.h"
#include "mesh_partition/distribute.h"

namespace traction {

/// A surface of triangles that contact treats as a smooth one.
struct SmoothlyTouched {
  std::string contact;  ///< place of its description in the scene
  std::string name;     ///< name of the surface
  double reach = 0;     ///< [m]
};

/// Reports sharp edges, which the smooth surface rounds off, and places that are thinner than its reach. `region`: the triangles here, at least all around
/// owned vertices. `has_outside`: their normals point out of a body. @collective
std::vector<std::string> doubts_about(const SmoothlyTouched& touched, const DistributedMesh& mesh, const std::vector<std::array<int, 3>>& region,
                                      bool has_outside);
/// The same for the surface of an obstacle, which is complete on every rank.
std::vector<std::string> doubts_about(const SmoothlyTouched& touched, const std::vector<Vec3>& points, const StaticSurface& surface);

/// How an obstacle fits between vertices that are as far apart as the longest edge of the body that touches it.
struct ObstacleBetweenVertices {
  double width;  ///< width of the obstacle; infinite for a plane and for the inside of a shape [m]
  double depth;  ///< how deep a round obstacle lies in a flat face when it touches the face's vertices [m]
};
ObstacleBetweenVertices obstacle_between_vertices(const std::vector<GapFunction>& shapes, double longest_edge);

/// Reports obstacles that vertices on edges of this length [m] may miss: so small that they fit between them, or so sharply curved that they can lie deeper in
/// the faces between them than the contact's thickness [m]. `body`: the one with that edge; `is_rod`: the edge is a segment of a rod.
std::vector<std::string> doubts_about(const std::string& contact, const std::string& body, bool is_rod, const std::string& obstacle,
                                      const std::vector<GapFunction>& shapes, double longest_edge, double thickness);

/// Reports a tube of which a rod inside, of this radius [m], has the walls on all sides within the contact's thickness [m]. Only the nearest one presses.
std::vector<std::string> doubts_about_clearance(const std::string& contact, const std::string& body, const std::string& obstacle,
                                                const std::vector<GapFunction>& shapes, double radius, double thickness);

}  // namespace traction
